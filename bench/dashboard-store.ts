/**
 * The store of a large fleet for `bench/dashboard.ts`: a month of calls and of tool calls, 500 sensors, 200 revisions of a
 * policy with 200 rules. It takes minutes to fill, so a folder that is named keeps it for the next run.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { timeOrderedId } from '../src/telemetry/time-ordered-id.ts'
import { defaultWorkspaceId } from '../src/service/workspaces.ts'
import { openStore } from '../src/store/sqlite.ts'
import type { AppendBatch, AuditEntry, JsonObject, WorkspaceEvent } from '../src/store/store.ts'
import type { TestService } from '../test/support/start-service.ts'
import { fleetEvent, fleetToolCall } from './fleet-events.ts'
import { createRandom, type Random } from './random.ts'

export const sensorCount = 500
export const revisionCount = 200
const ruleCount = 200
const days = 30
const dayMs = 86_400_000
const batchRows = 5000
const batchesUnderWay = 3
/** One call of a tool for so many calls of a model. */
const callsPerToolCall = 4
/** One row of the audit for so many events: chained rows cost several times an event, and no page reads more than its newest. */
const eventsPerAuditRow = 10

const workspaceId = defaultWorkspaceId

/** How many events a kept folder holds; undefined where it holds none, or was left half full. */
export function eventsKept(folder: string): number | undefined {
  const file = markFile(folder)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { events: number }).events : undefined
}

/** Says that a folder is full, so that the next run takes it as it is. */
export function markKept(folder: string, events: number): void {
  writeFileSync(markFile(folder), `${JSON.stringify({ events })}\n`)
}

const markFile = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  return join(folder, 'bench-filled.json')
}

/** Loads the month through the engine's own append, before a service begins to work on the folder. */
export async function loadEvents(folder: string, total: number): Promise<void> {
  await using store = await openStore({ dataDir: folder })
  const actor = 'bench'
  const startedAt = performance.now()
  const now = Date.now()
  await store.ensureWorkspace(
    { id: workspaceId, name: 'Default', createdAt: now - days * dayMs },
    {
      workspaceId,
      at: now - days * dayMs,
      requestId: null,
      tokenId: null,
      actor,
      action: 'workspace_created',
      detail: {}
    }
  )
  const random = createRandom(7)
  let next = 0
  let done = 0
  const sender = async (): Promise<void> => {
    while (next < total) {
      const first = next
      const end = Math.min(first + batchRows, total)
      next = end
      await store.append(batchOf(random, { first, end, total, now }))
      const before = done
      done += end - first
      if (Math.floor((done * 20) / total) === Math.floor((before * 20) / total)) continue
      const perSecond = Math.round(done / ((performance.now() - startedAt) / 1000))
      console.log(`  ${done.toLocaleString('en')} events, ${perSecond.toLocaleString('en')}/s`)
    }
  }
  await Promise.all(Array.from({ length: batchesUnderWay }, sender))
}

function batchOf(
  random: Random,
  at: { readonly first: number; readonly end: number; readonly total: number; readonly now: number }
): AppendBatch {
  const events: WorkspaceEvent[] = []
  const audit: AuditEntry[] = []
  for (let place = at.first; place < at.end; place++) {
    const receivedAt = at.now - Math.floor((1 - place / at.total) * days * dayMs)
    const make = place % (callsPerToolCall + 1) === 0 ? fleetToolCall : fleetEvent
    const event = make(random, { workspaceId, receivedAt })
    if (random.below(eventsPerAuditRow) === 0) audit.push(auditRowOf(event, events.length))
    events.push(event)
  }
  return { events, audit }
}

const auditRowOf = (event: WorkspaceEvent, eventIndex: number): AuditEntry => ({
  workspaceId,
  at: event.receivedAt,
  requestId: event.requestId,
  tokenId: event.tokenId,
  actor: `token:${event.tokenId}`,
  action: event.kind,
  detail: event.sensorMetadata,
  eventIndex
})

/** Publishes the revisions through the API, as somebody would in a year of small changes. */
export async function publishRevisions(service: TestService): Promise<void> {
  const { token } = await service.createToken({ scopes: ['policy:read', 'policy:write', 'admin'] })
  const headers = { 'x-service-workspace-token': token, 'content-type': 'application/json', 'if-match': '*' }
  const address = `${service.url}/api/workspace/policy`
  const current = (await (await fetch(address, { headers })).json()) as Record<string, JsonObject>
  for (let revision = 0; revision < revisionCount; revision++) {
    const rules = Array.from({ length: ruleCount }, (_, place) => ({
      id: `rule-${place}`,
      effect: place % 3 === 0 ? 'deny' : 'ask',
      tool: `tool_${place}_*`,
      reason: `Rule ${place} as of ${place <= revision ? revision : 0}.`
    }))
    const body = {
      redactionProfile: current['redactionProfile'],
      mcpToolPolicy: { ...current['mcpToolPolicy'], defaultEffect: 'allow', rules },
      note: `Change ${revision}`
    }
    const answer = await fetch(address, { method: 'PUT', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`a revision was refused: ${await answer.text()}`)
  }
}

/** Lets every sensor speak now: signs of life, the revision that it enforces, and of some the tools that it sees. */
export async function wakeSensors({ running, createToken }: TestService): Promise<void> {
  const { store } = running
  const { id } = await createToken()
  const [current, before] = await store.listPolicyRevisions({ workspaceId, limit: 2 })
  if (!current || !before) throw new Error('the revisions are missing')
  const who = { tokenId: id, lineageId: id }
  const now = Date.now()
  const sensors = Array.from({ length: sensorCount }, (_, place) => ({
    sensorId: `sensor-${place}`,
    platform: place % 5 === 0 ? 'mcp-proxy' : 'sidecar',
    revision: (place % 50 === 0 ? before : current).revision
  }))
  const event = (kind: string, revision: string, sensorMetadata: JsonObject): WorkspaceEvent => ({
    ...{ workspaceId, ...who, eventId: timeOrderedId(), origin: 'sensor', kind, requestId: null },
    ...{ occurredAt: now, receivedAt: now, policyRevision: revision, sensorMetadata }
  })
  const applied = sensors.map(({ sensorId, platform, revision }) =>
    event('policy_applied', revision, { sensorId, platform, sensorVersion: '0.1.0', reasonCode: 'stream' })
  )
  const lists = Array.from({ length: 20 }, (_, server) =>
    event('tool_inventory', current.revision, {
      ...{ sensorId: `sensor-${server * 5}`, platform: 'mcp-proxy' },
      ...{ mcpServer: `server-${server}`, mcpServerLabel: `server-${server}.corp.example`, toolCount: 20 },
      tools: Array.from({ length: 20 }, (__, tool) => ({ name: `tool_${tool}`, effect: 'allow' }))
    })
  )
  await store.append({ events: [...applied, ...lists], audit: [] })
  await store.putSensors(
    sensors.map(({ sensorId, platform, revision }, place) => ({
      ...{ workspaceId, ...who, sensorId, lastSeenAt: now - place * 10 },
      report: {
        ...{ platform, sensorVersion: '0.1.0', policyState: 'fresh', policyRevision: revision },
        ...{ policyAgeMs: 2000 + place, spooled: place % 100 === 0 ? 40 : 0, dropped: 0 }
      }
    }))
  )
}
