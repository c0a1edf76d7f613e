import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Freshness, wallAgeMs } from './freshness.ts'

const limits = { freshMs: 45, staleAgeMaxMs: 1000 }

test('a policy is fresh while confirmed, then stale, then expired, and fresh again once confirmed', () => {
  let nowMs = 5000
  const freshness = new Freshness(limits, () => nowMs)
  assert.deepEqual([freshness.state, freshness.changesInMs], ['unresolved', undefined])
  freshness.confirm()
  assert.deepEqual([freshness.state, freshness.ageMs, freshness.changesInMs], ['fresh', 0, 45])
  nowMs += 46
  assert.deepEqual([freshness.state, freshness.changesInMs], ['stale', 954])
  nowMs += 955
  assert.deepEqual([freshness.state, freshness.changesInMs], ['expired', undefined])
  freshness.confirm()
  assert.equal(freshness.state, 'fresh')
})

test('a policy from a file is never fresh, however recent, and continues to age', () => {
  let nowMs = 10
  const freshness = new Freshness(limits, () => nowMs)
  freshness.restore(0)
  assert.equal(freshness.state, 'stale')
  freshness.restore(990)
  nowMs += 11
  assert.equal(freshness.state, 'expired')
  freshness.confirm()
  assert.equal(freshness.state, 'fresh')
  freshness.doubt()
  assert.equal(freshness.state, 'stale')
})

test('without a maximum age nothing expires', () => {
  const freshness = new Freshness({ ...limits, staleAgeMaxMs: Number.POSITIVE_INFINITY }, () => 0)
  freshness.restore(1e15)
  assert.deepEqual([freshness.state, freshness.changesInMs], ['stale', undefined])
})

test('a clock that was set back makes no age negative', () => {
  assert.equal(wallAgeMs(1000, 1500), 500)
  assert.equal(wallAgeMs(1000, 400), 0)
})
