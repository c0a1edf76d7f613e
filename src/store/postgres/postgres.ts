/** The engine for several instances: one PostgreSQL database that they all share. See docs/scaling.md. */
import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { createAccountRegisters } from '../queries/account-registers.ts'
import { closeWriter, createAuditRegisters } from '../queries/audit-registers.ts'
import { createExports } from '../queries/exports.ts'
import { Gate } from '../gate.ts'
import { GroupCommit } from '../group-commit.ts'
import { createJournal } from '../queries/journal.ts'
import { maintain } from '../queries/maintenance.ts'
import type { ExistingDatabase } from '../open.ts'
import { migrate, stepsDue } from '../tables/migrations.ts'
import { PostgresAppender } from './append.ts'
import { PostgresChanges } from './changes.ts'
import { connectionsMin, openPool, withSessions, type PostgresOptions } from './connection.ts'
import { postgresTables, tryLock } from './tables.ts'
import { readPackedSteps } from './series.ts'
import { createRegisters, type Databases } from '../queries/registers.ts'
import { createSensorRegisters } from '../queries/sensor-registers.ts'
import { createSeries } from '../queries/series.ts'
import { recordKinds, type RecordKind, type Tables } from '../tables/schema.ts'
import { StoreError, type AppendBatch, type MaintenancePlan, type MaintenanceReport, type Store } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

/** The first version that can detach a partition without locking out readers and writers. */
const versionMin = 14
const dedicatedConnections = 2
const closeTimeoutMs = 10_000

const openDatabase = (options: PostgresOptions, limits: Parameters<typeof openPool>[1]): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(options, limits) }) })

/** @throws StoreError if the server cannot hold the store */
async function checkServer(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number; is_standby: boolean; encoding: string; may_create: boolean }>`
    select current_setting('server_version_num')::int / 10000 as version, pg_is_in_recovery() as is_standby,
      current_setting('server_encoding') as encoding,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create`.execute(db)
  const [server] = rows
  if (!server || server.version < versionMin) {
    throw new StoreError('unavailable', `It must be PostgreSQL ${versionMin} or newer.`)
  }
  if (server.is_standby) throw new StoreError('unavailable', 'It is a standby, which can only be read.')
  if (!server.may_create) throw new StoreError('unavailable', 'Its user may not make tables in its schema.')
  if (server.encoding !== 'UTF8') throw new StoreError('unavailable', 'Its encoding must be UTF8.')
}

/** Migrates on a separate connection, which may wait for another instance that is migrating. */
async function prepareDatabase(options: PostgresOptions): Promise<void> {
  const db = openDatabase(options, { max: 1, hasNoTimeouts: true })
  try {
    await checkServer(db)
    await migrate(db, postgresTables)
  } catch (error) {
    throw aboutDatabase(error)
  } finally {
    await db.destroy()
  }
}

const withKnownSessions = (options: PostgresOptions): Promise<PostgresOptions> =>
  withSessions(options).catch((error: unknown) => {
    throw aboutDatabase(error)
  })

/** Errors of opening name the variable, since that is what the operator has to examine. */
const aboutDatabase = (error: unknown): unknown =>
  error instanceof StoreError
    ? new StoreError(error.code, `The database of DATABASE_URL cannot be opened. ${error.message}`)
    : error

/**
 * Opens the database without changing it.
 * @throws StoreError if it cannot be reached, or the server cannot hold the store
 */
export async function openExistingPostgres(given: PostgresOptions): Promise<ExistingDatabase> {
  const options = await withKnownSessions(given)
  const db = openDatabase(options, { max: 1 })
  const { getMeta } = createRegisters({ reader: db, writer: db, tables: postgresTables, writerId: '' })
  try {
    await checkServer(db)
  } catch (error) {
    await db.destroy()
    throw aboutDatabase(error)
  }
  return { getMeta, stepsDue: () => stepsDue(db, postgresTables), [Symbol.asyncDispose]: () => db.destroy() }
}

const makeDay = (db: Kysely<Tables>, records: RecordKind, day: number): Promise<void> =>
  db.transaction().execute((transaction) => postgresTables.ensureDay(transaction, records, day))

/** Holds the lock in a transaction that does nothing else, for as long as the work takes. */
const exclusively = <T>(db: Kysely<Tables>, work: () => Promise<T>): Promise<T | undefined> =>
  db.transaction().execute(async (transaction) => {
    if (!(await tryLock(transaction, 'maintenance'))) return undefined
    // Last, since a statement without parameters leaves no portal open, and therefore no snapshot for which the
    // detaching of a partition would wait.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction)
    return await work()
  })

async function databaseBytes(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** Also creates tomorrow's partitions, so that no record of the new day has to wait for one. */
async function maintainDays(databases: Databases, plan: MaintenancePlan): Promise<MaintenanceReport> {
  const db = databases.writer
  for (const records of recordKinds) await makeDay(db, records, Math.floor(plan.now / dayMs) + 1)
  const engine = {
    ...databases,
    bytes: () => databaseBytes(db),
    // The server's own autovacuum does this.
    reclaim: async () => {},
    exclusively: <T>(work: () => Promise<T>) => exclusively(db, work)
  }
  return await maintain(engine, plan)
}

async function refuseBackup(): Promise<never> {
  throw new StoreError('invalid', 'Copies of a PostgreSQL database are made with pg_dump; see docs/backup.md.')
}

/**
 * Opens the store in a PostgreSQL database, creating what is missing and migrating the database.
 * @throws StoreError `unavailable` with the reason
 */
export async function openPostgresStore(given: PostgresOptions): Promise<Store> {
  if (given.connectionsMax < connectionsMin) throw new RangeError(`connectionsMax must be at least ${connectionsMin}`)
  const options = await withKnownSessions(given)
  await prepareDatabase(options)
  const db = openDatabase(options, { max: options.connectionsMax - dedicatedConnections })
  const writerId = randomUUID()
  const databases: Databases = { reader: db, writer: db, tables: postgresTables, writerId }
  const appender = new PostgresAppender({ options, writerId, ensureDay: (records, day) => makeDay(db, records, day) })
  const commits = new GroupCommit((batches) => appender.append(batches()))
  const changes = new PostgresChanges(options)
  const gate = new Gate()
  const methods = gate.guard({
    ...createRegisters(databases),
    ...createAccountRegisters(databases),
    ...createAuditRegisters(databases),
    ...createJournal(databases),
    ...createExports(databases),
    ...createSensorRegisters(databases),
    ...createSeries(db, readPackedSteps),
    append: (batch: AppendBatch) => commits.append(batch),
    maintain: (plan: MaintenancePlan) => maintainDays(databases, plan),
    backup: refuseBackup
  })

  async function shutDown(): Promise<void> {
    await gate.shut(closeTimeoutMs)
    // An unreachable database must not keep the store from closing; another instance then finds this writer lost.
    await closeWriter(databases, Date.now()).catch(() => {})
    await Promise.all([changes.close(), appender.close(), db.destroy()])
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= shutDown())
  const onChange = (listener: () => void) => changes.onChange(listener)
  return { ...methods, writerId, onChange, close, [Symbol.asyncDispose]: close }
}
