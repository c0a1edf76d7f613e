import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createByteBudget, reservedOf } from './byte-budget.ts'

test('takes bytes up to the limit, refuses a request over it as a whole, and takes bytes back', () => {
  const budget = createByteBudget(10)
  assert.equal(budget.take(7), true)
  assert.equal(budget.take(4), false)
  assert.equal(budget.taken, 7)
  assert.equal(budget.take(3), true)
  budget.give(10)
  assert.equal(budget.taken, 0)
})

test('the reserve is only for those who hold little', () => {
  const budget = createByteBudget(100, 40)
  assert.equal(budget.take(60, 'greedy'), true)
  assert.equal(budget.take(1, 'greedy'), false)
  assert.equal(budget.take(11, 'modest'), false, 'more than a quarter of it')
  assert.equal(budget.take(10, 'modest'), true)
  assert.equal(budget.take(1, 'modest'), false)
  for (const holder of ['b', 'c', 'd']) assert.equal(budget.take(10, holder), true, holder)
  assert.equal(budget.take(1, 'e'), false, 'the bound of all')
  budget.give(10, 'modest')
  assert.equal(budget.take(1, 'greedy'), false)
  assert.equal(budget.take(10, 'modest'), true)
  budget.give(60, 'greedy')
  assert.equal(budget.take(20, 'greedy'), true)
  assert.equal(budget.taken, 60)
})

test('the largest bodies always fit, however much is reserved', () => {
  const bounds = { bodyBytesMax: 32, inflatedBytesMax: 32 }
  assert.equal(reservedOf(512, bounds), 128)
  assert.equal(reservedOf(150, bounds), 22)
  assert.equal(reservedOf(64, bounds), 0)
})
