/**
 * Two days of a small company's records for screenshots of the dashboard, identical in every run except for the time.
 */
import { createRandom, type SeededRandom } from '../../test/support/random.ts'
import { timeOrderedId } from '../../src/telemetry/time-ordered-id.ts'
import type { AuditEntry, JsonObject, WorkspaceEvent } from '../../src/store/store.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'

const hourMs = 3_600_000
const workspaceId = defaultWorkspaceId

/** Calls in each hour of a day, from midnight on: people sleep, pipelines do not. */
const hourly = [6, 4, 3, 3, 4, 6, 12, 26, 58, 82, 90, 84, 60, 74, 92, 88, 76, 54, 34, 24, 18, 14, 10, 8]

interface Caller {
  readonly weight: number
  readonly clientSurface: string
  readonly modelProvider: string
  readonly modelId: string
  readonly route: string
  readonly dialect: string
}

const chat = { route: '/chat/completions', dialect: 'chat-completions' } as const
const messages = { route: '/messages', dialect: 'messages' } as const
const responses = { route: '/responses', dialect: 'responses' } as const

const callers: readonly Caller[] = [
  { weight: 34, clientSurface: 'claude-code', modelProvider: 'anthropic', modelId: 'claude-sonnet-4-5', ...messages },
  { weight: 11, clientSurface: 'claude-code', modelProvider: 'anthropic', modelId: 'claude-haiku-4-5', ...messages },
  { weight: 21, clientSurface: 'codex', modelProvider: 'openai', modelId: 'gpt-5-codex', ...responses },
  { weight: 14, clientSurface: 'sdk', modelProvider: 'openai', modelId: 'gpt-5-mini', ...chat },
  { weight: 9, clientSurface: 'cursor', modelProvider: 'openai', modelId: 'gpt-5', ...chat },
  { weight: 6, clientSurface: 'opencode', modelProvider: 'mistral', modelId: 'devstral-medium', ...chat },
  { weight: 3, clientSurface: 'unknown', modelProvider: 'unknown', modelId: 'in-house-7b', ...chat }
]

const masked = [
  { weight: 40, kind: 'email_address' },
  { weight: 17, kind: 'phone_number' },
  { weight: 11, kind: 'ipv4' },
  { weight: 8, kind: 'iban' },
  { weight: 6, kind: 'person_name' },
  { weight: 5, kind: 'postal_address' },
  { weight: 4, kind: 'generic_high_entropy' }
] as const

const secrets = [
  { weight: 5, kind: 'aws_access_key_id' },
  { weight: 4, kind: 'github_pat_classic' },
  { weight: 3, kind: 'jwt' },
  { weight: 2, kind: 'pem_private_key' },
  { weight: 2, kind: 'credit_card' }
] as const

const tools = [
  { weight: 30, mcpToolName: 'read_file', downstreamServer: 'docker' },
  { weight: 18, mcpToolName: 'run_command', downstreamServer: 'e2b' },
  { weight: 12, mcpToolName: 'search_issues', downstreamServer: 'docker' },
  { weight: 8, mcpToolName: 'query_database', downstreamServer: 'modal' },
  { weight: 4, mcpToolName: 'delete_branch', downstreamServer: 'docker' }
] as const

function pick<Item extends { readonly weight: number }>(random: SeededRandom, items: readonly Item[]): Item {
  let place = random.below(items.reduce((sum, { weight }) => sum + weight, 0))
  return items.find(({ weight }) => (place -= weight) < 0) as Item
}

export interface DemoRecords {
  readonly events: WorkspaceEvent[]
  readonly audit: AuditEntry[]
}

/**
 * @param now the end of the two days, in milliseconds since 1970
 * @param about the token with which the calls are made, and the revision that decides them
 */
