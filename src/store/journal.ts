/**
 * The reading side of events and audit rows. A page walks the days in the order asked for and looks at a bounded number
 * of rows; where the bound is reached it ends early, and its cursor leads on.
 */
import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import { formatCursor, parseCursor, type Position } from './cursor.ts'
import { readInSequence, readUnlessDropped, type RecordSource } from './day-spans.ts'
import { countsEntity, facetColumns } from './facets.ts'
import { checkedLimit } from './limit.ts'
import { auditReadColumns, eventReadColumns, toAuditRow, toEvent } from './rows.ts'
import {
  dayMs,
  hourMs,
  hoursPerDay,
  type AuditColumns,
  type EventColumns,
  type RecordKind,
  type Tables
} from './schema.ts'
import { eventFacets, type AuditQuery, type EventQuery, type Page, type PageQuery, type Store } from './store.ts'

export type Journal = Pick<Store, 'findEvents' | 'findAudit' | 'eventsAfter' | 'lastEventSequence'>

/** Most rows of a workspace that one page looks at where no index leads to those it wants. */
const looksMax = 20_000
/** What a day costs by itself, in looks: no page goes through more than 400 days, however little it finds there. */
const looksOfDay = 50

export function createJournal(source: RecordSource): Journal {
  const { reader, tables } = source
  const page = <Row>(records: RecordKind, query: PageQuery, conditions: Conditions) =>
    walk({ ...source, records, query, conditions }) as Promise<Page<Row>>
  return {
    findEvents: async (query) => {
      const { rows, next } = await page<EventColumns>('events', query, eventConditions(query))
      const { entityKind } = query
      const events = rows.map(toEvent)
      if (entityKind === undefined) return { rows: events, next }
      return { rows: events.filter(({ sensorMetadata }) => countsEntity(sensorMetadata, entityKind)), next }
    },
    findAudit: async (query) => {
      const { rows, next } = await page<AuditColumns>('audit', query, auditConditions(query))
      return { rows: rows.map(toAuditRow), next }
    },
    eventsAfter: async ({ workspaceId, sequence, limit }) => {
      checkedLimit(limit)
      const rows = await readInSequence({
        spans: await eventSpansAfter(reader, workspaceId, sequence),
        limit,
        sequenceOf: (row) => row.sequence,
        read: (day: number) => {
          const rows = tables.events(reader, day).select(eventReadColumns).where('workspace_id', '=', workspaceId)
          const next = rows.where('sequence', '>', sequence).orderBy('sequence').limit(limit)
          return readUnlessDropped(source, 'events', day, () => next.execute())
        }
      })
      return rows.map(toEvent)
    },
    lastEventSequence: async (workspaceId) => {
      const hours = hoursOf(reader, workspaceId, 'events')
      const newest = hours.select((row) => row.fn.max('last_sequence').as('last'))
      return (await newest.executeTakeFirst())?.last ?? 0
    }
  }
}

/** Columns that must have a value, in the order of preference for the index that leads to the rows. */
type Conditions = readonly (readonly [column: string, value: string, operator?: '=' | 'like'])[]

/** An index leads by these columns, in the order of sequences or to few rows. */
const indexed: ReadonlySet<string> = new Set(['request_id', 'token_id', 'action'])

const given = (values: Readonly<Record<string, string | undefined>>): Conditions =>
  Object.entries(values).flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]))

const auditConditions = ({ requestId: request_id, tokenId: token_id, action, actor }: AuditQuery): Conditions =>
  given({ request_id, token_id, action, actor })

function eventConditions(query: EventQuery): Conditions {
  const { requestId: request_id, tokenId: token_id, facets = {}, kind, origin, entityKind } = query
  const columns = eventFacets.map((facet) => [facetColumns[facet], facets[facet]] as const)
  const equal = given({ request_id, token_id, ...Object.fromEntries(columns), kind, origin })
  // The text may name the kind elsewhere, or another of the same length with another letter for an underscore: what is
  // read is judged again. But most rows that do not count it are not read.
  return entityKind === undefined ? equal : [...equal, ['sensor_metadata', `%"${entityKind}":%`, 'like']]
}

