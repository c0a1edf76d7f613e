import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aboutMs, atLeastMs, fullJitterMs, retryAfterMs, retryMs } from './backoff.ts'

const limits = { backoffMinMs: 1000, backoffMaxMs: 30_000 }

test('the upper limit of a wait doubles up to its maximum, and a wait is anywhere below it', () => {
  const bounds = [0, 1, 2, 3, 4, 5, 6, 1000].map((failures) => fullJitterMs(failures, limits, () => 1))
  assert.deepEqual(bounds, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  assert.equal(
    fullJitterMs(3, limits, () => 0),
    0
  )
})

test('a retry waits as long as the server asked, and jitter beyond', () => {
  assert.equal(
    retryMs(1, limits, 10_000, () => 0),
    10_000
  )
  assert.equal(
    retryMs(1, limits, 10_000, () => 1),
    12_000
  )
  assert.equal(
    retryMs(1, limits, undefined, () => 1),
    2000
  )
})

test('jitter varies around the requested time', () => {
  assert.deepEqual(
    [0, 1].map((value) => atLeastMs(3000, () => value)),
    [3000, 4500]
  )
  assert.deepEqual(
    [0, 1].map((value) => aboutMs(20_000, () => value)),
    [15_000, 25_000]
  )
})

test('Retry-After is read in seconds and as a date, and limited', () => {
  const now = Date.UTC(2026, 0, 1)
  assert.equal(retryAfterMs('7', now), 7000)
  assert.equal(retryAfterMs('Thu, 01 Jan 2026 00:00:20 GMT', now), 20_000)
  assert.equal(retryAfterMs('Thu, 01 Jan 2015 00:00:00 GMT', now), 0)
  assert.equal(retryAfterMs('99999999999999999999', now), 300_000)
  for (const value of [undefined, '', 'soon', '-1s']) assert.equal(retryAfterMs(value, now), undefined)
})
