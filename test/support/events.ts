/** Events as a sensor sends them and as the store returns them. */
import assert from 'node:assert/strict'
import { allRows } from '../../src/store/all-rows.ts'
import type { AuditQuery, AuditRow, EventQuery, StoredEvent } from '../../src/store/store.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { call, type Reply } from './http.ts'
import type { TestService } from './start-service.ts'

/** The specification's example event, with every field. */
export const enforcement = {
  kind: 'tool_call_enforcement',
  platform: 'mcp-proxy',
  entitiesMasked: 2,
  riskTier: 'high',
  action: 'block',
  clientSurface: 'sdk',
  modelProvider: 'openai',
  modelId: 'gpt-5',
  mcpToolName: 'read_file',
  downstreamServer: 'mock'
}

/**
 * Sends events.
 * @param body sent as JSON unless it is text or bytes already
 * @param query with its question mark
 */
export function post(
  service: Pick<TestService, 'url' | 'token'>,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  query = ''
): Promise<Reply> {
  return call(`${service.url}/api/events${query}`, {
    headers: { 'content-type': 'application/json', 'x-service-workspace-token': service.token, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  })
}

export interface Receipt {
  readonly accepted: number
  readonly duplicates: number
  readonly rejected: number
  readonly results: readonly {
    readonly index: number
    readonly status: string
    readonly eventId?: string
    readonly code?: string
    readonly path?: string
    readonly message?: string
    readonly errors?: readonly { readonly path: string }[]
    readonly warnings?: readonly string[]
  }[]
}

/** The receipt in a response, which must have the given status. */
export function receipt(reply: Reply, status = 202): Receipt {
  assert.equal(reply.status, status, reply.text)
  return reply.json() as unknown as Receipt
}

/** Stored events of the default workspace, newest first. */
export async function storedEvents(service: TestService, query: Partial<EventQuery> = {}): Promise<StoredEvent[]> {
  const all = { workspaceId: defaultWorkspaceId, limit: 1000, ...query }
  return await Array.fromAsync(allRows((page) => service.running.store.findEvents(page), all))
}

/** The audit rows of the default workspace, newest first. */
export async function storedAudit(service: TestService, query: Partial<AuditQuery> = {}): Promise<AuditRow[]> {
  const all = { workspaceId: defaultWorkspaceId, limit: 1000, ...query }
  return await Array.fromAsync(allRows((page) => service.running.store.findAudit(page), all))
}
