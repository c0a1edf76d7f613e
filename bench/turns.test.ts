import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

interface Row {
  readonly title: string
  readonly cpuMsPerCall: number
  readonly p50Ms: number
}

test('the short form of the benchmark of conversations completes and writes its figures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-test-'))
  try {
    const file = join(folder, 'figures.json')
    const bench = [join(import.meta.dirname, 'turns.ts'), '--short', '--json', file]
    const { stdout } = await promisify(execFile)(process.execPath, bench)
    assert.match(stdout, /up to 50 kB, 5 turns/)
    const figures = JSON.parse(await readFile(file, 'utf8')) as { onlyLast: boolean; rows: Row[] }[]
    assert.deepEqual(
      figures.map(({ onlyLast }) => onlyLast),
      [false, true]
    )
    for (const { rows } of figures) {
      assert.deepEqual(
        rows.map(({ title }) => title),
        ['bare proxy', 'nothing kept', 'known parts']
      )
      assert.ok(rows.every(({ cpuMsPerCall, p50Ms }) => cpuMsPerCall > 0 && p50Ms > 0))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
