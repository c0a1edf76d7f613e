/** The table that holds the events or the audit rows of one day, and its indexes. */
import { columnList, recordIndexes, type RecordKind } from '../tables/schema.ts'

/** Sequences that lie together in the index of requests, a power of two. */
const sequencesPerStretch = 8192

/**
 * Which stretch of sequences a row stands in. The index of requests leads by it: ids are random, and without it every
 * row of a commit would change a page of its own of an index of the whole day, which was half of all that was written.
 * A search goes through the stretches one by one, each about a microsecond.
 */
export const stretchColumn = `sequence / ${sequencesPerStretch}`

/** Stretch of a sequence. */
export const stretchOf = (sequence: number): number => Math.floor(sequence / sequencesPerStretch)

/** Columns of an index as this engine orders them. */
const indexColumns = (columns: readonly string[]): string =>
  columns.flatMap((column) => (column === 'request_id' ? [stretchColumn, column] : [column])).join(', ')

/** @param day days since 1970, UTC */
export const dayTable = (records: RecordKind, day: number): string => `${records}_${day}`

/** The index of that name on the table of a day. */
export const dayIndex = (records: RecordKind, day: number, name: string): string =>
  `${dayTable(records, day)}_by_${name}`

/** What makes the table of a day; does nothing where it stands. */
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
