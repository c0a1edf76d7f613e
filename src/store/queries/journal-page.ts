/**
 * One page of events or audit rows. It walks the days in the requested order and examines a limited number of rows; if
 * the limit is reached the page ends early, and its cursor continues from there.
 */
import { sql, type SelectQueryBuilder } from 'kysely'
import { formatCursor, parseCursor, type Position } from './cursor.ts'
import { readUnlessDropped } from './day-spans.ts'
import {
  daySpans,
  isNewestFirst,
  isOfRequest,
  timeColumn,
  type Conditions,
  type DaySpan,
  type Row,
  type Walk
} from './journal-walk.ts'
import { checkedLimit } from './limit.ts'
import { auditReadColumns, eventReadColumns } from '../tables/rows.ts'
import { type Tables } from '../tables/schema.ts'
import type { Page } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

/** Most rows of a workspace that one page examines if no index leads to the matching ones. */
const looksMax = 20_000
/** Most rows of a request that one page examines in a day, if some of them may not match. */
const requestRowsMax = 1000
/** The cost of a day in examined rows: no page covers more than 400 days, however little it finds. */
const looksOfDay = 50

/** Columns with an index that is ordered by sequence or leads to few rows. */
const indexed: ReadonlySet<string> = new Set(['request_id', 'token_id', 'action'])

/** Sequences to examine, both included. */
interface Range {
  readonly from: number
  readonly to: number
}

type Stretch = DaySpan & Range

/** @throws RangeError for an invalid limit or cursor */
export async function readPage(to: Walk): Promise<Page<Row>> {
  const { limit, cursor } = to.query
  checkedLimit(limit)
  const start = cursor === undefined ? undefined : parseCursor(cursor)
  const days = (await daySpans(to, start)).map((span) => ({ ...span, ...rangeOf(to, span, start) }))
  const rows: Row[] = []
  let looks = looksMax
  let daysMax = 1
  for (let next = 0; next < days.length;) {
    const before = days[next - 1]
    if (before && (rows.length === limit || looks <= 0)) return { rows, next: formatCursor(endOf(to, before)) }
    const run = runOf(to, days.slice(next, next + Math.min(daysMax, Math.ceil(looks / looksOfDay))))
    const bounds = { limit: limit - rows.length, looks }
    const [day] = run
    const page = run.length > 1 || !day ? await readTogether(to, run, bounds.limit) : await readDay(to, day, bounds)
    rows.push(...page.rows)
    if (page.end) return { rows, next: formatCursor(page.end) }
    looks -= page.looked + run.length * looksOfDay
    next += run.length
    daysMax *= 4
  }
  return { rows, next: null }
}

const endOf = (to: Walk, { day, from, to: last }: Stretch): Position => ({
  day,
  sequence: isNewestFirst(to) ? from : last
})

function rangeOf(to: Walk, { day, first, last }: DaySpan, start: Position | undefined): Range {
  if (start?.day !== day) return { from: first, to: last }
  return isNewestFirst(to)
    ? { from: first, to: Math.min(last, start.sequence - 1) }
    : { from: Math.max(first, start.sequence + 1), to: last }
}

interface DayPage {
  readonly rows: readonly Row[]
  readonly looked: number
  /** The last row examined, if the days may have more. */
  readonly end?: Position | undefined
}

interface Bounds {
  readonly limit: number
  readonly looks: number
}

/** How the rows of a day are found. */
interface Access {
  /** Conditions served by an index. */
  readonly leading: Conditions
  /** Conditions checked on each row found that way. */
  readonly filters: Conditions
  readonly times: readonly TimeCondition[]
}

function accessTo(to: Walk, day: number): Access {
  const [lead, ...others] = to.conditions
  const times = timeConditions(to, day)
  return lead && indexed.has(lead[0])
    ? { leading: [lead], filters: others, times }
    : { leading: [], filters: to.conditions, times }
}

/**
 * The first of the days, and those after it that can be queried together with it: if an index leads to rows that all
 * match, or to the few of a request.
 */
function runOf(to: Walk, days: readonly Stretch[]): readonly Stretch[] {
  const { daysTogetherMax = 1 } = to.tables
  const isSimple = ({ day }: Stretch): boolean => {
    const { leading, filters, times } = accessTo(to, day)
    return isOfRequest(to) || (leading.length > 0 && filters.length === 0 && times.length === 0)
  }
  const end = days.findIndex((day) => !isSimple(day))
  return days.slice(0, Math.max(1, Math.min(end < 0 ? days.length : end, daysTogetherMax)))
}

/**
 * Queries several days with one statement, which stops at the day at which it has enough. Only for an engine on which
 * readers delay the dropping of a partition.
 */
