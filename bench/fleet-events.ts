/** Events like those of a fleet: a few surfaces, providers and models, and one block per two hundred. */
import type { WorkspaceEvent } from '../src/store/store.ts'
import type { SeededRandom } from '../test/support/random.ts'

const idOf = (random: SeededRandom): string => {
  const hex = random.text('0123456789abcdef', 32)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** @param at.receivedAt milliseconds since 1970 */
export function fleetEvent(
  random: SeededRandom,
  { workspaceId, receivedAt }: { readonly workspaceId: string; readonly receivedAt: number }
): WorkspaceEvent {
  const roll = random.below(200)
  const action = roll === 0 ? 'block' : roll < 40 ? 'mask' : 'allow'
  return {
    eventId: idOf(random),
    workspaceId,
    lineageId: null,
    kind: 'ingress_proxy',
    origin: 'service',
    requestId: idOf(random),
    tokenId: `tok${random.below(50)}`,
    occurredAt: receivedAt,
    receivedAt,
    policyRevision: '7-0123456789abcdef',
    sensorMetadata: {
      platform: 'ingress',
      outcome: action === 'block' ? 'blocked' : 'forwarded',
      action,
      riskTier: action === 'block' ? 'high' : action === 'mask' ? 'medium' : 'none',
      entitiesMasked: action === 'mask' ? 2 : 0,
      entityCounts: action === 'allow' ? {} : { [random.pick(['email', 'iban', 'api_key', 'phone'])]: 2 },
      clientSurface: random.pick(['claude-code', 'codex', 'cursor', 'cline', 'sdk']),
      modelProvider: random.pick(['openai', 'anthropic', 'google']),
      modelId: `model-${random.below(40)}`,
      scanMs: random.below(400) / 100,
      durationMs: 900 + random.below(9000)
    }
  }
}

/** A tool call on one of twenty servers, decided by one of fifty rules or by none. */
export function fleetToolCall(random: SeededRandom, at: Parameters<typeof fleetEvent>[1]): WorkspaceEvent {
  const server = random.below(20)
  const tool = random.below(20)
  const rule = (server * 20 + tool) % 60
  const action = rule < 3 ? 'block' : 'allow'
  return {
    ...fleetEvent(random, at),
    kind: 'tool_call_enforcement',
    origin: 'sensor',
    sensorMetadata: {
      platform: 'mcp-proxy',
      sensorId: `sensor-${server * 5}`,
      mcpServer: `server-${server}`,
      mcpToolName: `tool_${tool}`,
      clientSurface: 'claude-code',
      action,
      riskTier: action === 'block' ? 'high' : 'none',
      ...(rule < 50 ? { ruleId: `rule-${rule}` } : {}),
      ...(action === 'block' ? { reasonCode: 'denied' } : {}),
      decisionMs: random.below(60) / 100
    }
  }
}
