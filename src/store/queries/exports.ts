/**
 * What exporting events needs from the store: which instance does it, how far it has come in each workspace, and what
 * retention dropped before it was exported.
 */
import { sql, type Kysely, type Transaction } from 'kysely'
import { checkedText } from '../tables/encode.ts'
import { readUnlessDropped } from './day-spans.ts'
import { checkedLimit } from './limit.ts'
import type { Databases } from './registers.ts'
import { hoursPerDay, type Tables } from '../tables/schema.ts'
import { rowsMax, type Store } from '../store.ts'

type LeaseMethods = 'takeLease' | 'dropLease'
type CursorMethods = 'exportsPending' | 'moveExportCursors' | 'takeExportLosses'

export const createExports = (databases: Databases): Pick<Store, LeaseMethods | CursorMethods> => ({
  ...leases(databases),
  ...cursors(databases)
})

/** Which instance exports. */
function leases({ writer, writerId }: Databases): Pick<Store, LeaseMethods> {
  return {
    takeLease: async ({ name, now, expiresAt }) => {
      const lease = { name: checkedText(name), holder: writerId, expires_at: expiresAt }
      const taken = writer
        .insertInto('leases')
        .values(lease)
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder: writerId, expires_at: expiresAt })
            .where((row) => row.or([row('leases.holder', '=', writerId), row('leases.expires_at', '<=', now)]))
        )
        .returning('holder')
      return (await taken.executeTakeFirst()) !== undefined
    },
    dropLease: async (name) => {
      await writer.deleteFrom('leases').where('name', '=', name).where('holder', '=', writerId).execute()
    }
  }
}

/** How far it has come in each workspace, and what was dropped before. */
function cursors({ reader, writer }: Databases): Pick<Store, CursorMethods> {
  return {
    exportsPending: async ({ name, limit, after = '' }) =>
      reader
        .selectFrom('workspace_counters as counter')
        .leftJoin('export_cursors as cursor', (join) =>
          join.onRef('cursor.workspace_id', '=', 'counter.workspace_id').on('cursor.name', '=', name)
        )
        .select((row) => [
          'counter.workspace_id as workspaceId',
          'counter.sequence as end',
          row.fn.coalesce('cursor.sequence', sql.lit(0)).as('sequence')
        ])
        .where('counter.workspace_id', '>', after)
        .whereRef('counter.sequence', '>', (row) => row.fn.coalesce('cursor.sequence', sql.lit(0)))
        .orderBy('counter.workspace_id')
        .limit(checkedLimit(limit))
        .execute(),
    moveExportCursors: async ({ name, cursors }) => {
      if (cursors.length > rowsMax) throw new RangeError(`at most ${rowsMax} cursors can be moved at once`)
      if (cursors.length === 0) return
      // Always in the same order, so that two instances cannot deadlock on each other's rows.
      const inOrder = [...cursors].sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1))
      await writer
        .insertInto('export_cursors')
        .values(inOrder.map(({ workspaceId, sequence }) => ({ name, workspace_id: workspaceId, sequence, lost: 0 })))
        .onConflict((conflict) =>
          conflict
            .columns(['name', 'workspace_id'])
            .doUpdateSet((row) => ({ sequence: row.ref('excluded.sequence') }))
            .whereRef('excluded.sequence', '>', 'export_cursors.sequence')
        )
        .execute()
    },
    takeExportLosses: (name) =>
      writer.transaction().execute(async (transaction) => {
        const lossy = transaction.selectFrom('export_cursors').select(['workspace_id', 'lost']).where('name', '=', name)
        const losses = await lossy.where('lost', '>', 0).orderBy('workspace_id').limit(rowsMax).execute()
        for (const { workspace_id, lost } of losses) {
          // Retention may have added to it in the meantime.
          await transaction
            .updateTable('export_cursors')
            .set((row) => ({ lost: row('lost', '-', lost) }))
            .where('name', '=', name)
            .where('workspace_id', '=', workspace_id)
            .execute()
        }
        return losses.map(({ workspace_id, lost }) => ({ workspaceId: workspace_id, rows: lost }))
      })
  }
}

/** Events of a day that an export has not reached, by the name of the export. */
interface Unexported {
  readonly name: string
  readonly sequence: number
  readonly rows: number
}

/** Counts what would be lost with a day of events. Slow, but does not block the writer. */
export async function countUnexported(engine: Databases, workspaceId: string, day: number): Promise<Unexported[]> {
  const { reader } = engine
  const cursors = await cursorsOf(reader, workspaceId).execute()
  const last = await lastSequenceOf(reader, workspaceId, day)
  const counted: Unexported[] = []
  for (const { name, sequence } of cursors) {
    if (sequence < last)
      counted.push({ name, sequence, rows: await countRows(engine, reader, { workspaceId, day, after: sequence }) })
  }
  return counted
}

/** Records the loss in the transaction that hides the day, less what was exported in the meantime. */
export async function noteUnexported(
  transaction: Transaction<Tables>,
  engine: Databases,
  { workspaceId, day, counted }: { workspaceId: string; day: number; counted: readonly Unexported[] }
): Promise<void> {
  if (counted.length === 0) return
  const now = await cursorsOf(transaction, workspaceId).execute()
  for (const { name, sequence: before, rows } of counted) {
    const sequence = now.find((cursor) => cursor.name === name)?.sequence ?? before
    const sent =
      sequence > before ? await countRows(engine, transaction, { workspaceId, day, after: before, to: sequence }) : 0
    if (rows <= sent) continue
    await transaction
      .updateTable('export_cursors')
      .set((row) => ({ lost: row('lost', '+', rows - sent) }))
      .where('name', '=', name)
      .where('workspace_id', '=', workspaceId)
      .execute()
  }
}

const cursorsOf = (db: Kysely<Tables>, workspaceId: string) =>
  db.selectFrom('export_cursors').select(['name', 'sequence']).where('workspace_id', '=', workspaceId)

async function lastSequenceOf(db: Kysely<Tables>, workspaceId: string, day: number): Promise<number> {
  const hours = db
    .selectFrom('record_hours')
    .select((row) => row.fn.max('last_sequence').as('last'))
    .where('workspace_id', '=', workspaceId)
    .where('records', '=', 'events')
    .where('hour', '>=', day * hoursPerDay)
    .where('hour', '<', (day + 1) * hoursPerDay)
  return (await hours.executeTakeFirst())?.last ?? 0
}

/** Counts the events of a day with a sequence above `after`, up to `to`. */
async function countRows(
  { tables }: Databases,
  db: Kysely<Tables>,
  range: { readonly workspaceId: string; readonly day: number; readonly after: number; readonly to?: number }
): Promise<number> {
  const { workspaceId, day, after, to = Number.MAX_SAFE_INTEGER } = range
  const count = tables
    .events(db, day)
    .select((row) => row.fn.countAll<number | string>().as('rows'))
    .where('workspace_id', '=', workspaceId)
    .where('sequence', '>', after)
    .where('sequence', '<=', to)
  const [counted] = await readUnlessDropped({ reader: db, tables }, 'events', day, () => count.execute())
  return Number(counted?.rows ?? 0)
}
