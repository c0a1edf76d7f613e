/** The table that holds the events or the audit rows of one day, and its indexes. */
import { columnList, recordIndexes, type RecordKind } from '../tables/schema.ts'

/** Number of consecutive sequences that are adjacent in the index of requests; a power of two. */
const sequencesPerStretch = 8192

/**
 * The stretch of sequences to which a row belongs; the leading column of the index of requests. Ids are random: without
 * it, every row of a commit would change a different page of the day's index, which was half of all that was written. A
 * search examines the stretches one by one, each in about a microsecond.
 */
export const stretchColumn = `sequence / ${sequencesPerStretch}`

/** Stretch of a sequence. */
export const stretchOf = (sequence: number): number => Math.floor(sequence / sequencesPerStretch)

/** Columns of an index in this engine's order. */
const indexColumns = (columns: readonly string[]): string =>
  columns.flatMap((column) => (column === 'request_id' ? [stretchColumn, column] : [column])).join(', ')

/** @param day days since 1970, UTC */
export const dayTable = (records: RecordKind, day: number): string => `${records}_${day}`

/** The index of that name on the table of a day. */
export const dayIndex = (records: RecordKind, day: number, name: string): string =>
  `${dayTable(records, day)}_by_${name}`

/** The statements that create the table of a day; they do nothing if it exists. */
export function dayTableStatements(records: RecordKind, day: number): string[] {
  const table = dayTable(records, day)
  return [
    `create table if not exists ${table} (${columnList(records)})`,
    `create unique index if not exists ${dayIndex(records, day, 'sequence')} on ${table} (workspace_id, sequence)`,
    ...recordIndexes[records].map(({ name, columns, where }) => {
      const filter = where === undefined ? '' : ` where ${where}`
      return `create index if not exists ${dayIndex(records, day, name)} on ${table} (${indexColumns(columns)})${filter}`
    })
  ]
}
