/** What a page of records is to contain, and the days that it covers. */
import type { Kysely } from 'kysely'
import type { Position } from './cursor.ts'
import { dayOfHour, type RecordSource } from './day-spans.ts'
import { hoursPerDay, type EventColumns, type RecordKind, type Tables } from '../tables/schema.ts'
import type { PageQuery } from '../store.ts'
import { hourMs } from '../../timing/spans.ts'

/** Columns that must have a value, in the order of preference for an index. */
export type Conditions = readonly (readonly [column: string, value: string, operator?: '=' | 'like'])[]

export interface Walk extends RecordSource {
  readonly records: RecordKind
  readonly query: PageQuery
  readonly conditions: Conditions
}

/** Whether the index of requests is used. */
export const isOfRequest = ({ conditions }: Walk): boolean => conditions[0]?.[0] === 'request_id'

/** The default order of a page. */
export const isNewestFirst = ({ query }: Walk): boolean => query.order !== 'oldest'

export type Row = Pick<EventColumns, 'sequence'>

/** Queries the hours in which a workspace has rows. */
export const hoursOf = (reader: Kysely<Tables>, workspaceId: string, records: RecordKind) =>
  reader.selectFrom('record_hours').where('workspace_id', '=', workspaceId).where('records', '=', records)

/** A day with rows in the requested time, and the sequences of the hours that have some. */
export interface DaySpan {
  readonly day: number
  readonly rows: number
  readonly first: number
  readonly last: number
}

/** The days with rows of the workspace between `from` and `to`, in the order of the walk, starting at `start`. */
export async function daySpans(to: Walk, start: Position | undefined): Promise<DaySpan[]> {
  const { from, to: end } = to.query
  let hours = hoursOf(to.reader, to.query.workspaceId, to.records)
  if (from !== undefined) hours = hours.where('hour', '>=', Math.floor(from / hourMs))
  if (end !== undefined) hours = hours.where('hour', '<', Math.ceil(end / hourMs))
  if (start && isNewestFirst(to)) hours = hours.where('hour', '<', (start.day + 1) * hoursPerDay)
  if (start && !isNewestFirst(to)) hours = hours.where('hour', '>=', start.day * hoursPerDay)
  const days = await hours
    .select((row) => [
      dayOfHour.as('day'),
      row.fn.sum('rows').as('rows'),
      row.fn.min('first_sequence').as('first'),
      row.fn.max('last_sequence').as('last')
    ])
    .groupBy(dayOfHour)
    .orderBy(dayOfHour, isNewestFirst(to) ? 'desc' : 'asc')
    .execute()
  return days.map((row) => ({
    day: row.day,
    rows: Number(row.rows),
    first: row.first,
    last: row.last
  }))
}

/** The column to which `from` and `to` of a query apply: when the service received the row. */
export const timeColumn = ({ records }: Walk) => (records === 'events' ? 'received_at' : ('at' as 'received_at'))
