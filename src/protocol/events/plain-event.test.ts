import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { eventSchema } from './event-schema.ts'
import { specifiedEvent } from './event.fixture.ts'
import { readPlainEvent } from './plain-event.ts'

const full = {
  ...specifiedEvent,
  eventId: '0b8f7a52-3c1d-4e5f-9a6b-7c8d9e0f1a2b',
  requestId: '0B8F7A52-3c1d-4e5f-9a6b-7c8d9e0f1a2b',
  traceId: '0af7651916cd43dd8448eb211c80319C',
  occurredAt: '2026-12-31T23:59:59.123456Z',
  sensorId: 's-1',
  sensorVersion: '1.2.3',
  policyRevision: '7-0123456789abcdef',
  ruleId: 'r',
  reasonCode: 'denied_by_rule',
  entityCounts: { email: 2, iban: 0 },
  decisionMs: 0.25,
  durationMs: 86_400_000,
  dropped: 0
}
const fields = Object.keys(full) as (keyof typeof full)[]

/** Values at the limits of some field, just beyond them, and of every other type. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    ...[true, {}, [], '', ' ', '\0', '\u0085', '\ud800', 'é', '0', -0, -1, 0.5, 1e9, 1e9 + 1, 86_400_001, 2 ** 53],
    ...[Number.NaN, Infinity, { email: -1 }, { Email: 1 }, { email: 1.5 }, { email: null }, [1]],
    ...['2026-02-29T00:00:00Z', '2024-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-06-30T24:00:00Z'],
    ...['2026-06-30T23:59:60Z', '2026-06-30T23:59Z', '2026-06-30T23:59:59+01:00', '2026-00-10T00:00:00Z'],
    ...['none', 'medium', 'mask', 'allow', 'ALLOW', 'a_1', '1a']
  ),
  fc.constantFrom(48, 49, 64, 65, 80, 81, 128, 129, 256, 257).map((length) => 'a'.repeat(length)),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map((date) => date.toISOString()),
  fc
    .integer({ min: 60, max: 68 })
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))),
  fc.string({ unit: 'binary' }),
  fc.jsonValue()
)

describe('the fast path for events', () => {
  it('accepts an event with every field unchanged, in the order of the schema', () => {
    const backwards = Object.fromEntries(Object.entries(full).toReversed())
    const event = readPlainEvent(backwards, {})
    assert.deepEqual(event, full)
    assert.deepEqual(Object.keys(event ?? {}), Object.keys(eventSchema.parse(full)))
  })

  it('takes missing fields from the headers, and drops unknown ones', () => {
    const event = readPlainEvent({ kind: 'a', modelId: null, constructor: 1 }, { modelId: 'm', clientSurface: 'codex' })
    assert.deepEqual(event, { kind: 'a', modelId: 'm', clientSurface: 'codex' })
  })

  it('is never laxer than the schema, and gives the same result', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.constantFrom(...fields), odd, fc.boolean(), (field, value, alone) => {
        const body = { ...(alone ? { kind: 'a' } : full), [field]: value }
        const event = readPlainEvent(body, {})
        if (event === undefined) return
        taken++
        const known = Object.fromEntries(Object.entries(body).filter(([, each]) => each !== null))
        assert.deepEqual(event, eventSchema.parse(known))
      }),
      { numRuns: 3000 }
    )
    assert.ok(taken > 100, `only ${taken} events were taken`)
  })
})
