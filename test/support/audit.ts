/** Reads what the service has recorded, the way an operator does. */
import assert from 'node:assert/strict'
import { eventually } from './eventually.ts'
import { call } from './http.ts'

export interface AuditRow {
  readonly at: string
  readonly requestId: string
  readonly action: string
  readonly actor: string
  readonly detail: Record<string, unknown>
}

/** Details of a model call in the row of its ingress event. */
interface IngressDetail {
  readonly route: string
  readonly dialect: string
  readonly action: string
  readonly riskTier: string
  readonly entitiesMasked: number
  readonly entityCounts: Record<string, number>
  readonly clientSurface: string
  readonly modelProvider: string
  readonly modelId?: string
  readonly stream: boolean
  readonly upstreamStatus?: number
  readonly outcome: string
  readonly errorCode?: string
  readonly requestBytes: number
  readonly responseBytes: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly mediaParts?: number
}

export interface AuditReader {
  /** All rows of a request ID at this moment. */
  rows(requestId: string): Promise<AuditRow[]>
  /** Waits for the row of an ingress call and asserts that it is the only one. */
  ingress(requestId: string): Promise<IngressDetail>
  /** Waits for the row of a sensor's event and asserts that it is the only one. */
  only(requestId: string): Promise<AuditRow>
}

export function createAuditReader(url: string, token: string): AuditReader {
  async function rows(requestId: string): Promise<AuditRow[]> {
    const reply = await call(`${url}/api/audit?requestId=${requestId}`, {
      method: 'GET',
      headers: { 'x-service-workspace-token': token }
    })
    assert.equal(reply.status, 200, reply.text)
    return (reply.json() as { rows: AuditRow[] }).rows
  }
  async function only(requestId: string): Promise<AuditRow> {
    const found = await eventually(`an audit row of ${requestId}`, async () => {
      const now = await rows(requestId)
      return now.length > 0 ? now : undefined
    })
    assert.equal(found.length, 1, `one call, several rows: ${JSON.stringify(found)}`)
    const row = found[0] as AuditRow
    assert.equal(row.requestId, requestId)
    return row
  }
  return { rows, only, ingress: async (requestId) => (await only(requestId)).detail as unknown as IngressDetail }
}
