/** Workspaces, tokens, policies and meta values, in queries that work on every engine. */
import type { Kysely, Transaction } from 'kysely'
import { appendAudit, type AuditAppender } from './audit-append.ts'
import { checkedText } from '../tables/encode.ts'
import { checkedLimit } from './limit.ts'
import { jsonText, toPolicyRevision, toToken } from '../tables/rows.ts'
import type { Tables } from '../tables/schema.ts'
import { rowsMax, type Store, type TokenRecord, type TokenUse } from '../store.ts'

/** Where queries are sent. On some engines reader and writer are the same. */
export interface Databases extends AuditAppender {
  readonly reader: Kysely<Tables>
  readonly writer: Kysely<Tables>
}

type WorkspaceMethods = 'ensureWorkspace' | 'findWorkspace' | 'listWorkspaces'
type TokenMethods =
  | 'insertToken'
  | 'findToken'
  | 'newestToken'
  | 'listTokens'
  | 'tokensChangedAfter'
  | 'rotateToken'
  | 'revokeToken'
  | 'touchTokens'
type PolicyMethods = 'insertPolicyRevision' | 'currentPolicyRevision' | 'findPolicyRevision' | 'listPolicyRevisions'
type MetaMethods = 'getMeta' | 'putMeta' | 'putMetaIfAbsent' | 'changeCounter'

export type Registers = Pick<Store, WorkspaceMethods | TokenMethods | PolicyMethods | MetaMethods>

/** Counts a change. The row stays locked until the commit, so changes are numbered in the order of their commits. */
async function countChange(transaction: Transaction<Tables>): Promise<number> {
  const { value } = await transaction
    .updateTable('change_counter')
    .set((row) => ({ value: row('value', '+', 1) }))
    .where('id', '=', 1)
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}

function workspaces(databases: Databases): Pick<Registers, WorkspaceMethods> {
  const { reader, writer } = databases
  const columns = ['id', 'name', 'created_at as createdAt'] as const
  return {
    ensureWorkspace: ({ id, name, createdAt }, audit) =>
      writer.transaction().execute(async (transaction) => {
        const inserted = await transaction
          .insertInto('workspaces')
          .values({ id: checkedText(id), name: checkedText(name), created_at: createdAt })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (inserted) {
          await transaction.insertInto('workspace_counters').values({ workspace_id: id, sequence: 0 }).execute()
          await countChange(transaction)
          await appendAudit(transaction, databases, audit)
        }
        const found = transaction.selectFrom('workspaces').select(columns).where('id', '=', id)
        return { workspace: await found.executeTakeFirstOrThrow(), created: inserted !== undefined }
      }),
    findWorkspace: (id) => reader.selectFrom('workspaces').select(columns).where('id', '=', id).executeTakeFirst(),
    listWorkspaces: async ({ limit, after = '' }) =>
      reader
        .selectFrom('workspaces')
        .select(columns)
        .where('id', '>', after)
        .orderBy('id')
        .limit(checkedLimit(limit))
        .execute()
  }
}

const latestUses = (uses: readonly TokenUse[]) => {
  const latest = new Map<string, number>()
  for (const { tokenId, at } of uses) latest.set(tokenId, Math.max(at, latest.get(tokenId) ?? at))
  // Always in the same order, so that two instances cannot deadlock on each other's rows.
  const inOrder = [...latest].sort(([a], [b]) => (a < b ? -1 : 1))
  return inOrder.map(([tokenId, at]) => ({ token_id: tokenId, last_used_at: at }))
}

/**
 * Blocks every other change of workspaces, tokens, policies and users until the commit, so that what is read next still
 * holds when it is written.
 */
export const lockChanges = (transaction: Transaction<Tables>) =>
  transaction
    .updateTable('change_counter')
    .set((row) => ({ value: row.ref('value') }))
    .where('id', '=', 1)
    .execute()

async function addToken(transaction: Transaction<Tables>, token: TokenRecord): Promise<void> {
  const row = {
    id: checkedText(token.id),
    workspace_id: checkedText(token.workspaceId),
    lineage_id: checkedText(token.lineageId),
    hash: checkedText(token.hash),
    label: checkedText(token.label),
    scopes: jsonText(token.scopes),
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    revoked_at: null
  }
  await transaction
    .insertInto('tokens')
    .values({ ...row, change: await countChange(transaction) })
    .execute()
}

function tokenReading({
  reader
}: Databases): Pick<Registers, 'findToken' | 'newestToken' | 'listTokens' | 'tokensChangedAfter'> {
  const withUse = () =>
    reader
      .selectFrom('tokens')
      .leftJoin('token_uses', 'token_uses.token_id', 'tokens.id')
      .selectAll('tokens')
      .select('token_uses.last_used_at')
  return {
    findToken: async (id) => {
      const row = await withUse().where('tokens.id', '=', id).executeTakeFirst()
      return row && toToken(row)
    },
    newestToken: async (lineageId) => {
      const newest = withUse()
        .where('lineage_id', '=', lineageId)
        .orderBy('created_at', 'desc')
        .orderBy('change', 'desc')
      const row = await newest.limit(1).executeTakeFirst()
      return row && toToken(row)
    },
    listTokens: async ({ workspaceId, limit, after = 0 }) => {
      const ofWorkspace = withUse().where('workspace_id', '=', workspaceId).where('change', '>', after)
      return (await ofWorkspace.orderBy('change').limit(checkedLimit(limit)).execute()).map(toToken)
    },
    tokensChangedAfter: async (change, limit) => {
      const changed = withUse().where('change', '>', change).orderBy('change').limit(checkedLimit(limit))
      return (await changed.execute()).map(toToken)
    }
  }
}

