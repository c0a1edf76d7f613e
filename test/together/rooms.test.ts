import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesOf, pathOf, rooms } from './rooms.ts'

test('a test file is in at most one room, and each room has the file that runs it', () => {
  const files = rooms.flatMap(filesOf)
  assert.deepEqual(files.filter((path, index) => files.indexOf(path) !== index), []) // prettier-ignore
  for (const room of rooms) {
    assert.ok(filesOf(room).length > 1, `${room} has files to share a process`)
    const text = readFileSync(join(import.meta.dirname, '../..', pathOf(room)), 'utf8')
    assert.ok(text.includes(`together('${room}')`), pathOf(room))
  }
})
