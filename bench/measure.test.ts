import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latencyOf, median, quantile } from './measure.ts'

test('quantiles follow the nearest-rank definition', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1)
  assert.equal(quantile(hundred, 0.5), 50)
  assert.equal(quantile(hundred, 0.99), 99)
  assert.equal(quantile(hundred, 1), 100)
  assert.equal(quantile([4], 0.01), 4)
})

test('latency sorts samples numerically, and is NaN without any', () => {
  assert.deepEqual(latencyOf([10, 9, 100]), { count: 3, p50Ms: 10, p99Ms: 100, maxMs: 100 })
  assert.equal(latencyOf([]).count, 0)
})

test('the median of an even count lies between the two middle values', () => {
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
})
