import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { CrowdFigures, LaneFigures } from './stream.ts'

test('the short form of the stream benchmark completes, and no event is lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-stream-bench-'))
  try {
    const file = join(folder, 'figures.json')
    const bench = join(import.meta.dirname, 'stream.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [bench, '--short', '--json', file])
    const written = JSON.parse(await readFile(file, 'utf8')) as { figures: LaneFigures[]; crowds: CrowdFigures[] }
    assert.equal(written.figures.length, 9)
    for (const { lost, firstMs, delayMs, dialect, lane } of written.figures) {
      assert.equal(lost, 0, `${dialect}, ${lane}: ${stdout}`)
      assert.ok(firstMs > 0 && delayMs > 0)
    }
    for (const { lost, lane } of written.crowds) assert.equal(lost, 0, `${lane}: ${stdout}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
