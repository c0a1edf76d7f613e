/**
 * Audit rows of administrative actions, written in the action's transaction. An engine's fast path (`append`) writes
 * its rows with statements of its own, by the same rules: counter first, then rows, heads and hours.
 */
import { sql, type Transaction } from 'kysely'
import { genesisHash } from '../audit/chain.ts'
import { chainedRow } from '../tables/chained-row.ts'
import { encodeAudit } from '../tables/encode.ts'
import type { RecordTables } from '../tables/record-tables.ts'
import { type AuditColumns, type Tables } from '../tables/schema.ts'
import { StoreError, type AuditEntry } from '../store.ts'
import { hourMs } from '../../timing/spans.ts'

export interface AuditAppender {
  readonly tables: RecordTables
  readonly writerId: string
}

/**
 * Takes the next sequence of a workspace and locks its counter until the commit.
 * @throws StoreError `unknown_workspace`
 */
async function nextSequence(transaction: Transaction<Tables>, workspaceId: string): Promise<number> {
  const counter = await transaction
    .updateTable('workspace_counters')
    .set((row) => ({ sequence: row('sequence', '+', 1) }))
    .where('workspace_id', '=', workspaceId)
    .returning('sequence')
    .executeTakeFirst()
  if (!counter) throw new StoreError('unknown_workspace', 'The record belongs to a workspace that does not exist.')
  return counter.sequence
}

/**
 * Locks the counter of a workspace until the commit. Whatever changes a head other than by a row starts with this, so
 * that it never deadlocks with an append.
 */
export async function lockWorkspace(transaction: Transaction<Tables>, workspaceId: string): Promise<void> {
  await transaction
    .updateTable('workspace_counters')
    .set((row) => ({ sequence: row.ref('sequence') }))
    .where('workspace_id', '=', workspaceId)
    .execute()
}

async function moveHead(transaction: Transaction<Tables>, row: AuditColumns): Promise<void> {
  const { workspace_id, writer_id, writer_sequence: rows, hash, at } = row
  const head = { workspace_id, writer_id, rows, hash, started_at: at, last_at: at, closed_at: null, lost_at: null }
  await transaction
    .insertInto('audit_writers')
    .values(head)
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'writer_id']).doUpdateSet({ rows, hash, last_at: at, closed_at: null })
    )
    .execute()
}

async function countRow(transaction: Transaction<Tables>, row: AuditColumns): Promise<void> {
  const { workspace_id, writer_id, day, sequence, writer_sequence } = row
  const hour = Math.floor(row.at / hourMs)
  await transaction
    .insertInto('record_hours')
    .values({ workspace_id, records: 'audit', hour, rows: 1, first_sequence: sequence, last_sequence: sequence })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'records', 'hour'])
        .doUpdateSet({ rows: sql`record_hours.rows + 1`, last_sequence: sequence })
    )
    .execute()
  await transaction
    .insertInto('audit_writer_days')
    .values({ workspace_id, writer_id, day, first_sequence: writer_sequence, last_sequence: writer_sequence })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'writer_id', 'day']).doUpdateSet({ last_sequence: writer_sequence })
    )
    .execute()
}

/**
 * Writes one audit row in the transaction of the action that it records. Rows for several workspaces in one transaction
 * must be in the order of workspace ids.
 * @throws StoreError `invalid`, `unknown_workspace`
 */
export async function appendAudit(
  transaction: Transaction<Tables>,
  { tables, writerId }: AuditAppender,
  entry: AuditEntry
): Promise<void> {
  const audit = encodeAudit([entry], 0)
  const { workspaceId } = entry
  const sequence = await nextSequence(transaction, workspaceId)
  const head = transaction.selectFrom('audit_writers').select(['rows', 'hash']).where('workspace_id', '=', workspaceId)
  const end = (await head.where('writer_id', '=', writerId).executeTakeFirst()) ?? {
    rows: 0,
    hash: genesisHash(workspaceId, writerId)
  }
  const row = chainedRow(audit, 0, { end, writerId, sequence })
  await tables.ensureDay(transaction, 'audit', row.day)
  await transaction.insertInto(tables.tableOf('audit', row.day)).values(row).execute()
  await moveHead(transaction, row)
  await countRow(transaction, row)
}
