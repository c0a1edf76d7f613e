/** The example company: its people, its tokens, its policy and two days of its records. */
import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { sessionBody } from '../../src/protocol/api/session-schema.ts'
import { signInAsAdmin } from '../../test/support/dashboard-user.ts'
import { writeDemoRecords } from '../../test/support/demo-service.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import type { TestService } from '../../test/support/start-service.ts'
import { makeSensorWords, makeSignsOfLife } from './demo-sensors.ts'

const people = [
  { name: 'grace', role: 'editor' },
  { name: 'linus', role: 'analyst' },
  { name: 'barbara', role: 'viewer' }
] as const

const tokens = [
  { label: 'laptops of the platform team' },
  { label: 'build servers', scopes: ['ingress:write', 'events:write'] },
  { label: 'tool gateways', scopes: ['events:write', 'policy:read'] },
  { label: 'SIEM export', scopes: ['audit:read'] }
] as const

const toolServers = [{ id: 'wiki', url: 'https://wiki.corp.example/mcp' }]

const toolRules = [
  { id: 'no-deletes', effect: 'deny', tool: 'delete_*', reason: 'Agents do not delete branches or data.' },
  { id: 'ask-before-sql', effect: 'ask', tool: 'query_database', reason: 'A person looks at each query.' }
]

/** @returns the request ID of a tool call, whose story has two chapters */
export async function setScene(service: TestService, context: BrowserContext): Promise<{ readonly requestId: string }> {
  await signInAsAdmin(context, service.running)
  const api = await asAdmin(context, service.url)
  for (const data of people) await api('POST', '/api/users', data)
  for (const data of tokens) await api('POST', '/api/tokens', data)
  const policy = await (await context.request.get(`${service.url}/api/workspace/policy`)).json()
  const { mcpToolPolicy, redactionProfile } = policy as { mcpToolPolicy: object; redactionProfile: object }
  await api('PUT', '/api/workspace/policy', {
    redactionProfile: { ...redactionProfile, preset: 'coding-agents', deny: ['Project Halyard'] },
    mcpToolPolicy: { ...mcpToolPolicy, defaultEffect: 'allow', servers: toolServers, rules: toolRules },
    note: 'Coding agents continue after a finding; no tool may delete'
  })
  const listed = await service.running.store.listTokens({ workspaceId: defaultWorkspaceId, limit: 100 })
  const { events } = await writeDemoRecords(service, listed.find(({ label }) => label === tokens[0].label)?.id)
  await writeSensorWords(service)
  await hideOwnTokens(service)
  const call = events.findLast(
    ({ kind, sensorMetadata }) => kind === 'ingress_proxy' && sensorMetadata['action'] === 'mask'
  )
  const told = events.findLast(({ kind }) => kind === 'tool_call_enforcement') ?? call
  assert.ok(told?.requestId)
  return { requestId: told.requestId }
}

/** Revokes the harness's own tokens, which do not belong to the company; the page hides revoked ones. */
async function hideOwnTokens({ running, revokeToken }: TestService): Promise<void> {
  const tokens = await running.store.listTokens({ workspaceId: defaultWorkspaceId, limit: 100 })
  for (const { id, label } of tokens) if (label === 'end-to-end test') await revokeToken(id)
}

async function writeSensorWords({ running, createToken }: TestService): Promise<void> {
  const { id } = await createToken()
  const [current, before] = await running.store.listPolicyRevisions({ workspaceId: defaultWorkspaceId, limit: 2 })
  assert.ok(current && before)
  const revisions = { current: current.revision, before: before.revision }
  const who = { tokenId: id, lineageId: id }
  const events = makeSensorWords(revisions, who, Date.now())
  await running.store.putSensors(makeSignsOfLife(revisions, who, Date.now()))
  await running.store.append({ events, audit: [] })
}

/** Requests like those of the page itself. */
async function asAdmin(context: BrowserContext, origin: string) {
  const session = sessionBody.parse(await (await context.request.get(`${origin}/api/session`)).json())
  return async (method: string, path: string, data: object): Promise<void> => {
    const headers = { origin, 'x-csrf-token': session.csrfToken ?? '', 'if-match': '*' }
    const answer = await context.request.fetch(`${origin}${path}`, { method, data, headers })
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`)
  }
}
