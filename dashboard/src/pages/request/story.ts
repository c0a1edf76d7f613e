/** The story of one request: its records from two sources, in chronological order. */
import type { AuditRowBody, EventBody } from '../../../../src/protocol/api/reading-schema.ts'
import { countsOf } from '../../components/event-counts.ts'
import { formatName, formatWords } from '../../components/format.ts'

export type Chapter =
  | {
      readonly is: 'event'
      readonly at: number
      readonly key: string
      readonly event: EventBody
      readonly audit: readonly AuditRowBody[]
    }
  | { readonly is: 'audit'; readonly at: number; readonly key: string; readonly row: AuditRowBody }

/** How far the time of an audit row may differ from that of its event. */
const pairedMs = 5

/**
 * Events in chronological order, each with its audit rows, and the rows without an event (a decision of the strict
 * audit, an administrative action).
 */
export function tellStory(events: readonly EventBody[], rows: readonly AuditRowBody[]): Chapter[] {
  const free = new Set(rows)
  const chapters: Chapter[] = events.map((event) => {
    const audit = [...free].filter((row) => belongs(row, event)).slice(0, 1)
    for (const row of audit) free.delete(row)
    return { is: 'event', at: Date.parse(event.occurredAt), key: `event ${event.sequence}`, event, audit }
  })
  for (const row of free) chapters.push({ is: 'audit', at: Date.parse(row.at), key: `audit ${row.sequence}`, row })
  return chapters.toSorted((a, b) => a.at - b.at)
}

/** The row of an event has its kind as action; of several calls with one id, the one at the same time. */
const belongs = (row: AuditRowBody, event: EventBody): boolean =>
  row.action === event.kind && Math.abs(Date.parse(row.at) - Date.parse(event.receivedAt)) <= pairedMs

/** The outcome in a sentence or two. */
export function summarize(events: readonly EventBody[]): string {
  return `${summarizeCall(events)}${summarizeTools(events)}`
}

function summarizeCall(events: readonly EventBody[]): string {
  const call = events.find(({ kind }) => kind === 'ingress_proxy')
  if (!call)
    return events.length === 0 ? 'There are only audit rows.' : 'Reported by sensors; no model call was recorded.'
  const { action, outcome, upstreamStatus, entitiesMasked, errorCode } = call.sensorMetadata
  const masked = typeof entitiesMasked === 'number' && entitiesMasked > 0 ? `, with ${entitiesMasked} masked` : ''
  if (action === 'block' || outcome === 'blocked')
    return `Blocked: it contains high-risk content${kindsOf(call)} and was not forwarded.`
  if (errorCode === 'draining') return `Cut off${masked}: the service stopped before the answer was complete.`
  if (outcome === 'refused')
    return `Refused before it was forwarded${typeof errorCode === 'string' ? `: ${formatWords(errorCode)}` : ''}.`
  if (outcome === 'abandoned') return `Forwarded${masked}; the client disconnected before the answer was complete.`
  const status = typeof upstreamStatus === 'number' ? ` The upstream answered ${upstreamStatus}.` : ''
  if (outcome === 'upstream_failed') return `Forwarded${masked}, but the upstream failed.${status}`
  return `Forwarded${masked}.${status}`
}

const kindsNamed = 3

/** The kinds that were found, in brackets. Any of them may be why the request was blocked. */
function kindsOf(call: EventBody): string {
  const kinds = countsOf(call).map(([kind]) => formatName(kind))
  if (kinds.length === 0) return ''
  const more = kinds.length > kindsNamed ? ` and ${kinds.length - kindsNamed} more` : ''
  return ` (${kinds.slice(0, kindsNamed).join(', ')}${more})`
}

function summarizeTools(events: readonly EventBody[]): string {
  const blocked = events.filter(
    ({ kind, sensorMetadata }) => kind === 'tool_call_enforcement' && sensorMetadata['action'] === 'block'
  )
  if (blocked.length === 0) return ''
  const named = blocked.map(({ sensorMetadata }) => sensorMetadata['mcpToolName'])
  const tools = [...new Set(named.filter((name) => typeof name === 'string'))].map(formatName)
  const count = blocked.length === 1 ? 'A tool call was' : `${blocked.length} tool calls were`
  return ` ${count} blocked${tools.length === 0 ? '' : `: ${tools.slice(0, kindsNamed).join(', ')}`}.`
}
