/** `GET /api/audit?requestId=`: what is on record about one request. */
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../ingress/refused.ts'
import { parseRequestId, responseHeaders } from '../../protocol/headers.ts'
import { rowsMax, type AuditRow, type Store } from '../../store/store.ts'
import type { EventWriter } from '../../telemetry/event-writer.ts'
import { authenticate } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { sendProblem } from '../problem-answer.ts'
import { grants, type TokenService } from '../tokens.ts'

/** An audit row as it goes over the wire. */
export function auditRowBody(row: AuditRow) {
  const { sequence, at, requestId, tokenId, actor, action, detail } = row
  return { sequence, at: new Date(at).toISOString(), requestId, tokenId, actor, action, detail }
}

export interface AuditDependencies {
  readonly tokens: TokenService
  readonly store: Store
  readonly lifecycle: Lifecycle
  readonly events: Pick<EventWriter, 'flush'>
}

export function registerAudit(app: FastifyInstance, to: AuditDependencies): void {
  type Query = { Querystring: { requestId?: string | string[] } }
  app.get<Query>('/api/audit', { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    // Any valid token may look up its own rows; all rows of the workspace need the scope for it.
    const principal = await authenticate(to.tokens, request.headers, undefined)
    const { requestId: asked } = request.query
    const requestId = typeof asked === 'string' ? parseRequestId(asked) : undefined
    if (requestId === undefined) {
      const message = 'The query parameter requestId must be given once and must be a UUID.'
      return sendProblem(request, reply, new Refused('invalid_value'), [
        { path: '/requestId', code: 'invalid_value', message }
      ])
    }
    // Whoever asks right after a call finds it, although its record may still wait for a commit.
    await to.events.flush()
    const seesAll = grants(principal.scopes, 'audit:read')
    const { workspaceId, tokenId } = principal
    const rows = await to.store.auditOfRequest({
      workspaceId,
      requestId,
      tokenId: seesAll ? undefined : tokenId,
      limit: rowsMax
    })
    return reply.header(responseHeaders.requestId, request.id).send({ rows: rows.map(auditRowBody) })
  })
}
