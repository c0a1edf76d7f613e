/**
 * The migrations that bring a database of any earlier version up to date. Forward only: a released step is never
 * changed, and names sort in the order of the steps. The statements work on every engine.
 */
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { RecordTables } from './record-tables.ts'
import type { Tables } from './schema.ts'
import { StoreError } from '../store.ts'

const registers = [
  `create table workspaces (id text primary key, name text not null, created_at bigint not null)`,
  `create table workspace_counters (
    workspace_id text primary key references workspaces (id), sequence bigint not null)`,
  `create table tokens (
    id text primary key, workspace_id text not null references workspaces (id), lineage_id text not null,
    hash text not null, label text not null, scopes text not null, created_at bigint not null,
    expires_at bigint, revoked_at bigint, change bigint not null)`,
  `create index tokens_by_workspace on tokens (workspace_id, change)`,
  `create index tokens_by_change on tokens (change)`,
  `create table token_uses (token_id text primary key, last_used_at bigint not null)`,
  `create table policy_revisions (
    workspace_id text not null references workspaces (id), sequence bigint not null, revision text not null,
    mcp_tool_policy text not null, redaction_profile text not null, author text not null, note text not null,
    published_at bigint not null, primary key (workspace_id, sequence))`,
  `create table meta (key text primary key, value text not null)`,
  `create table change_counter (id integer primary key, value bigint not null)`,
  `insert into change_counter (id, value) values (1, 0)`
]

const rollup = (table: string): string[] => [
  `create table ${table} (
    workspace_id text not null, dimension text not null, at bigint not null, value text not null, kind text not null,
    action text not null, events bigint not null, entities_masked bigint not null,
    primary key (workspace_id, dimension, at, value, kind, action))`,
  `create index ${table}_by_time on ${table} (at)`
]

const records = [
  `create table event_keys (
    workspace_id text not null, lineage_id text not null, event_id text not null, day bigint not null,
    primary key (workspace_id, lineage_id, event_id))`,
  `create index event_keys_by_day on event_keys (day)`,
  `create table record_hours (
    workspace_id text not null, records text not null, hour bigint not null, rows bigint not null,
    first_sequence bigint not null, last_sequence bigint not null, primary key (workspace_id, records, hour))`,
  `create index record_hours_by_hour on record_hours (records, hour)`,
  `create table audit_writer_days (
    workspace_id text not null, writer_id text not null, day bigint not null, first_sequence bigint not null,
    last_sequence bigint not null, primary key (workspace_id, writer_id, day))`,
  ...rollup('rollup_minute'),
  ...rollup('rollup_hour'),
  `create table audit_writers (
    workspace_id text not null, writer_id text not null, rows bigint not null, hash text not null,
    started_at bigint not null, last_at bigint not null, closed_at bigint, primary key (workspace_id, writer_id))`,
  `create index audit_writers_by_writer on audit_writers (writer_id)`,
  `create index audit_writers_open on audit_writers (last_at) where closed_at is null`,
  `create table live_writers (writer_id text primary key, last_at bigint not null)`,
  `create table audit_roots (
    workspace_id text not null, sequence bigint not null, sealed_at bigint not null, payload text not null,
    hash text not null, signature text not null, primary key (workspace_id, sequence))`
]

const exports = [
  `create table leases (name text primary key, holder text not null, expires_at bigint not null)`,
  `create table export_cursors (
    name text not null, workspace_id text not null, sequence bigint not null, lost bigint not null,
    primary key (name, workspace_id))`
]

const sensors = [
  `create table sensors (
    workspace_id text not null, lineage_id text not null, sensor_id text not null, token_id text not null,
    first_seen_at bigint not null, last_seen_at bigint not null, report text not null,
    primary key (workspace_id, lineage_id, sensor_id))`,
  `create index sensors_by_time on sensors (workspace_id, last_seen_at)`
]

const accounts = [
  `create table users (
    id text primary key, workspace_id text not null references workspaces (id), name text not null, role text not null,
    provider text not null, issuer text, subject text, password text, created_at bigint not null, disabled_at bigint,
    last_sign_in_at bigint)`,
  `create unique index users_by_name on users (name)`,
  `create unique index users_by_subject on users (issuer, subject) where subject is not null`,
  `create table sessions (
    hash text primary key, user_id text not null references users (id), created_at bigint not null,
    last_used_at bigint not null, ends_at bigint not null)`,
  `create index sessions_by_user on sessions (user_id)`,
  `create index sessions_by_end on sessions (ends_at)`,
  `create table password_links (
    hash text primary key, workspace_id text not null references workspaces (id), user_id text references users (id),
    expires_at bigint not null)`,
  `create index password_links_by_user on password_links (user_id)`
]

const lostWriters = [`alter table audit_writers add column lost_at bigint`]

const run = async (db: Kysely<unknown>, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Kysely's own, which names the steps that were taken. */
const migrationTable = 'kysely_migration'

const migrations = (tables: RecordTables): Record<string, Migration> => ({
  '0001_registers': { up: (db) => run(db, registers) },
  '0002_records': {
    up: async (db) => {
      await run(db, records)
      await tables.createParents(db)
    }
  },
  '0003_exports': { up: (db) => run(db, exports) },
  '0004_sensors': { up: (db) => run(db, sensors) },
  '0005_accounts': { up: (db) => run(db, accounts) },
  '0006_lost_writers': { up: (db) => run(db, lostWriters) }
})

const newerVersion = () =>
  new StoreError('unavailable', 'The database was written by a newer version of the program; start that version.')

/**
 * How many steps {@link migrate} would take. Changes nothing.
 * @returns undefined if it would take all, since the database holds none of the tables
 * @throws StoreError if a newer version has used the database
 */
export async function stepsDue(db: Kysely<Tables>, tables: RecordTables): Promise<number | undefined> {
  const known = Object.keys(migrations(tables))
  const existing = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!existing.some(({ name }) => name === migrationTable)) return undefined
  const taken = await sql<{ name: string }>`select name from ${sql.table(migrationTable)}`.execute(db)
  if (taken.rows.some(({ name }) => !known.includes(name))) throw newerVersion()
  return known.length - taken.rows.length
}

/**
 * Migrates the database in one transaction: of several processes that start at once, one does the work while the others
 * wait for its lock and then find nothing to do; and a failed step leaves nothing behind.
 * @throws StoreError if a step fails or a newer version has used the database
 */
export async function migrate(db: Kysely<Tables>, tables: RecordTables): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await tables.lockMigrations(transaction)
    const provider = { getMigrations: async () => migrations(tables) }
    const { error } = await new Migrator({ db: transaction, provider }).migrateToLatest()
    if (error instanceof StoreError) throw error
    if (error instanceof Error && /previously executed migration/.test(error.message)) {
      throw newerVersion()
    }
    if (error !== undefined) throw new StoreError('unavailable', 'The database could not be brought up to date.')
  })
}
