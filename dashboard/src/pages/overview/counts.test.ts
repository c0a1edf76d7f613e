import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeriesPoint } from '../../../../src/protocol/api/reading-schema.ts'
import { findChanges, type Dimension } from './changes.ts'
import { blockRate, byValue, quantile, sayParts, tally } from './tally.ts'

const point = (fields: Partial<SeriesPoint>): SeriesPoint => ({
  at: '2027-01-31T12:00:00Z',
  value: '',
  kind: 'ingress_proxy',
  action: 'allow',
  events: 1,
  entitiesMasked: 0,
  ...fields
})

test('a tally counts calls, decisions of all kinds, and entities', () => {
  const counts = tally([
    point({ action: 'mask', events: 3, entitiesMasked: 7 }),
    point({ action: 'block', events: 1 }),
    point({ action: '', events: 2 }),
    point({ kind: 'tool_call_enforcement', action: 'block', events: 4 }),
    point({ kind: 'deploy_checked', action: 'allow', events: 1 })
  ])
  const judged = { block: 5, mask: 3, allow: 1, judged: 9, judgedCalls: 4, judgedTools: 4 }
  assert.deepEqual(counts, { calls: 6, ...judged, entitiesMasked: 7 })
  assert.equal(sayParts(counts), '4 model calls, 4 tool calls, 1 other, 2 more without a decision')
  assert.equal(sayParts(tally([point({})])), '1 model call')
  assert.equal(blockRate(counts), 5 / 9)
  assert.equal(blockRate(tally([])), null)
})

test('values are in the order of their events', () => {
  const values = byValue([
    point({ value: 'a' }),
    point({ value: 'b', events: 3 }),
    point({ value: 'a', action: 'block' })
  ])
  assert.deepEqual(
    values.map(({ value, events, block }) => [value, events, block]),
    [
      ['b', 3, 0],
      ['a', 2, 1]
    ]
  )
})

test('a quantile is the upper bound of the bucket that contains it', () => {
  const times = [
    point({ value: '1', events: 50 }),
    point({ value: '0.25', events: 45 }),
    point({ value: 'inf', events: 5 })
  ]
  assert.equal(quantile(times, 0.45), 0.25)
  assert.equal(quantile(times, 0.5), 1)
  assert.equal(quantile(times, 0.95), 1)
  assert.equal(quantile(times, 0.96), Infinity)
  assert.equal(quantile([], 0.5), null)
})

const dimension = (now: SeriesPoint[], before: SeriesPoint[]): Dimension => ({
  filter: 'modelId',
  noun: 'model',
  now: byValue(now),
  before: byValue(before)
})

const changes = (now: SeriesPoint[], before: SeriesPoint[]) =>
  findChanges(tally(now), tally(before), [dimension(now, before)]).map(({ text }) => text)

test('changes list what moved and what is new, and nothing due to chance', () => {
  const before = [point({ value: 'm1', events: 900 }), point({ value: 'm1', action: 'block', events: 4 })]
  const now = [
    point({ value: 'm1', events: 900 }),
    point({ value: 'm1', action: 'block', events: 40 }),
    point({ value: 'm2', events: 12 }),
    point({ value: 'unknown', events: 9 })
  ]
  const found = changes(now, before)
  assert.deepEqual(found.toSorted(), [
    'Block rate: 4.2 %, was 0.4 %',
    'Blocked: 40, up from 4',
    'More blocks of model m1: 40, was 4',
    'New model: m2 (12)'
  ])
  assert.deepEqual(changes(before, before), [])
  assert.deepEqual(changes([point({ value: 'm1', events: 903 })], [point({ value: 'm1', events: 900 })]), [])
  assert.deepEqual(changes(now, []), [], 'without a range before nothing has changed')
})