interface Walk extends RecordSource {
  readonly records: RecordKind
  readonly query: PageQuery
  readonly conditions: Conditions
}

const isOfRequest = ({ conditions }: Walk): boolean => conditions[0]?.[0] === 'request_id'

const isNewestFirst = ({ query }: Walk): boolean => query.order !== 'oldest'

type Row = Pick<EventColumns, 'sequence'>

async function walk(to: Walk): Promise<Page<Row>> {
  const { limit, cursor } = to.query
  checkedLimit(limit)
  const start = cursor === undefined ? undefined : parseCursor(cursor)
  const rows: Row[] = []
  let looks = looksMax
  let reached: Position | undefined
  for (const span of await daySpans(to, start)) {
    if (reached && (rows.length === limit || looks <= 0)) return { rows, next: formatCursor(reached) }
    const range = rangeOf(to, span, start)
    const page = await readDay(to, { ...span, ...range }, { limit: limit - rows.length, looks })
    rows.push(...page.rows)
    looks -= page.looked + looksOfDay
    if (page.end !== undefined) return { rows, next: formatCursor({ day: span.day, sequence: page.end }) }
    reached = { day: span.day, sequence: isNewestFirst(to) ? range.from : range.to }
  }
  return { rows, next: null }
}

const hoursOf = (reader: Kysely<Tables>, workspaceId: string, records: RecordKind) =>
  reader.selectFrom('record_hours').where('workspace_id', '=', workspaceId).where('records', '=', records)

/** A day that holds rows in the time asked for, with the sequences of the hours that do. */
interface DaySpan {
  readonly day: number
  readonly rows: number
  readonly first: number
  readonly last: number
}

/** The days with rows of the workspace between `from` and `to`, in the order of the walk, from its start on. */
async function daySpans(to: Walk, start: Position | undefined): Promise<DaySpan[]> {
  const { from, to: end } = to.query
  let hours = hoursOf(to.reader, to.query.workspaceId, to.records)
  if (from !== undefined) hours = hours.where('hour', '>=', Math.floor(from / hourMs))
  if (end !== undefined) hours = hours.where('hour', '<', Math.ceil(end / hourMs))
  if (start && isNewestFirst(to)) hours = hours.where('hour', '<', (start.day + 1) * hoursPerDay)
  if (start && !isNewestFirst(to)) hours = hours.where('hour', '>=', start.day * hoursPerDay)
  const day = sql<number>`hour / ${sql.lit(hoursPerDay)}`
  const days = await hours
    .select((row) => [
      day.as('day'),
      row.fn.sum('rows').as('rows'),
      row.fn.min('first_sequence').as('first'),
      row.fn.max('last_sequence').as('last')
    ])
    .groupBy(day)
    .orderBy(day, isNewestFirst(to) ? 'desc' : 'asc')
    .execute()
  return days.map((row) => ({
    day: row.day,
    rows: Number(row.rows),
    first: row.first,
    last: row.last
  }))
}

async function eventSpansAfter(reader: Kysely<Tables>, workspaceId: string, sequence: number) {
  const day = sql<number>`hour / ${sql.lit(hoursPerDay)}`
  return await hoursOf(reader, workspaceId, 'events')
    .where('last_sequence', '>', sequence)
    .select((row) => [day.as('day'), row.fn.min<number>('first_sequence').as('first')])
    .groupBy(day)
    .execute()
}

/** Sequences to look at, both included. */
interface Range {
  readonly from: number
  readonly to: number
}

function rangeOf(to: Walk, { day, first, last }: DaySpan, start: Position | undefined): Range {
  if (start?.day !== day) return { from: first, to: last }
  return isNewestFirst(to)
    ? { from: first, to: Math.min(last, start.sequence - 1) }
    : { from: Math.max(first, start.sequence + 1), to: last }
}

interface DayPage {
  readonly rows: readonly Row[]
  readonly looked: number
  /** Sequence of the last row looked at where the day may have more to give. */
  readonly end?: number | undefined
}

