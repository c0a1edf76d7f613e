/**
 * Makes many days out of a few, inside the engine: each later day is a copy of an appended one with shifted sequences,
 * times and ids, with its counts, and with what retention would have left of ids and minutes.
 */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { Kysely, PostgresDialect } from 'kysely'
import { minuteRollupDays } from '../src/service/upkeep/maintenance.ts'
import { postgresTables } from '../src/store/postgres/tables.ts'
import { hoursPerDay, recordColumns, type Tables } from '../src/store/tables/schema.ts'
import { dayTable, dayTableStatements } from '../src/store/sqlite/day-table.ts'
import { idempotencyDays } from '../src/store/store.ts'
import { dayMs, Progress, workspaceId, type Span } from './store-scale-load.ts'

/** Where the engines differ in copying. */
export interface CopyEngine extends AsyncDisposable {
  /** The last assigned sequence. */
  counter(): Promise<number>
  /** The table that holds a day's events. */
  tableOf(day: number): string
  ensureDay(day: number): Promise<void>
  /** SQL for an id derived from another one and as random. */
  idOf(column: string, days: number): string
  /** Runs the statements in one transaction that locks the workspace first. */
  commit(statements: readonly string[]): Promise<void>
}

interface Copy {
  /** The day that is copied, counted from 1970. */
  readonly from: number
  /** How many days later the copy is. */
  readonly days: number
  /** The offset of its sequences. */
  readonly sequences: number
  readonly hasIds: boolean
  readonly hasMinutes: boolean
}

/** `insert into ... select` of all columns, with some of them replaced. */
function insert(
  tables: { readonly into: string; readonly from: string },
  columns: readonly string[],
  changed: Readonly<Record<string, string>>,
  where: string
): string {
  const values = columns.map((column) => changed[column] ?? column)
  return `insert into ${tables.into} (${columns.join(', ')}) select ${values.join(', ')} from ${tables.from}
    where workspace_id = '${workspaceId}' and ${where}`
}

const within = (table: string) => ({ into: table, from: table })

function copyEvents(engine: CopyEngine, { from, days, sequences }: Copy): string {
  const ms = days * dayMs
  const changed = {
    sequence: `sequence + ${sequences}`,
    day: `day + ${days}`,
    event_id: engine.idOf('event_id', days),
    request_id: engine.idOf('request_id', days),
    occurred_at: `occurred_at + ${ms}`,
    received_at: `received_at + ${ms}`
  }
  const tables = { into: engine.tableOf(from + days), from: engine.tableOf(from) }
  return insert(tables, Object.keys(recordColumns.events), changed, `day = ${from}`)
}

function copyIds(engine: CopyEngine, { from, days }: Copy): string {
  const changed = { event_id: engine.idOf('event_id', days), day: `day + ${days}` }
  const columns = ['workspace_id', 'lineage_id', 'event_id', 'day']
  return insert(within('event_keys'), columns, changed, `day = ${from}`)
}

const rollupColumns = ['workspace_id', 'dimension', 'at', 'value', 'kind', 'action', 'events', 'entities_masked']

function copyRollup(table: 'rollup_minute' | 'rollup_hour', { from, days }: Copy): string {
  const ofDay = `at >= ${from * dayMs} and at < ${(from + 1) * dayMs}`
  return insert(within(table), rollupColumns, { at: `at + ${days * dayMs}` }, ofDay)
}

function copyHours({ from, days, sequences }: Copy): string {
  const ofDay = `records = 'events' and hour >= ${from * hoursPerDay} and hour < ${(from + 1) * hoursPerDay}`
  const changed = {
    hour: `hour + ${days * hoursPerDay}`,
    first_sequence: `first_sequence + ${sequences}`,
    last_sequence: `last_sequence + ${sequences}`
  }
  const columns = ['workspace_id', 'records', 'hour', 'rows', 'first_sequence', 'last_sequence']
  return insert(within('record_hours'), columns, changed, ofDay)
}

/** Copies one day, its counts and the counter of the workspace in one commit, as an instance would. */
async function copyDay(engine: CopyEngine, copy: Copy): Promise<void> {
  await engine.ensureDay(copy.from + copy.days)
  await engine.commit([
    copyEvents(engine, copy),
    copyRollup('rollup_hour', copy),
    copyHours(copy),
    ...(copy.hasIds ? [copyIds(engine, copy)] : []),
    ...(copy.hasMinutes ? [copyRollup('rollup_minute', copy)] : []),
    `update workspace_counters set sequence = (select max(last_sequence) from record_hours
      where workspace_id = '${workspaceId}') where workspace_id = '${workspaceId}'`
  ])
}

const readCounter = `select sequence from workspace_counters where workspace_id = '${workspaceId}'`

export function postgresEngine(url: string): CopyEngine {
  // Without the store's statement timeouts: a whole day is one statement here.
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    counter: async () => Number((await pool.query<{ sequence: string }>(readCounter)).rows[0]?.sequence),
    tableOf: () => 'events',
    ensureDay: (day) => db.transaction().execute((transaction) => postgresTables.ensureDay(transaction, 'events', day)),
    idOf: (column, days) => `md5(${column} || '+${days}')::uuid::text`,
    async commit(statements) {
      const client = await pool.connect()
      for (const statement of ['begin', `${readCounter} for update`, ...statements, 'commit']) {
        await client.query(statement)
      }
      client.release()
    },
    [Symbol.asyncDispose]: () => db.destroy()
  }
}

/** @param file of a store that is open: this is an additional connection, which takes the same locks as any other */
export function sqliteEngine(file: string): CopyEngine {
  const db = new DatabaseSync(file, { timeout: 60_000 })
  // The data that is loaded here need not survive a crash.
  db.exec('pragma synchronous = off; pragma cache_size = -262144')
  db.function('other_id', { deterministic: true }, (id, days) => {
    const hex = createHash('md5')
      .update(`${String(id)}+${String(days)}`)
      .digest('hex')
    return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  })
  return {
    counter: async () => Number(db.prepare(readCounter).get()?.['sequence']),
    tableOf: (day) => dayTable('events', day),
    ensureDay: async (day) => {
      for (const statement of dayTableStatements('events', day)) db.exec(statement)
    },
    idOf: (column, days) => `other_id(${column}, ${days})`,
    commit: async (statements) => {
      for (const statement of ['begin immediate', ...statements, 'commit']) db.exec(statement)
    },
    [Symbol.asyncDispose]: async () => db.close()
  }
}

/**
 * Copies the appended days until there are as many as requested.
 * @param to.appended days that already exist, at the beginning of the span
 */
export async function copyDays(
  engine: CopyEngine,
  span: Span,
  { appended }: { readonly appended: number }
): Promise<void> {
  const last = await engine.counter()
  const progress = new Progress('copied', (span.days - appended) * span.eventsOfDay)
  for (let day = appended; day < span.days; day++) {
    const round = Math.floor(day / appended)
    await copyDay(engine, {
      from: span.start / dayMs + (day % appended),
      days: round * appended,
      sequences: round * last,
      hasIds: day >= span.days - idempotencyDays,
      hasMinutes: day >= span.days - minuteRollupDays
    })
    progress.add(span.eventsOfDay)
  }
}
