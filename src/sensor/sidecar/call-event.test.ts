import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownKinds } from '../../protocol/events/own-kinds.ts'
import { openRecord } from '../../ingress/headers/labels.ts'
import type { CallOutcome } from '../../telemetry/report.ts'
import { callEvent } from './call-event.ts'

const route = { route: '/v1/messages', method: 'POST', dialect: 'messages', upstream: 'messages' } as const
const record = openRecord('r1', { tokenId: 't1', workspaceId: 'w1' }, route)

test("the kinds of a sidecar's call events are reserved ones, which no sender can crowd out", () => {
  const outcomes: CallOutcome[] = ['blocked', 'refused', 'upstream_failed']
  const kinds = outcomes.map((outcome) => callEvent({ ...record, outcome })?.kind ?? 'none')
  assert.equal(new Set(kinds).size, outcomes.length)
  for (const kind of kinds) assert.ok(ownKinds.has(kind), kind)
})

test('a call that the service answered, or that its client or the sidecar left, is for the service to record', () => {
  assert.equal(callEvent({ ...record, outcome: 'upstream_failed', upstreamStatus: 502 }), undefined)
  assert.equal(callEvent({ ...record, outcome: 'refused', errorCode: 'draining' }), undefined)
  for (const outcome of ['forwarded', 'abandoned'] as const) assert.equal(callEvent({ ...record, outcome }), undefined)
})

test('what is known of a blocked call is in its event, and what is unknown is absent', () => {
  const unknown = callEvent({ ...record, outcome: 'blocked' })
  const facts = { modelId: 'gpt-7', policyRevision: '1-00ff', traceId: 'ab'.repeat(16) }
  const known = callEvent({ ...record, ...facts, errorCode: 'high_risk_content_blocked', outcome: 'blocked' })
  assert.deepEqual(known, { ...unknown, ...facts, reasonCode: 'high_risk_content_blocked' })
  assert.partialDeepStrictEqual(unknown, { action: 'block', requestId: 'r1', entitiesMasked: 0 })
  for (const name of ['modelId', 'policyRevision', 'reasonCode', 'traceId'])
    assert.ok(unknown && !(name in unknown), name)
})
