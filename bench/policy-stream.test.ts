import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { judgeAims, ratioOf, type LaneFigures, type ScaleFigures } from './policy-stream-report.ts'

test('the short form of the stream benchmark completes and writes its figures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-stream-bench-test-'))
  try {
    const file = join(folder, 'figures.json')
    const bench = join(import.meta.dirname, 'policy-stream.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [bench, '--short', '--json', file])
    const { scales, aims } = JSON.parse(await readFile(file, 'utf8')) as { scales: ScaleFigures[]; aims: unknown[] }
    assert.deepEqual(aims, [])
    for (const { streams, lanes } of scales) {
      assert.deepEqual(
        lanes.slice(0, 2).map(({ name }) => name),
        ['bare', 'hub']
      )
      for (const lane of lanes) {
        assert.ok(lane.lastMs.every((ms, round) => ms > 0 && ms >= (lane.halfMs[round] as number)))
        assert.equal(lane.storm?.failed, 0, `${lane.name} at ${streams} streams: ${stdout}`)
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('aims are judged per round, each against the bare fan-out of the same round', () => {
  const lane = (name: string, lastMs: readonly number[], more: Partial<LaneFigures> = {}): LaneFigures => ({
    name,
    lastMs,
    halfMs: lastMs,
    ...more
  })
  const scale: ScaleFigures = {
    streams: 10_000,
    lanes: [
      lane('bare', [10, 100, 10]),
      lane('hub', [12, 90, 15], { bytesPerStream: { rss: 16_001, heap: 1 }, storm: { ms: 1, failed: 1 } })
    ]
  }
  assert.equal(ratioOf(scale, 'hub'), 1.2)
  assert.deepEqual(
    judgeAims([scale]).map(({ met }) => met),
    [true, false, false]
  )
  const slow = { streams: 1000, lanes: [lane('bare', [50]), lane('hub', [76])] }
  assert.deepEqual(
    judgeAims([slow]).map(({ measured, met }) => [measured, met]),
    [
      ['1.52', false],
      ['76.0 ms (bare 50.0 ms)', false]
    ]
  )
})
