import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Candidate } from '../../protocol/events/event-batch.ts'
import { sensorHeartbeatKind } from '../../protocol/events/event-schema.ts'
import { builtInVocabularies } from '../../protocol/vocabularies.ts'
import { judgeBatch } from './judge-batch.ts'

const ids = Array.from({ length: 4 }, (_, place) => `018f3a2b-7c1d-7e20-9a4b-00000000000${place}`)
const principal = { tokenId: 't-1', workspaceId: 'acme', lineageId: 'l-1', scopes: [], expiresAt: null }

function judge(values: readonly object[]) {
  const candidates = values.map((value): Candidate => ({ ok: true, value }))
  const rules = { vocabularies: builtInVocabularies, scrub: (text: string) => text }
  const work = judgeBatch(candidates, { principal, requestId: 'r-1', now: 1000, rules })
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

it('keeps events, their audit rows and heartbeats apart, and has a verdict on each in order', () => {
  const { verdicts, records, heartbeats } = judge([
    { kind: sensorHeartbeatKind, eventId: ids[0], sensorId: 's-1', policyState: 'fresh', odd: 1 },
    { kind: 'note_of_a_sensor', eventId: ids[1] },
    { kind: 'note_of_a_sensor', eventId: ids[2]?.toUpperCase(), occurredAt: 'yesterday' },
    { kind: 'tool_call_enforcement', eventId: ids[3], action: 'block', mcpToolName: 'read' }
  ])
  assert.deepEqual(
    verdicts.map(({ ok, eventId }) => [ok, eventId]),
    [true, true, false, true].map((ok, place) => [ok, ids[place]])
  )
  assert.deepEqual(
    records.events.map(({ eventId }) => eventId),
    [ids[1], ids[3]]
  )
  assert.deepEqual(
    records.audit.map(({ action, eventIndex }) => [action, eventIndex]),
    [['tool_call_enforcement', 1]]
  )
  assert.deepEqual(
    heartbeats.map(({ sensorId }) => sensorId),
    ['s-1']
  )
  const [first] = verdicts
  assert.ok(first?.ok && first.isHeartbeat === true)
  assert.match(first.warnings.join(), /odd/)
})
