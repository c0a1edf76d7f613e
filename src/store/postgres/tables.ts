/** Events and audit rows on PostgreSQL: two tables, each partitioned by day. */
import { sql, type Kysely, type Transaction } from 'kysely'
import { changeChannel } from './changes.ts'
import type { RecordTables } from '../tables/record-tables.ts'
import { columnList, recordIndexes, recordKinds, type RecordKind, type Tables } from '../tables/schema.ts'

/** Namespace of our advisory locks within the database (an arbitrary number), and what is locked. */
const lockSpace = 1_936_483_683
const locks = { migrations: 1, partitions: 2, maintenance: 3 } as const
type LockName = keyof typeof locks

type AnyTransaction = Kysely<Tables> | Kysely<unknown>

/** Waits for a lock that ends with the transaction, which works through a connection pooler. */
async function lock(transaction: AnyTransaction, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockSpace}::int, ${locks[name]}::int)`.execute(transaction)
}

/** @returns whether the lock was free and is now held until the transaction ends */
export async function tryLock(transaction: AnyTransaction, name: LockName): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${lockSpace}::int, ${locks[name]}::int) as held`.execute(transaction)
  return rows[0]?.held === true
}

const run = async (db: AnyTransaction, ...statements: string[]): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const partition = (records: RecordKind, day: number): string => `${records}_${day}`
const quoted = (name: string): string => `"${name}"`

/**
 * Orders texts by their bytes, as on the other engine, whatever collation the database was created with. It also makes
 * text keys cheaper to compare.
 */
const orderByBytes = `do $$
  declare found record;
  begin
    for found in
      select table_name, string_agg(format('alter column %I type text collate "C"', column_name), ', ') as changes
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = current_schema() and data_type = 'text' and table_type = 'BASE TABLE'
        and table_name not like 'kysely%'
      group by table_name
    loop
      execute format('alter table %I %s', found.table_name, found.changes);
    end loop;
  end $$`

/** Notifies all instances when a transaction that moves the change counter commits, whoever runs it. */
const notifyChanges = [
  `create function sluice_notify_change() returns trigger language plpgsql as
    $$ begin perform pg_notify('${changeChannel}', ''); return null; end $$`,
  `create trigger change_counter_moved after update on change_counter
    for each statement execute function sluice_notify_change()`
]

/** The state of a partition: missing, attached, half detached by an interrupted statement, or detached. */
type PartitionState = 'missing' | 'attached' | 'detaching' | 'detached'

async function stateOf(db: AnyTransaction, records: RecordKind, day: number): Promise<PartitionState> {
  const { rows } = await sql<{ parent: string | null; detaching: boolean | null }>`
    select parent.relname as parent, link.inhdetachpending as detaching from pg_class
    left join pg_inherits link on link.inhrelid = pg_class.oid
    left join pg_class parent on parent.oid = link.inhparent
    where pg_class.relname = ${partition(records, day)} and pg_class.relnamespace = current_schema()::regnamespace
  `.execute(db)
  const [row] = rows
  if (!row) return 'missing'
  if (row.parent === null) return 'detached'
  return row.detaching === true ? 'detaching' : 'attached'
}

/**
 * Created separately and then attached, which does not block readers and writers of other days, as `create table ...
 * partition of` would.
 */
async function createPartition(transaction: AnyTransaction, records: RecordKind, day: number): Promise<void> {
  const name = partition(records, day)
  const indexes = recordIndexes[records].map(({ name: index, columns, where }) => {
    const condition = where === undefined ? '' : ` where ${where}`
    return `create index ${quoted(`${name}_${index}`)} on ${quoted(name)} (${columns.join(', ')})${condition}`
  })
  await run(
    transaction,
    `create table ${quoted(name)} (like ${records}, primary key (workspace_id, sequence))`,
    ...indexes,
    `alter table ${records} attach partition ${quoted(name)} for values in (${day})`
  )
}

export const postgresTables: RecordTables = {
  async createParents(transaction) {
    for (const records of recordKinds) {
      await run(transaction, `create table ${records} (${columnList(records)}) partition by list (day)`)
    }
    await run(transaction, orderByBytes, ...notifyChanges)
  },

  lockMigrations: (transaction) => lock(transaction, 'migrations'),

  tableOf: (records) => records,

  async ensureDay(transaction: Transaction<Tables>, records, day) {
    if ((await stateOf(transaction, records, day)) === 'attached') return
    await lock(transaction, 'partitions')
    if ((await stateOf(transaction, records, day)) === 'missing') await createPartition(transaction, records, day)
  },

  events: (db, day) => db.selectFrom('events').where('day', '=', day),
  audit: (db, day) => db.selectFrom('audit').where('day', '=', day),

  daysTogetherMax: 32,

  async days(db, records) {
    const { rows } = await sql<{ day: string }>`
      select substring(relname from '_(-?[0-9]+)$') as day from pg_class
      where relname ~ ${`^${records}_-?[0-9]+$`} and relkind = 'r' and relnamespace = current_schema()::regnamespace
    `.execute(db)
    return rows.map(({ day }) => Number(day)).toSorted((a, b) => a - b)
  },

  // Space freed here belongs to the whole server, whose disk is not ours to clear in a hurry.
  dropIndexes: async () => {},

  /**
   * Detached first, without a lock for which readers and writers of other days would have to wait; after that nobody
   * uses it.
   */
  async dropDay(db, records, day) {
    const name = quoted(partition(records, day))
    const state = await stateOf(db, records, day)
    if (state === 'missing') return
    if (state === 'attached') await run(db, `alter table ${records} detach partition ${name} concurrently`)
    if (state === 'detaching') await run(db, `alter table ${records} detach partition ${name} finalize`)
    await run(db, `drop table if exists ${name}`)
  }
}
