import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesOf, groups, pathOf } from './groups.ts'

test('a test file is in at most one group, and each group has the file that runs it', () => {
  const files = groups.flatMap(filesOf)
  assert.deepEqual(files.filter((path, index) => files.indexOf(path) !== index), []) // prettier-ignore
  for (const group of groups) {
    assert.ok(filesOf(group).length > 1, `${group} has files to share a process`)
    const text = readFileSync(join(import.meta.dirname, '../..', pathOf(group)), 'utf8')
    assert.ok(text.includes(`together('${group}')`), pathOf(group))
  }
})
