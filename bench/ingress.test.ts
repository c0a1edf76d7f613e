import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { laneNames } from './phases.ts'
import type { Figures } from './report.ts'

test('the short form of the ingress benchmark completes and writes its figures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-test-'))
  try {
    const file = join(folder, 'figures.json')
    const bench = spawn(process.execPath, [join(import.meta.dirname, 'ingress.ts'), '--short', '--json', file], {
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let output = ''
    for (const stream of [bench.stdout, bench.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const status = await new Promise((resolve) => bench.once('close', resolve))
    assert.equal(status, 0, output)
    const figures = JSON.parse(await readFile(file, 'utf8')) as Figures
    assert.deepEqual(
      figures.sizes.map((size) => size.sizeBytes),
      [2000, 50_000, 500_000]
    )
    for (const { rates, latency } of figures.sizes) {
      for (const name of laneNames) assert.ok(rates[name].perSecond > 0 && latency[name].p50Ms > 0)
    }
    assert.deepEqual(
      figures.mix?.map((mix) => [mix.lane, mix.small.count > 0, mix.large.count > 0, mix.loop !== undefined]),
      [
        ['sluice', true, false, true],
        ['direct', true, true, false],
        ['sluice', true, true, true]
      ]
    )
    assert.doesNotMatch(output, /MISSED/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