type TokenWriting = Omit<Pick<Registers, TokenMethods>, keyof ReturnType<typeof tokenReading>>

function tokenWriting(databases: Databases): TokenWriting {
  const { writer } = databases
  return {
    insertToken: (token, audit) =>
      writer.transaction().execute(async (transaction) => {
        await addToken(transaction, token)
        await appendAudit(transaction, databases, audit)
      }),
    rotateToken: ({ id, oldExpiresAt }, token, audit) =>
      writer.transaction().execute(async (transaction) => {
        await lockChanges(transaction)
        const known = transaction.selectFrom('tokens').select(['revoked_at', 'expires_at', 'lineage_id'])
        const old = await known.where('id', '=', id).where('workspace_id', '=', token.workspaceId).executeTakeFirst()
        if (!old || old.revoked_at !== null) return 'not_found'
        const expiresAt = Math.min(old.expires_at ?? oldExpiresAt, oldExpiresAt)
        const change = await countChange(transaction)
        await transaction.updateTable('tokens').set({ expires_at: expiresAt, change }).where('id', '=', id).execute()
        await addToken(transaction, { ...token, lineageId: old.lineage_id })
        await appendAudit(transaction, databases, audit)
        return 'rotated'
      }),
    revokeToken: ({ workspaceId, id, revokedAt }, audit) =>
      writer.transaction().execute(async (transaction) => {
        await lockChanges(transaction)
        const known = transaction.selectFrom('tokens').select('revoked_at').where('id', '=', id)
        const token = await known.where('workspace_id', '=', workspaceId).executeTakeFirst()
        if (!token) return 'not_found'
        if (token.revoked_at !== null) return 'already_revoked'
        const change = await countChange(transaction)
        await transaction.updateTable('tokens').set({ revoked_at: revokedAt, change }).where('id', '=', id).execute()
        await appendAudit(transaction, databases, audit)
        return 'revoked'
      }),
    touchTokens: async (uses) => {
      if (uses.length > rowsMax) throw new RangeError(`at most ${rowsMax} uses can be noted at once`)
      if (uses.length === 0) return
      await writer
        .insertInto('token_uses')
        .values(latestUses(uses))
        .onConflict((conflict) =>
          conflict
            .column('token_id')
            .doUpdateSet((row) => ({ last_used_at: row.ref('excluded.last_used_at') }))
            .whereRef('excluded.last_used_at', '>', 'token_uses.last_used_at')
        )
        .execute()
    }
  }
}

function policies(databases: Databases): Pick<Registers, PolicyMethods> {
  const { reader, writer } = databases
  const ofWorkspace = (workspaceId: string) =>
    reader
      .selectFrom('policy_revisions')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('sequence', 'desc')
  const first = async (query: ReturnType<typeof ofWorkspace>) => {
    const row = await query.limit(1).executeTakeFirst()
    return row && toPolicyRevision(row)
  }
  return {
    insertPolicyRevision: (policy, audit) =>
      writer.transaction().execute(async (transaction) => {
        const row = {
          workspace_id: policy.workspaceId,
          sequence: policy.sequence,
          revision: checkedText(policy.revision),
          mcp_tool_policy: jsonText(policy.mcpToolPolicy),
          redaction_profile: jsonText(policy.redactionProfile),
          author: checkedText(policy.author),
          note: checkedText(policy.note),
          published_at: policy.publishedAt
        }
        await countChange(transaction)
        await transaction.insertInto('policy_revisions').values(row).execute()
        await appendAudit(transaction, databases, audit)
      }),
    currentPolicyRevision: (workspaceId) => first(ofWorkspace(workspaceId)),
    findPolicyRevision: (workspaceId, revision) => first(ofWorkspace(workspaceId).where('revision', '=', revision)),
    listPolicyRevisions: async ({ workspaceId, limit, before = Number.MAX_SAFE_INTEGER }) => {
      const older = ofWorkspace(workspaceId).where('sequence', '<', before).limit(checkedLimit(limit))
      return (await older.execute()).map(toPolicyRevision)
    }
  }
}

function meta({ reader, writer }: Databases): Pick<Registers, MetaMethods> {
  const read = async (from: Kysely<Tables>, key: string) =>
    (await from.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
  return {
    getMeta: (key) => read(reader, key),
    putMeta: async (key, value) => {
      const row = writer.insertInto('meta').values({ key: checkedText(key), value: checkedText(value) })
      await row.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })).execute()
    },
    putMetaIfAbsent: (key, value) =>
      writer.transaction().execute(async (transaction) => {
        const row = transaction.insertInto('meta').values({ key: checkedText(key), value: checkedText(value) })
        await row.onConflict((conflict) => conflict.column('key').doNothing()).execute()
        return (await read(transaction, key)) ?? value
      }),
    changeCounter: async () => {
      const row = reader.selectFrom('change_counter').select('value').where('id', '=', 1)
      return (await row.executeTakeFirstOrThrow()).value
    }
  }
}

export function createRegisters(databases: Databases): Registers {
  return {
    ...workspaces(databases),
    ...tokenReading(databases),
    ...tokenWriting(databases),
    ...policies(databases),
    ...meta(databases)
  }
}