async function readTogether(to: Walk, days: readonly Stretch[], limit: number): Promise<DayPage> {
  const parts = days.map((day) => sql`(${found(to, day, limit)})`)
  const { rows } = await sql<Row & { day: number }>`select * from (${sql.join(parts, sql` union all `)}) as found
    limit ${sql.lit(limit + 1)}`.execute(to.reader)
  return { rows: rows.slice(0, limit), looked: rows.length, end: rows.length > limit ? rows[limit - 1] : undefined }
}

/** One row more than requested shows whether there is a next page. */
function found(to: Walk, day: Stretch, limit: number) {
  const { leading, filters, times } = accessTo(to, day.day)
  let rows = candidates(to, day, [...leading, ...filters])
  for (const [operator, time] of times) rows = rows.where(timeColumn(to), operator, time)
  const columns = to.records === 'events' ? eventReadColumns : auditReadColumns
  return rows.select([...columns, 'day'] as ('sequence' | 'day')[]).limit(limit + 1)
}

async function readDay(to: Walk, day: Stretch, { limit, looks }: Bounds): Promise<DayPage> {
  if (day.from > day.to) return { rows: [], looked: 0 }
  const { leading, filters, times } = accessTo(to, day.day)
  const isFiltered = filters.length > 0 || times.length > 0
  const looksOfLead = isOfRequest(to) ? Math.min(looks, requestRowsMax) : looks
  // If every examined row matches, the limit alone bounds the work.
  const end = isFiltered && day.rows > looksOfLead ? await sequenceAt(to, day, leading, looksOfLead) : undefined
  const page = found(to, end === undefined ? day : cutAt(to, day, end), limit)
  const rows: Row[] = await readUnlessDropped(to, to.records, day.day, () => page.execute())
  const looked = isFiltered && !isOfRequest(to) ? Math.min(day.rows, looks) : rows.length
  const last = rows.length > limit ? rows[limit - 1]?.sequence : end
  return {
    rows: rows.slice(0, limit),
    looked: looked + requestLooks(to, day),
    end: last === undefined ? undefined : { day: day.day, sequence: last }
  }
}

/** Besides the rows that it finds, a search for a request examines every stretch of the day. */
const requestLooks = (to: Walk, { from, to: last }: Range): number =>
  isOfRequest(to) ? (to.tables.requestLooks?.(from, last) ?? 0) : 0

const cutAt = (to: Walk, span: Stretch, end: number): Stretch =>
  isNewestFirst(to) ? { ...span, from: end } : { ...span, to: end }

type AnyRows = SelectQueryBuilder<Tables, 'events', object>

/**
 * Rows of the workspace in a range of sequences, in the order of the walk. The few rows of a request are in an
 * unordered index. Every other column is then in an expression that no index serves: an engine without statistics would
 * prefer an ordered index, or that of the token or the action, which leads through a whole day.
 */
function candidates(to: Walk, { day, from, to: last }: Stretch, conditions: Conditions): AnyRows {
  const sequence = isOfRequest(to) ? sql<number>`+sequence` : sql.ref<number>('sequence')
  // Both tables have the columns that are named here; the types of a query cannot express "either table".
  const table = to.records === 'events' ? to.tables.events(to.reader, day) : to.tables.audit(to.reader, day)
  let rows = (table as AnyRows)
    .where('workspace_id', '=', to.query.workspaceId)
    .where(sequence, '>=', from)
    .where(sequence, '<=', last)
  const ofRequest = isOfRequest(to) ? to.tables.requestCondition?.(from, last) : undefined
  if (ofRequest) rows = rows.where(ofRequest)
  for (const [column, value, operator = '='] of conditions) {
    const isAside = isOfRequest(to) && column !== 'request_id'
    rows = rows.where(isAside ? sql<string>`${sql.ref(column)} || ''` : sql.ref<string>(column), operator, value)
  }
  return rows.orderBy(sequence, isNewestFirst(to) ? 'desc' : 'asc')
}

/** The sequence of the last row that may be examined, if there are more; read from an index only. */
async function sequenceAt(to: Walk, span: Stretch, conditions: Conditions, looks: number) {
  const place = candidates(to, span, conditions)
    .select('sequence')
    .offset(looks - 1)
    .limit(1)
  const [row] = await readUnlessDropped(to, to.records, span.day, () => place.execute())
  return row?.sequence
}

type TimeCondition = readonly [operator: '>=' | '<', time: number]

/** The time bounds that cut through a day; days entirely between them need none. */
function timeConditions({ query }: Walk, day: number): readonly TimeCondition[] {
  const conditions: TimeCondition[] = []
  if (query.from !== undefined && query.from > day * dayMs) conditions.push(['>=', query.from])
  if (query.to !== undefined && query.to < (day + 1) * dayMs) conditions.push(['<', query.to])
  return conditions
}
