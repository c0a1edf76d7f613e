import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCount } from './count-kinds.ts'

test('counts by name, even one that every object inherits', () => {
  const counts: Record<string, number> = {}
  for (const name of ['email', 'constructor', 'email', 'constructor']) addCount(counts, name)
  addCount(counts, 'constructor', 5)
  assert.deepEqual(Object.entries(counts), [
    ['email', 2],
    ['constructor', 7]
  ])
})
