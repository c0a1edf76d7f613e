import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteBudget } from './byte-budget.ts'

test('takes up to the bound, refuses whole beyond it, and gives back', () => {
  const budget = createByteBudget(10)
  assert.equal(budget.take(7), true)
  assert.equal(budget.take(4), false)
  assert.equal(budget.taken, 7)
  assert.equal(budget.take(3), true)
  budget.give(10)
  assert.equal(budget.taken, 0)
})
