/** Events and audit rows on SQLite: one table per day, created when its first row is written. */
import { sql, type Kysely, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { RecordTables } from '../tables/record-tables.ts'
import { recordIndexes, type RecordKind, type Tables } from '../tables/schema.ts'
import { dayIndex, dayTable, dayTableStatements, stretchColumn, stretchOf } from './day-table.ts'

/**
 * Dropping a table visits each of its pages in one go, about 1 µs per row; a larger table is first reduced to this
 * size.
 */
const rowsDroppedAtOnce = 200_000
/** Rows deleted per step: a few megabytes of log, and therefore about ten milliseconds. */
const rowsPerStep = 4000

const run = async (db: Kysely<Tables>, statement: string) => await sql.raw(statement).execute(db)

/** Deletes rows in the order of arrival until few enough are left. */
async function cutDown(db: Kysely<Tables>, table: string): Promise<void> {
  const last = await sql<{ last: number | null }>`select max(rowid) as last from ${sql.table(table)}`.execute(db)
  const end = (last.rows[0]?.last ?? 0) - rowsDroppedAtOnce
  const step = `delete from ${table} where rowid in (select rowid from ${table} where rowid <= ${end} limit ${rowsPerStep})`
  while (((await run(db, step)).numAffectedRows ?? 0n) > 0n);
}

export const sqliteTables: RecordTables = {
  createParents: async () => {},
  // `begin immediate` locks the others out.
  lockMigrations: async () => {},
  tableOf: <Kind extends RecordKind>(records: Kind, day: number) => dayTable(records, day) as Kind,
  ensureDay: async (transaction, records, day) => {
    for (const statement of dayTableStatements(records, day)) await run(transaction, statement)
  },
  events: (db, day) =>
    db.selectFrom(`${dayTable('events', day)} as events` as 'events') as SelectQueryBuilder<Tables, 'events', object>,
  audit: (db, day) =>
    db.selectFrom(`${dayTable('audit', day)} as audit` as 'audit') as SelectQueryBuilder<Tables, 'audit', object>,
  requestCondition: (from, to) => sql<SqlBool>`${sql.raw(stretchColumn)} in (
    with recursive stretch (number) as (
      values (${stretchOf(from)}) union all select number + 1 from stretch where number < ${stretchOf(to)})
    select number from stretch)`,
  requestLooks: (from, to) => stretchOf(to) - stretchOf(from) + 1,
  days: async (db, records) => {
    const pattern = `${records}_[0-9]*`
    const tables = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table' and name glob ${pattern}`.execute(db)
    return tables.rows.map(({ name }) => Number(name.slice(records.length + 1))).sort((a, b) => a - b)
  },
  dropIndexes: async (db, records, day) => {
    for (const { name } of recordIndexes[records]) await run(db, `drop index if exists ${dayIndex(records, day, name)}`)
  },
  dropDay: async (db, records, day) => {
    const table = dayTable(records, day)
    await run(db, `drop index if exists ${dayIndex(records, day, 'sequence')}`)
    // A disk without room for the log of these steps has enough for that of the drop.
    await cutDown(db, table).catch(() => {})
    await run(db, `drop table if exists ${table}`)
  }
}
