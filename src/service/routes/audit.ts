/** `GET /api/audit`: audit rows by request, time, action and actor. `GET /api/audit/export`: all of them as a file. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { responseHeaders } from '../../protocol/headers.ts'
import { allRows } from '../../store/all-rows.ts'
import type { AuditQuery, Store } from '../../store/store.ts'
import type { EventWriter } from '../../telemetry/event-writer.ts'
import { callerOf, type Access } from '../access.ts'
import { withoutHead } from '../app.ts'
import { auditFormats, auditRowBody } from '../readings/audit-bodies.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { visibleRows } from './event-query.ts'
import { answered } from './answered.ts'
import { createExportPlaces, exportPageRows, sendExport } from './export-answer.ts'
import { queryRules, readQuery } from './read-query.ts'

export interface AuditDependencies {
  readonly access: Access
  readonly store: Store
  readonly lifecycle: Lifecycle
  readonly events: Pick<EventWriter, 'flush'>
}

const filterRules = {
  requestId: queryRules.uuid,
  action: queryRules.text(64).optional(),
  actor: queryRules.text(128).optional(),
  from: queryRules.time,
  to: queryRules.time
}

const pageRules = { ...filterRules, order: queryRules.order, limit: queryRules.limit, cursor: queryRules.cursor }

const exportRules = {
  ...filterRules,
  format: z.enum(['jsonl', 'csv'], 'must be jsonl or csv').default('jsonl')
}

export function registerAudit(app: FastifyInstance, to: AuditDependencies): void {
  const onRequest = admission(to.lifecycle)
  app.get('/api/audit', { onRequest }, async (request, reply) => {
    // Any valid token may look up its own rows; all rows of the workspace need the scope for it.
    const caller = await callerOf(to.access, request)
    const query: AuditQuery = { ...visibleRows(caller), ...readQuery(pageRules, request.query) }
    // A record may still wait for a commit; this makes it visible to someone who asks right after a call.
    await to.events.flush()
    const { rows, next } = await answered(to.store.findAudit(query))
    return reply.header(responseHeaders.requestId, request.id).send({ rows: rows.map(auditRowBody), next })
  })
  const places = createExportPlaces()
  app.get('/api/audit/export', { ...withoutHead, onRequest }, async (request, reply) => {
    const caller = await callerOf(to.access, request)
    const { format, ...filter } = readQuery(exportRules, request.query)
    const query: AuditQuery = { ...visibleRows(caller), ...filter, order: 'oldest', limit: exportPageRows }
    await to.events.flush()
    const rows = allRows((asked) => to.store.findAudit(asked), query)
    const file = { name: `audit.${format}`, rows, format: auditFormats[format] }
    return sendExport(request, reply, file, caller, { access: to.access, places })
  })
}
