import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { keptMax, nothing, reduce, type Act, type Held } from './live-rows.ts'

const event = (sequence: number): EventBody => ({
  sequence,
  eventId: `e${sequence}`,
  kind: 'ingress_proxy',
  origin: 'service',
  requestId: null,
  tokenId: null,
  occurredAt: '2027-01-31T12:00:00Z',
  receivedAt: '2027-01-31T12:00:00Z',
  policyRevision: null,
  sensorMetadata: {}
})

const came = (...sequences: number[]): Act => ({ is: 'came', events: sequences.map(event) })
const after = (...acts: Act[]): Held => acts.reduce(reduce, nothing)
const shown = ({ shown }: Held): number[] => shown.map(({ sequence }) => sequence)

test('the newest event is first, and a repeated event is shown once', () => {
  assert.deepEqual(shown(after(came(1), came(3, 2), came(3))), [3, 2, 1])
})

test('a paused view does not change, and continues with everything that waited', () => {
  const paused = after(came(1), { is: 'toggled' }, came(2), came(3))
  assert.deepEqual(shown(paused), [1])
  assert.equal(paused.waiting.length, 2)
  const on = reduce(paused, { is: 'toggled' })
  assert.deepEqual(shown(on), [3, 2, 1])
  assert.equal(on.waiting.length, 0)
})

test('the number of rows is limited, as is that of waiting events, whose surplus is counted', () => {
  const many = Array.from({ length: keptMax + 20 }, (_, place) => place + 1)
  assert.equal(after(came(...many)).shown.length, keptMax)
  const paused = after({ is: 'toggled' }, came(...many))
  assert.deepEqual([paused.shown.length, paused.waiting.length, paused.lost], [0, keptMax, 20])
  assert.equal(shown(reduce(paused, { is: 'toggled' }))[0], keptMax + 20)
})

test('changing the filters starts over and keeps a pause', () => {
  const anew = after(came(1), { is: 'toggled' }, came(2), { is: 'started' })
  assert.deepEqual([anew.shown.length, anew.waiting.length, anew.isPaused], [0, 0, true])
})
