import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { renderPages } from '../scripts/docs.ts'

for (const [path, content] of renderPages()) {
  test(`${path} matches the table that it is generated from`, () => {
    const written = readFileSync(join(import.meta.dirname, '..', path), 'utf8')
    assert.ok(written === content, `${path} is out of date; npm run docs writes it`)
  })
}
