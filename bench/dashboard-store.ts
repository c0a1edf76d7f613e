/**
 * Builds the store of a large fleet for `bench/dashboard.ts`: a month of model calls and tool calls, 500 sensors, 200
 * revisions of a policy with 200 rules. Filling it takes minutes, so a folder given with `--keep` is reused by later
 * runs.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { timeOrderedId } from '../src/telemetry/time-ordered-id.ts'
import { databaseFile } from '../src/store/sqlite/database-file.ts'
import { openStore } from '../src/store/sqlite/sqlite.ts'
import type { AppendBatch, AuditEntry, JsonObject, Store, WorkspaceEvent } from '../src/store/store.ts'
import type { TestService } from '../test/support/start-service.ts'
import { fleetEvent, fleetToolCall } from './fleet-events.ts'
import { createRandom, type SeededRandom } from '../test/support/random.ts'
import { copyDays, sqliteEngine } from './store-scale-copies.ts'
import { dayMs, prepare, Progress, workspaceId } from './store-scale-load.ts'

const sensorCount = 500
const revisionCount = 200
const ruleCount = 200
/** Whole days before today. */
const copiedDays = 29
const batchRows = 5000
const batchesUnderWay = 3
/** One tool call for this many model calls. */
const callsPerToolCall = 4
/**
 * One audit row for this many events. Chained rows cost several times as much as an event, and no page reads more than
 * the newest.
 */
const eventsPerAuditRow = 10

/** The number of events in a kept folder; undefined if it is empty or was only partly filled. */
export function eventsKept(folder: string): number | undefined {
  const file = markFile(folder)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { events: number }).events : undefined
}

/** Marks a folder as completely filled, so that the next run uses it as it is. */
export function markKept(folder: string, events: number): void {
  writeFileSync(markFile(folder), `${JSON.stringify({ events })}\n`)
}

const markFile = (folder: string): string => {
  mkdirSync(folder, { recursive: true })
  return join(folder, 'bench-filled.json')
}

/**
 * Loads the past month before a service starts on the folder. The engine's own append writes the first day and the part
 * of today so far; the days between are copies made inside the engine, since half an hour of appending measures
 * nothing.
 */
export async function loadEvents(folder: string, total: number): Promise<void> {
  await using store = await openStore({ dataDir: folder })
  const now = Date.now()
  const today = Math.floor(now / dayMs) * dayMs
  const start = today - copiedDays * dayMs
  const eventsOfDay = Math.floor(total / (copiedDays + (now - today) / dayMs))
  await prepare(store, start)
  const random = createRandom(7)
  await append(store, random, { from: start, to: start + dayMs, events: eventsOfDay })
  {
    await using engine = sqliteEngine(databaseFile(folder))
    await copyDays(engine, { start, days: copiedDays, eventsOfDay }, { appended: 1 })
  }
  await append(store, random, { from: today, to: now, events: total - copiedDays * eventsOfDay })
}

/** A span of time over which a number of events is spread evenly. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly events: number
}

async function append(store: Store, random: SeededRandom, stretch: Stretch): Promise<void> {
  const progress = new Progress('appended', stretch.events)
  let next = 0
  const sender = async (): Promise<void> => {
    while (next < stretch.events) {
      const first = next
      next = Math.min(first + batchRows, stretch.events)
      const batch = batchOf(random, stretch, { first, end: next })
      await store.append(batch)
      progress.add(batch.events.length)
    }
  }
  await Promise.all(Array.from({ length: batchesUnderWay }, sender))
}

function batchOf(
  random: SeededRandom,
  { from, to, events: all }: Stretch,
  at: { readonly first: number; readonly end: number }
): AppendBatch {
  const events: WorkspaceEvent[] = []
  const audit: AuditEntry[] = []
  for (let place = at.first; place < at.end; place++) {
    const receivedAt = from + Math.floor((place / all) * (to - from))
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

/** Publishes the revisions through the API, as an operator would in a year of small changes. */
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

/**
 * Makes every sensor report now: a heartbeat, the revision that it enforces, and for some of them the tools that they
 * see.
 */
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
