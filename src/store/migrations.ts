/**
 * The steps that bring a database of any earlier version up to this one. Forward only: a step that was released is
 * never changed, and names sort in the order of the steps.
 */
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Tables } from './schema.ts'
import { StoreError } from './store.ts'

async function createRegisters(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspaces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('change', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tokens_by_workspace').on('tokens').columns(['workspace_id', 'change']).execute()
  await db.schema.createIndex('tokens_by_change').on('tokens').column('change').execute()
  await db.schema
    .createTable('token_uses')
    .addColumn('token_id', 'text', (column) => column.primaryKey())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('policy_revisions')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'text', (column) => column.notNull())
    .addColumn('mcp_tool_policy', 'text', (column) => column.notNull())
    .addColumn('redaction_profile', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('published_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('policy_revisions_key', ['workspace_id', 'sequence'])
    .execute()
  await db.schema
    .createTable('meta')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('change_counter')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('value', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into change_counter (id, value) values (1, 0)`.execute(db)
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events')
    .addColumn('sequence', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('token_id', 'text')
    .addColumn('occurred_at', 'bigint', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('policy_revision', 'text')
    .addColumn('sensor_metadata', 'text', (column) => column.notNull())
    .addUniqueConstraint('events_key', ['workspace_id', 'event_id'])
    .execute()
  await db.schema
    .createTable('audit')
    .addColumn('sequence', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('token_id', 'text')
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute()
  for (const table of ['events', 'audit']) {
    await db.schema.createIndex(`${table}_by_arrival`).on(table).columns(['workspace_id', 'sequence']).execute()
    await db.schema
      .createIndex(`${table}_by_token`)
      .on(table)
      .columns(['workspace_id', 'token_id', 'sequence'])
      .execute()
    await db.schema.createIndex(`${table}_by_request`).on(table).columns(['workspace_id', 'request_id']).execute()
  }
}

const migrations: Record<string, Migration> = {
  '0001_registers': { up: createRegisters },
  '0002_records': { up: createRecords }
}

/**
 * Brings the database up to date in one transaction, so that of several processes that start at once one does the
 * work while the others wait for its lock and then find nothing to do, and a step that fails leaves nothing behind.
 * @throws StoreError when a step fails or a newer version of the program has been here
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const migrator = new Migrator({ db: transaction, provider: { getMigrations: async () => migrations } })
    const { error } = await migrator.migrateToLatest()
    if (error instanceof StoreError) throw error
    if (error instanceof Error && /previously executed migration/.test(error.message)) {
      throw new StoreError(
        'unavailable',
        'The database was written by a newer version of the program; start that version.'
      )
    }
    if (error !== undefined) throw new StoreError('unavailable', 'The database could not be brought up to date.')
  })
}
