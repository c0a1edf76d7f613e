import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createScanner } from '../../detection/scanner.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { readRedactionProfile, readToolPolicy } from '../../policy/revision.ts'
import { compileToolPolicy } from '../../policy/tools/decide.ts'
import type { EventQuery, Page, StoredEvent } from '../../store/store.ts'
import { dryRun, lookedAtMax, replayed, type Draft } from './dry-run.ts'

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

test('a replay ends after a limited number of events, even if none of them can be replayed', async () => {
  let read = 0
  // More of them than any disk holds.
  const findEvents = async ({ limit }: EventQuery): Promise<Page<StoredEvent>> => {
    read += limit
    assert.ok(read <= lookedAtMax + 2 * limit, 'the replay goes on and on')
    return { rows: Array.from({ length: limit }, () => heartbeat), next: 'more' }
  }
  const report = await dryRun({ findEvents }, { workspaceId: 'acme', from: 0, to: 1 }, draft, async () => draft)
  assert.deepEqual([report.isCut, report.events], [true, 0])
})

test('a call is judged by the rules of the server that it went to, if the event names it', async () => {
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
  const range = { workspaceId: 'acme', from: 0, to: 1 }
  const report = await dryRun({ findEvents }, range, { ...draft, tools }, async () => draft)
  assert.deepEqual([report.events, report.unchanged, report.changes[0]?.wouldBe], [3, 2, 'block'])
})

describe('a model call', () => {
  const kinds = createScanner().kinds
  const policyOf = (profile: object = {}): Draft => ({
    ...draft,
    profile: compileProfile(readRedactionProfile({ version: 1, ...profile }), { blockHighRisk: true }),
    kinds
  })
  const callOf = (action: string, acted: readonly string[], passed: readonly string[] = []): StoredEvent => ({
    ...heartbeat,
    kind: 'ingress_proxy',
    origin: 'service',
    sensorMetadata: {
      action,
      entityCounts: Object.fromEntries(acted.map((kind) => [kind, 1])),
      passedCounts: Object.fromEntries(passed.map((kind) => [kind, 1]))
    }
  })
  const [mail, phone, key] = ['email_address', 'phone_number', 'aws_access_key_id']
  const wouldBe = (event: StoredEvent, then: Draft, now: Draft) => replayed(event, now, then)?.wouldBe
  const mildOnContact = policyOf({ actions: { groups: { contact: 'allow' } } })
  const strictOnContact = policyOf({ actions: { groups: { contact: 'block' } } })

  test('keeps its outcome under a policy that says the same, wherever its values were', () => {
    const agents = policyOf({ preset: 'coding-agents' })
    // In metadata, where an address passes; brought by a tool, where an agent's key is masked; found without certainty.
    assert.equal(wouldBe(callOf('allow', [], [mail]), policyOf(), policyOf()), 'allow')
    assert.equal(wouldBe(callOf('mask', [key]), agents, agents), 'mask')
    assert.equal(wouldBe(callOf('mask', [mail], [key]), policyOf(), policyOf()), 'mask')
    assert.equal(wouldBe(callOf('block', [mail, key]), policyOf(), policyOf()), 'block')
    // In a system prompt, where texts of users are only watched; a kind that no policy has any more.
    const watching = policyOf({ scopes: { user: 'watched' } })
    assert.equal(wouldBe(callOf('mask', [mail]), watching, watching), 'mask')
    assert.equal(wouldBe(callOf('mask', ['gone_kind']), policyOf(), policyOf()), 'mask')
  })

  test('changes its outcome by the kinds for which the draft differs, and by no others', () => {
    assert.equal(wouldBe(callOf('mask', [mail]), policyOf(), strictOnContact), 'block')
    assert.equal(wouldBe(callOf('mask', [mail]), policyOf(), mildOnContact), 'allow')
    assert.equal(wouldBe(callOf('allow', [], [mail]), mildOnContact, policyOf()), 'mask')
    // The key was masked because of its place and still is; what was masked beside it is not.
    const agents = policyOf({ preset: 'coding-agents' })
    const milder = policyOf({ preset: 'coding-agents', actions: { kinds: { [mail]: 'allow' } } })
    assert.equal(wouldBe(callOf('mask', [mail, key]), agents, milder), 'mask')
    assert.equal(wouldBe(callOf('mask', [mail], [key]), agents, milder), 'allow')
    assert.equal(wouldBe(callOf('mask', [mail, phone], [phone]), policyOf(), mildOnContact), 'allow')
  })

  test('is judged only by what was recorded if its policy is not known', () => {
    assert.equal(replayed(callOf('allow', [], [mail]), policyOf())?.wouldBe, 'mask')
  })

  test('is compared with the policy that it names', async () => {
    const rows = [
      { ...callOf('allow', [], [mail]), policyRevision: 'mild' },
      { ...callOf('allow', [], [mail]), policyRevision: 'usual' }
    ]
    const findEvents = async (): Promise<Page<StoredEvent>> => ({ rows, next: null })
    const then = async (revision: string | null) => (revision === 'mild' ? mildOnContact : policyOf())
    const report = await dryRun({ findEvents }, { workspaceId: 'acme', from: 0, to: 1 }, policyOf(), then)
    assert.deepEqual([report.unchanged, report.changes.map((change) => change.wouldBe)], [1, ['mask']])
  })
})

test('a tool call keeps its outcome if the rules that leave something open are the same', () => {
  const rule = { id: 'ask', effect: 'ask', tool: 'push', when: [{ argument: '/force', exists: true }] }
  const tools = compileToolPolicy(readToolPolicy({ version: 1, rules: [rule] }))
  const event: StoredEvent = {
    ...heartbeat,
    kind: 'tool_call_enforcement',
    sensorMetadata: { action: 'block', mcpToolName: 'push' }
  }
  assert.equal(replayed(event, { ...draft, tools }, { ...draft, tools })?.wouldBe, 'block')
  const denied = compileToolPolicy(readToolPolicy({ version: 1, defaultEffect: 'deny' }))
  assert.equal(replayed(event, draft, { ...draft, tools: denied })?.wouldBe, 'allow')
})