interface Bounds {
  readonly limit: number
  readonly looks: number
}

async function readDay(to: Walk, span: DaySpan & Range, { limit, looks }: Bounds): Promise<DayPage> {
  if (span.from > span.to) return { rows: [], looked: 0 }
  const [lead, ...others] = to.conditions
  const leading = lead && indexed.has(lead[0]) ? [lead] : []
  const filters = leading.length > 0 ? others : to.conditions
  const times = timeConditions(to, span.day)
  const isFiltered = filters.length > 0 || times.length > 0
  // Where each row looked at is a row found, the limit alone bounds the looking.
  const end = isFiltered && span.rows > looks ? await sequenceAt(to, span, leading, looks) : undefined
  let rows = candidates(to, end === undefined ? span : cutAt(to, span, end), [...leading, ...filters])
  for (const [operator, time] of times) rows = rows.where(timeColumn(to), operator, time)
  const columns = to.records === 'events' ? eventReadColumns : auditReadColumns
  // One more than asked for tells whether there is a next page.
  const page = rows.select([...columns] as 'sequence'[]).limit(limit + 1)
  const found: Row[] = await readUnlessDropped(to, to.records, span.day, () => page.execute())
  const looked = (isFiltered ? Math.min(span.rows, looks) : found.length) + requestLooks(to, span)
  if (found.length <= limit) return { rows: found, looked, end }
  return { rows: found.slice(0, limit), looked, end: found[limit - 1]?.sequence }
}

/** Beside the rows that it finds, a search for a request looks into every stretch of the day. */
const requestLooks = (to: Walk, { from, to: last }: Range): number =>
  isOfRequest(to) ? (to.tables.requestLooks?.(from, last) ?? 0) : 0

const cutAt = (to: Walk, span: DaySpan & Range, end: number): DaySpan & Range =>
  isNewestFirst(to) ? { ...span, from: end } : { ...span, to: end }

type AnyRows = SelectQueryBuilder<Tables, 'events', object>

/**
 * Rows of the workspace in a range of sequences, in the order of the walk. The few rows of a request stand in an index
 * that has no order; a sign before the column keeps an engine from preferring the index that has.
 */
function candidates(to: Walk, { day, from, to: last }: DaySpan & Range, conditions: Conditions): AnyRows {
  const sequence = isOfRequest(to) ? sql<number>`+sequence` : sql.ref<number>('sequence')
  // Both tables have the columns that are named here; the types of a query cannot say "either table".
  const table = to.records === 'events' ? to.tables.events(to.reader, day) : to.tables.audit(to.reader, day)
  let rows = (table as AnyRows)
    .where('workspace_id', '=', to.query.workspaceId)
    .where(sequence, '>=', from)
    .where(sequence, '<=', last)
  const ofRequest = isOfRequest(to) ? to.tables.requestCondition?.(from, last) : undefined
  if (ofRequest) rows = rows.where(ofRequest)
  for (const [column, value, operator = '='] of conditions) rows = rows.where(column as 'kind', operator, value)
  return rows.orderBy(sequence, isNewestFirst(to) ? 'desc' : 'asc')
}

/** The sequence of the last row that may be looked at, where there are more; read from an index alone. */
async function sequenceAt(to: Walk, span: DaySpan & Range, conditions: Conditions, looks: number) {
  const place = candidates(to, span, conditions)
    .select('sequence')
    .offset(looks - 1)
    .limit(1)
  const [row] = await readUnlessDropped(to, to.records, span.day, () => place.execute())
  return row?.sequence
}

const timeColumn = ({ records }: Walk) => (records === 'events' ? 'received_at' : ('at' as 'received_at'))

/** The bounds of time that cut through a day; days that lie wholly between them need none. */
function timeConditions({ query }: Walk, day: number): [operator: '>=' | '<', time: number][] {
  const conditions: [operator: '>=' | '<', time: number][] = []
  if (query.from !== undefined && query.from > day * dayMs) conditions.push(['>=', query.from])
  if (query.to !== undefined && query.to < (day + 1) * dayMs) conditions.push(['<', query.to])
  return conditions
}
