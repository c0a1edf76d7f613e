/** Heads of the audit chains, the chains themselves, sealed roots, and which writers are alive. */
import { sql } from 'kysely'
import { appendAudit, lockWorkspace } from './audit-append.ts'
import { readInSequence, readUnlessDropped } from './day-spans.ts'
import { checkedLimit } from './limit.ts'
import type { Databases } from './registers.ts'
import { toAuditHead, toAuditRoot, toChainedAuditRow } from '../tables/rows.ts'
import { auditActions, rowsMax, type AuditHead, type Store } from '../store.ts'

type AuditRegisters = Pick<
  Store,
  'heartbeat' | 'auditHeads' | 'auditChain' | 'lastAuditRoot' | 'auditRoots' | 'auditRootsStored' | 'insertAuditRoot'
>

/** The key under which the sequence of a workspace's newest root is kept. */
const rootsKey = (workspaceId: string): string => `audit_roots ${workspaceId}`

type LostHead = Awaited<ReturnType<Store['heartbeat']>>[number]

export function createAuditRegisters(databases: Databases): AuditRegisters {
  const { reader, writer } = databases
  const rootsOf = (workspaceId: string) =>
    reader.selectFrom('audit_roots').selectAll().where('workspace_id', '=', workspaceId)
  return {
    heartbeat: (times) => heartbeat(databases, times),
    auditHeads: (workspaceId) => auditHeads(databases, workspaceId),
    auditChain: (query) => auditChain(databases, query),
    lastAuditRoot: async (workspaceId) => {
      const row = await rootsOf(workspaceId).orderBy('sequence', 'desc').limit(1).executeTakeFirst()
      return row && toAuditRoot(row)
    },
    auditRoots: async ({ workspaceId, after, limit }) => {
      const rows = rootsOf(workspaceId).where('sequence', '>', after).orderBy('sequence').limit(checkedLimit(limit))
      return (await rows.execute()).map(toAuditRoot)
    },
    auditRootsStored: async (workspaceId) => {
      const stored = reader.selectFrom('meta').select('value').where('key', '=', rootsKey(workspaceId))
      return Number((await stored.executeTakeFirst())?.value ?? 0)
    },
    insertAuditRoot: async ({ workspaceId, sequence, sealedAt, payload, hash, signature }) => {
      const row = { workspace_id: workspaceId, sequence, sealed_at: sealedAt, payload, hash, signature }
      const stored = { key: rootsKey(workspaceId), value: String(sequence) }
      await writer.transaction().execute(async (transaction) => {
        await transaction.insertInto('audit_roots').values(row).execute()
        const note = transaction.insertInto('meta').values(stored)
        await note.onConflict((conflict) => conflict.column('key').doUpdateSet({ value: stored.value })).execute()
      })
    }
  }
}

async function auditHeads({ reader }: Databases, workspaceId: string): Promise<AuditHead[]> {
  const rows = await reader
    .selectFrom('audit_writers')
    .leftJoin('live_writers', 'live_writers.writer_id', 'audit_writers.writer_id')
    .selectAll('audit_writers')
    .select('live_writers.last_at as seen_at')
    .where('workspace_id', '=', workspaceId)
    .orderBy('started_at')
    .orderBy('audit_writers.writer_id')
    .execute()
  return rows.map((row) => toAuditHead({ ...row, last_at: Math.max(row.last_at, row.seen_at ?? 0) }))
}

async function auditChain(
  databases: Databases,
  { workspaceId, writerId, after, limit }: Parameters<Store['auditChain']>[0]
) {
  checkedLimit(limit)
  const { reader, tables } = databases
  const spans = await reader
    .selectFrom('audit_writer_days')
    .select(['day', 'first_sequence as first'])
    .where('workspace_id', '=', workspaceId)
    .where('writer_id', '=', writerId)
    .where('last_sequence', '>', after)
    .execute()
  const rows = await readInSequence({
    spans,
    limit,
    sequenceOf: (row) => row.writer_sequence,
    read: (day: number) => {
      const ofWriter = tables
        .audit(reader, day)
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('writer_id', '=', writerId)
      const next = ofWriter.where('writer_sequence', '>', after).orderBy('writer_sequence').limit(limit)
      return readUnlessDropped(databases, 'audit', day, () => next.execute())
    }
  })
  return rows.map(toChainedAuditRow)
}

