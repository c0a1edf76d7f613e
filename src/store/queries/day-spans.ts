/** Reads across days. */
import { sql, type Kysely } from 'kysely'
import type { RecordTables } from '../tables/record-tables.ts'
import { hoursPerDay, type RecordKind, type Tables } from '../tables/schema.ts'

/** Where rows are read from. */
export interface RecordSource {
  readonly reader: Kysely<Tables>
  readonly tables: RecordTables
}

/** The day of an hour, both counted from 1970, in a query of `record_hours`. */
export const dayOfHour = sql<number>`hour / ${sql.lit(hoursPerDay)}`

/** Reads from one day, and finds nothing if retention has dropped the day since it was looked up. */
export async function readUnlessDropped<Row>(
  { reader, tables }: RecordSource,
  records: RecordKind,
  day: number,
  read: () => Promise<Row[]>
): Promise<Row[]> {
  try {
    return await read()
  } catch (error) {
    const days = await tables.days(reader, records)
    if (days.includes(day)) throw error
    return []
  }
}

/** A day, and its smallest sequence. */
interface DayStart {
  readonly day: number
  readonly first: number
}

/**
 * Reads the first `limit` rows of several days in the order of sequences, which may differ from the order of days if a
 * clock was set back. A day is read only if it can hold one of them: usually one, or two around midnight.
 * @param to.read returns the first `limit` rows of a day in order
 */
export async function readInSequence<Row>(to: {
  readonly spans: readonly DayStart[]
  readonly limit: number
  readonly sequenceOf: (row: Row) => number
  readonly read: (day: number) => Promise<readonly Row[]>
}): Promise<Row[]> {
  const { spans, limit, sequenceOf, read } = to
  let rows: Row[] = []
  for (const { day, first } of spans.toSorted((a, b) => a.first - b.first)) {
    const last = rows[limit - 1]
    if (last !== undefined && first > sequenceOf(last)) break
    rows = [...rows, ...(await read(day))].sort((a, b) => sequenceOf(a) - sequenceOf(b)).slice(0, limit)
  }
  return rows
}
