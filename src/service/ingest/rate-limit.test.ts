import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createRateLimit } from './rate-limit.ts'

it("grants two seconds' worth of events at once, then an even rate", () => {
  let now = 0
  const rate = createRateLimit(100, () => now)
  for (let n = 0; n < 200; n++) assert.equal(rate.take('a', 1), 0)
  assert.ok(rate.take('a', 1) > 0)
  now += 10
  assert.equal(rate.take('a', 1), 0)
  assert.ok(rate.take('a', 1) > 0)
  now += 60_000
  for (let n = 0; n < 200; n++) assert.equal(rate.take('a', 1), 0)
  assert.ok(rate.take('a', 1) > 0, 'more than two seconds were saved up')
})

it('grants a batch as a whole, and lets the excess be paid off', () => {
  let now = 0
  const rate = createRateLimit(100, () => now)
  assert.equal(rate.take('a', 500), 0)
  assert.equal(rate.take('a', 0), 3_000)
  now += 3_000
  assert.ok(rate.take('a', 1) > 0)
  now += 10
  assert.equal(rate.take('a', 1), 0)
})

it('counts each sender separately, and may be switched off', () => {
  const rate = createRateLimit(1, () => 0)
  assert.equal(rate.take('a', 2), 0)
  assert.ok(rate.take('a', 1) > 0)
  assert.equal(rate.take('b', 1), 0)
  const off = createRateLimit(0, () => 0)
  for (let n = 0; n < 10; n++) assert.equal(off.take('a', 1_000_000), 0)
})

it('evicts the sender idle for longest if there are too many', () => {
  const rate = createRateLimit(1, () => 0)
  rate.take('first', 2)
  rate.take('busy', 2)
  for (let n = 0; n < 10_001; n++) {
    rate.take(`other ${n}`, 1)
    assert.ok(rate.take('busy', 1) > 0)
  }
  assert.equal(rate.take('first', 1), 0)
})