export function makeDemoRecords(
  now: number,
  about: { readonly tokenId: string; readonly policyRevision: string }
): DemoRecords {
  const random = createRandom(27)
  const records: DemoRecords = { events: [], audit: [] }
  for (let hour = 47; hour >= 0; hour--) {
    const start = now - (hour + 1) * hourMs
    // Yesterday was quieter.
    const calls = Math.round(
      (hourly[new Date(start).getUTCHours()] ?? 10) * (hour >= 24 ? 0.74 : 1) * (0.85 + random.below(30) / 100)
    )
    const moments = Array.from({ length: calls }, () => start + random.below(hourMs)).toSorted((a, b) => a - b)
    for (const at of moments) {
      record(records, at, about, callMetadata(random, hour), 'ingress_proxy')
      if (random.below(100) < 22) record(records, at + 900, about, toolMetadata(random), 'tool_call_enforcement')
    }
  }
  return records
}

function record(
  to: DemoRecords,
  at: number,
  about: Parameters<typeof makeDemoRecords>[1],
  metadata: JsonObject,
  kind: string
): void {
  const isCall = kind === 'ingress_proxy'
  const requestId = isCall ? timeOrderedId() : (to.events.at(-1)?.requestId ?? timeOrderedId())
  const shared = { workspaceId, requestId, tokenId: about.tokenId }
  to.audit.push({
    ...shared,
    at,
    actor: `token:${about.tokenId}`,
    action: kind,
    detail: metadata,
    eventIndex: to.events.length
  })
  to.events.push({
    ...shared,
    eventId: timeOrderedId(),
    lineageId: isCall ? null : about.tokenId,
    kind,
    origin: isCall ? 'service' : 'sensor',
    occurredAt: at - 40,
    receivedAt: at,
    policyRevision: about.policyRevision,
    sensorMetadata: metadata
  })
}

function callMetadata(random: SeededRandom, hour: number): JsonObject {
  const { weight: _, ...caller } = pick(random, callers)
  const base = {
    platform: 'ingress',
    ...caller,
    stream: random.below(10) > 2,
    scanMs: Math.round(8 + random.below(90) ** 1.6) / 100
  }
  const chance = random.below(1000)
  // Somebody pasted keys for an hour this morning.
  if (chance < (hour === 3 ? 95 : 16)) {
    const entityCounts = { [pick(random, secrets).kind]: 1 }
    return {
      ...base,
      outcome: 'blocked',
      action: 'block',
      riskTier: 'high',
      entitiesMasked: 0,
      entityCounts,
      errorCode: 'high_risk_content_blocked',
      durationMs: 3
    }
  }
  const upstreamMs = 180 + random.below(900)
  const sent = {
    ...base,
    outcome: 'forwarded',
    upstreamStatus: 200,
    upstreamMs,
    durationMs: upstreamMs + random.below(4000),
    requestBytes: 2000 + random.below(60_000),
    inputTokens: 400 + random.below(9000),
    outputTokens: 60 + random.below(1200)
  }
  if (chance < 22)
    return {
      ...sent,
      action: 'allow',
      outcome: 'upstream_failed',
      upstreamStatus: 529,
      riskTier: 'none',
      entitiesMasked: 0,
      entityCounts: {}
    }
  if (chance < 420) {
    const counts: Record<string, number> = {}
    for (let finds = 1 + random.below(3); finds > 0; finds--) {
      const { kind } = pick(random, masked)
      counts[kind] = (counts[kind] ?? 0) + 1 + random.below(3)
    }
    const entitiesMasked = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { ...sent, action: 'mask', riskTier: 'medium', entitiesMasked, entityCounts: counts }
  }
  return { ...sent, action: 'allow', riskTier: 'none', entitiesMasked: 0, entityCounts: {} }
}

function toolMetadata(random: SeededRandom): JsonObject {
  const { weight: _, ...tool } = pick(random, tools)
  const isDenied = tool.mcpToolName === 'delete_branch' || random.below(100) < 3
  return {
    platform: 'mcp-proxy',
    sensorId: `gateway-${1 + random.below(3)}`,
    ...tool,
    clientSurface: 'claude-code',
    action: isDenied ? 'block' : 'allow',
    riskTier: isDenied ? 'high' : 'none',
    ...(isDenied
      ? { ruleId: tool.mcpToolName === 'delete_branch' ? 'no-deletes' : 'own-folder', reasonCode: 'denied' }
      : {}),
    decisionMs: random.below(60) / 100
  }
}
