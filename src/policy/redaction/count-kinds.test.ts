import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCount } from './count-kinds.ts'

test('counts by name, also by one that every object has', () => {
  const counts: Record<string, number> = {}
  for (const name of ['email', 'constructor', 'email', 'constructor']) addCount(counts, name)
  addCount(counts, 'constructor', 5)
  assert.deepEqual(Object.entries(counts), [
    ['email', 2],
    ['constructor', 7]
  ])
})
