import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { OtelFigures } from './otel.ts'

test('the short form of the OpenTelemetry benchmark completes and writes its figures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-test-'))
  try {
    const file = join(folder, 'figures.json')
    const args = [join(import.meta.dirname, 'otel.ts'), '--short', '--json', file]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const figures = JSON.parse(await readFile(file, 'utf8')) as OtelFigures
    for (const ratio of [figures.rateRatio, figures.cpuRatio]) assert.ok(ratio > 0 && Number.isFinite(ratio), stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