async function heartbeat(
  databases: Databases,
  { now, lostBefore }: { readonly now: number; readonly lostBefore: number }
): Promise<LostHead[]> {
  const { reader, writer, writerId } = databases
  const sign = writer.insertInto('live_writers').values({ writer_id: writerId, last_at: now })
  await sign.onConflict((conflict) => conflict.column('writer_id').doUpdateSet({ last_at: now })).execute()
  await reopenHeads(databases)
  const silent = await reader
    .selectFrom('audit_writers')
    .leftJoin('live_writers', 'live_writers.writer_id', 'audit_writers.writer_id')
    .select(['audit_writers.workspace_id', 'audit_writers.writer_id'])
    .where('closed_at', 'is', null)
    .where('audit_writers.writer_id', '!=', writerId)
    .where('audit_writers.last_at', '<', lostBefore)
    .where((row) => row.or([row('live_writers.last_at', 'is', null), row('live_writers.last_at', '<', lostBefore)]))
    .limit(rowsMax)
    .execute()
  const lost: LostHead[] = []
  for (const head of silent) {
    const closed = await closeLost(databases, head, { now, lostBefore })
    if (closed) lost.push(closed)
  }
  await writer.deleteFrom('live_writers').where('last_at', '<', lostBefore).execute()
  return lost
}

/** Reopens the heads of this writer, which was taken for lost but was only suspended for a time. */
async function reopenHeads({ reader, writer, writerId }: Databases): Promise<void> {
  const closed = reader.selectFrom('audit_writers').select('workspace_id').where('writer_id', '=', writerId)
  for (const { workspace_id } of await closed.where('closed_at', 'is not', null).execute()) {
    await writer.transaction().execute(async (transaction) => {
      await lockWorkspace(transaction, workspace_id)
      const head = transaction.updateTable('audit_writers').set({ closed_at: null })
      await head.where('workspace_id', '=', workspace_id).where('writer_id', '=', writerId).execute()
    })
  }
}

/** Checks again in the transaction: another instance may have been faster, or the writer may have returned. */
function closeLost(
  databases: Databases,
  head: { readonly workspace_id: string; readonly writer_id: string },
  { now, lostBefore }: { readonly now: number; readonly lostBefore: number }
): Promise<LostHead | undefined> {
  const { workspace_id: workspaceId, writer_id: lostWriterId } = head
  return databases.writer.transaction().execute(async (transaction) => {
    await lockWorkspace(transaction, workspaceId)
    const sign = transaction.selectFrom('live_writers').select('last_at').where('writer_id', '=', lostWriterId)
    const seenAt = (await sign.executeTakeFirst())?.last_at ?? 0
    if (seenAt >= lostBefore) return undefined
    const closed = await transaction
      .updateTable('audit_writers')
      .set({
        closed_at: now,
        lost_at: now,
        last_at: sql<number>`case when last_at < ${seenAt} then ${seenAt} else last_at end`
      })
      .where('workspace_id', '=', workspaceId)
      .where('writer_id', '=', lostWriterId)
      .where('closed_at', 'is', null)
      .where('last_at', '<', lostBefore)
      .returning('last_at')
      .executeTakeFirst()
    if (!closed) return undefined
    const lost = { writerId: lostWriterId, lastAt: closed.last_at }
    const who = { requestId: null, tokenId: null, actor: 'service' }
    const row = { workspaceId, at: now, ...who, action: auditActions.writerLost, detail: lost }
    await appendAudit(transaction, databases, row)
    return { workspaceId, ...lost }
  })
}

/** Records that this opening of the store ends. Nothing of it may be in progress any more. */
export async function closeWriter({ writer, writerId }: Databases, now: number): Promise<void> {
  const open = writer.updateTable('audit_writers').set({ closed_at: now, lost_at: null })
  await open.where('writer_id', '=', writerId).where('closed_at', 'is', null).execute()
  await writer.deleteFrom('live_writers').where('writer_id', '=', writerId).execute()
}
