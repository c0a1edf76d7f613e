import assert from 'node:assert/strict'
import test from 'node:test'
import { LiteralList } from './literals.ts'

test('counts all elements before a string that it reads', () => {
  const literals = new LiteralList()
  for (const count of [0, 1, 255, 256, 300]) {
    literals.read(`(${','.repeat(count)}"text")`, 1)
    assert.deepEqual([literals.count, literals.place(0), literals.end], [1, count, count + 8])
  }
})
