import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScanner } from '../../detection/scanner.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { readRedactionProfile, readToolPolicy } from '../../policy/revision.ts'
import { compileToolPolicy } from '../../policy/tools/decide.ts'
import type { EventQuery, Page, StoredEvent } from '../../store/store.ts'
import { dryRun, lookedAtMax } from './dry-run.ts'

const draft = {
  profile: compileProfile(readRedactionProfile({ version: 1 }), { blockHighRisk: true }),
  tools: compileToolPolicy(readToolPolicy({ version: 1 })),
  kinds: createScanner({ detectors: [] }).kinds
}

const heartbeat: StoredEvent = {
  sequence: 1,
  eventId: '00000000-0000-4000-8000-000000000000',
  workspaceId: 'acme',
  requestId: null,
  tokenId: null,
  lineageId: null,
  kind: 'heartbeat',
  origin: 'sensor',
  occurredAt: 0,
  receivedAt: 0,
  policyRevision: null,
  sensorMetadata: {}
}

test('a replay ends after a bounded number of events, also where none of them can be replayed', async () => {
  let read = 0
  // More of them than any disk holds.
  const findEvents = async ({ limit }: EventQuery): Promise<Page<StoredEvent>> => {
    read += limit
    assert.ok(read <= lookedAtMax + 2 * limit, 'the replay goes on and on')
    return { rows: Array.from({ length: limit }, () => heartbeat), next: 'more' }
  }
  const report = await dryRun({ findEvents }, { workspaceId: 'acme', from: 0, to: 1 }, draft)
  assert.deepEqual([report.isCut, report.events], [true, 0])
})

test('a call is judged by the rules of the server that it went to, where the event names it', async () => {
  const tools = compileToolPolicy(
    readToolPolicy({
      version: 1,
      servers: [{ id: 'files', command: ['files'] }],
      rules: [{ id: 'no', effect: 'deny', server: 'files' }]
    })
  )
  const callOf = (more: object): StoredEvent => ({
    ...heartbeat,
    kind: 'tool_call_enforcement',
    sensorMetadata: { action: 'allow', mcpToolName: 'read', ...more }
  })
  const rows = [callOf({ mcpServer: 'files' }), callOf({ mcpServer: 'unknown' }), callOf({})]
  const findEvents = async (): Promise<Page<StoredEvent>> => ({ rows, next: null })
  const report = await dryRun({ findEvents }, { workspaceId: 'acme', from: 0, to: 1 }, { ...draft, tools })
  assert.deepEqual([report.events, report.unchanged, report.changes[0]?.wouldBe], [3, 2, 'block'])
})
