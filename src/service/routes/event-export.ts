/** `GET /api/events/export`: all events of a query as JSON lines or CSV, streamed page by page. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { csvRecord } from '../../protocol/csv.ts'
import { eventFields } from '../../protocol/events/event-schema.ts'
import { jsonLine } from '../../protocol/json-line.ts'
import { allRows } from '../../store/all-rows.ts'
import type { StoredEvent } from '../../store/store.ts'
import { callerOf } from '../access.ts'
import { withoutHead } from '../app.ts'
import { admission } from '../lifecycle.ts'
import { eventBody, eventFilter, eventFilterRules, visibleRows } from './event-query.ts'
import type { ReadDependencies } from './event-reads.ts'
import { createExportPlaces, exportPageRows, exportTypes, sendExport } from './export-answer.ts'
import { queryRules, readQuery } from './read-query.ts'

const exportRules = {
  ...eventFilterRules,
  from: queryRules.time,
  to: queryRules.time,
  format: z.enum(['jsonl', 'csv'], 'must be jsonl or csv').default('jsonl')
}

const head = ['sequence', 'eventId', 'kind', 'origin', 'requestId', 'tokenId', 'occurredAt', 'receivedAt'] as const
/** Columns of the metadata that a table can show; the rest is in the last column as JSON. */
const columns = [...eventFields].filter(
  (field) => !(head as readonly string[]).includes(field) && field !== 'entityCounts'
)

const formats = {
  jsonl: {
    type: exportTypes.jsonl,
    first: '',
    line: (event: StoredEvent) => `${jsonLine(eventBody(event))}\n`
  },
  csv: {
    type: exportTypes.csv,
    first: csvRecord([...head, ...columns, 'further']),
    line: csvLine
  }
} as const

function csvLine(event: StoredEvent): string {
  const body: Record<string, unknown> = eventBody(event)
  const shown = new Set<string>(columns)
  const metadata = event.sensorMetadata
  const further = Object.fromEntries(
    Object.entries(metadata).filter(([name]) => !shown.has(name) && name !== 'kind' && name !== 'requestId')
  )
  const cells = [...head.map((name) => body[name]), ...columns.map((name) => metadata[name] ?? body[name])]
  return csvRecord([...(cells as (string | number | null)[]), JSON.stringify(further)])
}

export function registerEventExport(app: FastifyInstance, to: ReadDependencies): void {
  const places = createExportPlaces()
  const options = { ...withoutHead, onRequest: admission(to.lifecycle) }
  app.get('/api/events/export', options, async (request, reply) => {
    const caller = await callerOf(to.access, request)
    const given = readQuery(exportRules, request.query)
    await to.events.flush()
    const { from, to: until, format } = given
    const query = { ...visibleRows(caller), ...eventFilter(given), from, to: until }
    const rows = allRows(to.store.findEvents, { ...query, order: 'oldest', limit: exportPageRows })
    const file = { name: `events.${format}`, rows, format: formats[format] }
    return sendExport(request, reply, file, caller, { access: to.access, places })
  })
}
