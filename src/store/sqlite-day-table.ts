/** The table that holds the events or the audit rows of one day, and its indexes. */
import { columnList, recordIndexes, type RecordKind } from './schema.ts'

export const dayTable = (records: RecordKind, day: number): string => `${records}_${day}`

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
      return `create index if not exists ${dayIndex(records, day, name)} on ${table} (${columns.join(', ')})${filter}`
    })
  ]
}
