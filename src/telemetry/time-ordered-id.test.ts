import assert from 'node:assert/strict'
import { it } from 'node:test'
import { timeOrderedId } from './time-ordered-id.ts'

it('creates UUIDs of version 7 that begin with the time and never repeat', () => {
  const before = Date.now()
  const ids = Array.from({ length: 2000 }, timeOrderedId)
  const after = Date.now()
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    assert.ok(time >= before && time <= after)
  }
})
