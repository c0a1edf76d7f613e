import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRowBody, EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { summarize, tellStory } from './story.ts'

const time = (seconds: number, ms = 0): string => new Date(Date.UTC(2027, 0, 31, 12, 0, seconds, ms)).toISOString()

const eventAt = (
  sequence: number,
  seconds: number,
  kind = 'ingress_proxy',
  sensorMetadata: EventBody['sensorMetadata'] = {}
): EventBody => ({
  sequence,
  eventId: `e${sequence}`,
  kind,
  origin: 'service',
  requestId: 'r',
  tokenId: null,
  occurredAt: time(seconds),
  receivedAt: time(seconds + 1),
  policyRevision: null,
  sensorMetadata
})

const rowAt = (sequence: number, at: string, action = 'ingress_proxy'): AuditRowBody => ({
  sequence,
  at,
  requestId: 'r',
  tokenId: null,
  actor: 'service',
  action,
  detail: {}
})

test('each event gets its own audit row, by kind and time', () => {
  const events = [eventAt(2, 10, 'tool_call_enforcement'), eventAt(1, 0), eventAt(3, 20)]
  const rows = [
    rowAt(11, time(1, 3)),
    rowAt(12, time(11), 'tool_call_enforcement'),
    rowAt(13, time(21)),
    rowAt(10, time(0), 'ingress_decision')
  ]
  const story = tellStory(events, rows)
  assert.deepEqual(
    story.map((chapter) => [chapter.key, chapter.is === 'event' ? chapter.audit.map(({ sequence }) => sequence) : '']),
    [
      ['event 1', [11]],
      ['audit 10', ''],
      ['event 2', [12]],
      ['event 3', [13]]
    ]
  )
})

test('two calls with one id at the same moment share no audit row', () => {
  const story = tellStory([eventAt(1, 0), eventAt(2, 0)], [rowAt(11, time(1)), rowAt(12, time(1))])
  assert.deepEqual(
    story.map((chapter) => chapter.is === 'event' && chapter.audit.map(({ sequence }) => sequence)),
    [[11], [12]]
  )
})

test('the sentence says how the call ended', () => {
  const told = (metadata: EventBody['sensorMetadata']) => summarize([eventAt(1, 0, 'ingress_proxy', metadata)])
  assert.equal(
    told({ action: 'block', outcome: 'blocked' }),
    'Blocked: it contains high-risk content and was not forwarded.'
  )
  assert.equal(
    told({ action: 'block', outcome: 'blocked', entityCounts: { jwt: 1, email_address: 3 } }),
    'Blocked: it contains high-risk content (email_address, jwt) and was not forwarded.'
  )
  assert.equal(
    told({ outcome: 'refused', errorCode: 'invalid_json' }),
    'Refused before it was forwarded: invalid json.'
  )
  assert.equal(
    told({ outcome: 'refused', errorCode: 'draining', entitiesMasked: 2 }),
    'Cut off, with 2 masked: the service stopped before the answer was complete.'
  )
  assert.equal(
    told({ action: 'mask', outcome: 'forwarded', entitiesMasked: 2, upstreamStatus: 200 }),
    'Forwarded, with 2 masked. The upstream answered 200.'
  )
  assert.match(told({ outcome: 'upstream_failed' }), /upstream failed/)
  assert.match(summarize([eventAt(1, 0, 'tool_call_enforcement')]), /no model call/)
})

test('the sentence names the tools whose calls were blocked', () => {
  const tool = (sequence: number, action: string, mcpToolName: string) =>
    eventAt(sequence, sequence, 'tool_call_enforcement', { action, mcpToolName })
  const call = eventAt(1, 0, 'ingress_proxy', { action: 'allow', outcome: 'forwarded', upstreamStatus: 200 })
  assert.equal(
    summarize([call, tool(2, 'allow', 'read_file'), tool(3, 'block', 'delete_branch')]),
    'Forwarded. The upstream answered 200. A tool call was blocked: delete_branch.'
  )
  assert.equal(
    summarize([call, tool(2, 'block', 'drop'), tool(3, 'block', 'drop')]),
    'Forwarded. The upstream answered 200. 2 tool calls were blocked: drop.'
  )
})
