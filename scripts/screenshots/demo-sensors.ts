/** What the sensors of the example company reported: which policy they enforce, which tools they see. */
import { timeOrderedId } from '../../src/telemetry/time-ordered-id.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import type { JsonObject, SensorRecord, WorkspaceEvent } from '../../src/store/store.ts'

const sensors = [
  { sensorId: 'gateway-1', platform: 'mcp-proxy' },
  { sensorId: 'gateway-2', platform: 'mcp-proxy' },
  { sensorId: 'gateway-3', platform: 'mcp-proxy' },
  ...Array.from({ length: 8 }, (_, place) => ({ sensorId: `laptop-${place + 11}`, platform: 'sidecar' })),
  { sensorId: 'build-7', platform: 'sidecar' }
] as const

const wiki = { mcpServer: 'wiki', mcpServerLabel: 'wiki.corp.example', sensorId: 'gateway-2', platform: 'mcp-proxy' }
const wikiTools = [
  { name: 'read_page', effect: 'allow' },
  { name: 'search_pages', effect: 'allow' },
  { name: 'write_page', effect: 'ask', isConditional: true },
  { name: 'delete_page', effect: 'deny' }
]

/**
 * @param revisions of the policy: the one in force, and the previous one, which one laptop still enforces
 * @param now milliseconds since 1970
 */
export function makeSensorWords(
  revisions: { readonly current: string; readonly before: string },
  who: { readonly tokenId: string; readonly lineageId: string },
  now: number
): WorkspaceEvent[] {
  const event = (kind: string, at: number, sensorMetadata: JsonObject, policyRevision: string): WorkspaceEvent => ({
    workspaceId: defaultWorkspaceId,
    eventId: timeOrderedId(),
    ...who,
    origin: 'sensor',
    kind,
    requestId: null,
    occurredAt: at,
    receivedAt: at,
    policyRevision,
    sensorMetadata
  })
  const applied = sensors.map((sensor, place) => {
    const isBehind = sensor.sensorId === 'laptop-14'
    const at = isBehind ? now - 9 * 3_600_000 : now - 40_000 + place * 300
    const words = { ...sensor, sensorVersion: '0.1.0', reasonCode: 'stream' }
    return event('policy_applied', at, words, isBehind ? revisions.before : revisions.current)
  })
  const drift = { mcpToolName: 'read_page', reasonCode: 'description_changed', digestAfter: 'c4'.repeat(32) }
  return [
    ...applied,
    event('tool_inventory', now - 3_000_000, { ...wiki, tools: wikiTools, toolCount: 4 }, revisions.current),
    event('tool_drift', now - 2_400_000, { ...wiki, ...drift }, revisions.current)
  ]
}

/** The last heartbeat of each of them. */
export function makeSignsOfLife(
  revisions: { readonly current: string; readonly before: string },
  who: { readonly tokenId: string; readonly lineageId: string },
  now: number
): SensorRecord[] {
  return sensors.map(({ sensorId, platform }, place) => {
    const isBehind = sensorId === 'laptop-14'
    return {
      workspaceId: defaultWorkspaceId,
      ...who,
      sensorId,
      lastSeenAt: isBehind ? now - 9 * 3_600_000 : now - 1000 - place * 1900,
      report: {
        platform,
        sensorVersion: '0.1.0',
        policyState: 'fresh',
        policyRevision: isBehind ? revisions.before : revisions.current,
        policyAgeMs: 2000 + place * 700,
        spooled: sensorId === 'build-7' ? 340 : 0,
        dropped: 0
      }
    }
  })
}
