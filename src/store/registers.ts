/** Workspaces, tokens, policies and meta values, in queries that every engine understands. */
import type { Kysely, Transaction } from 'kysely'
import { auditRow, jsonText, toPolicyRevision, toToken } from './rows.ts'
import type { Tables } from './schema.ts'
import { rowsMax, type AuditEntry, type Store, type TokenUse } from './store.ts'

/** Where queries go. On some engines both are the same. */
export interface Databases {
  readonly reader: Kysely<Tables>
  readonly writer: Kysely<Tables>
}

export type Registers = Omit<
  Store,
  | 'append'
  | 'latestEvents'
  | 'eventsOfRequest'
  | 'latestAudit'
  | 'auditOfRequest'
  | 'close'
  | typeof Symbol.asyncDispose
>

/** @throws RangeError for a number of rows out of range */
export function checkedLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > rowsMax)
    throw new RangeError(`limit must be from 1 to ${rowsMax}`)
  return limit
}

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

const writeAudit = (transaction: Transaction<Tables>, entry: AuditEntry) =>
  transaction.insertInto('audit').values(auditRow(entry)).execute()

function workspaces({
  reader,
  writer
}: Databases): Pick<Registers, 'ensureWorkspace' | 'findWorkspace' | 'listWorkspaces'> {
  const columns = ['id', 'name', 'created_at as createdAt'] as const
  return {
    ensureWorkspace: ({ id, name, createdAt }, audit) =>
      writer.transaction().execute(async (transaction) => {
        const inserted = await transaction
          .insertInto('workspaces')
          .values({ id, name, created_at: createdAt })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (inserted) {
          await countChange(transaction)
          await writeAudit(transaction, audit)
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
  return [...latest].map(([tokenId, at]) => ({ token_id: tokenId, last_used_at: at }))
}

type TokenMethods = 'insertToken' | 'findToken' | 'listTokens' | 'tokensChangedAfter' | 'revokeToken' | 'touchTokens'

function tokens({ reader, writer }: Databases): Pick<Registers, TokenMethods> {
  const withUse = () =>
    reader
      .selectFrom('tokens')
      .leftJoin('token_uses', 'token_uses.token_id', 'tokens.id')
      .selectAll('tokens')
      .select('token_uses.last_used_at')
  return {
    insertToken: (token, audit) =>
      writer.transaction().execute(async (transaction) => {
        const change = await countChange(transaction)
        const { id, hash, label, workspaceId, createdAt, expiresAt } = token
        const row = { id, hash, label, workspace_id: workspaceId, created_at: createdAt, expires_at: expiresAt }
        const rest = { scopes: jsonText(token.scopes), revoked_at: null, change }
        await transaction
          .insertInto('tokens')
          .values({ ...row, ...rest })
          .execute()
        await writeAudit(transaction, audit)
      }),
    findToken: async (id) => {
      const row = await withUse().where('tokens.id', '=', id).executeTakeFirst()
      return row && toToken(row)
    },
    listTokens: async ({ workspaceId, limit, after = 0 }) => {
      const ofWorkspace = withUse().where('workspace_id', '=', workspaceId).where('change', '>', after)
      return (await ofWorkspace.orderBy('change').limit(checkedLimit(limit)).execute()).map(toToken)
    },
    tokensChangedAfter: async (change, limit) =>
      (await withUse().where('change', '>', change).orderBy('change').limit(checkedLimit(limit)).execute()).map(
        toToken
      ),
    revokeToken: ({ workspaceId, id, revokedAt }, audit) =>
      writer.transaction().execute(async (transaction) => {
        const known = transaction.selectFrom('tokens').select('revoked_at').where('id', '=', id)
        const token = await known.where('workspace_id', '=', workspaceId).executeTakeFirst()
        if (!token) return 'not_found'
        if (token.revoked_at !== null) return 'already_revoked'
        const change = await countChange(transaction)
        await transaction.updateTable('tokens').set({ revoked_at: revokedAt, change }).where('id', '=', id).execute()
        await writeAudit(transaction, audit)
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

type PolicyMethods = 'insertPolicyRevision' | 'currentPolicyRevision' | 'findPolicyRevision'

function policies({ reader, writer }: Databases): Pick<Registers, PolicyMethods> {
  const ofWorkspace = (workspaceId: string) =>
    reader.selectFrom('policy_revisions').selectAll().where('workspace_id', '=', workspaceId)
  const first = async (query: ReturnType<typeof ofWorkspace>) => {
    const row = await query.orderBy('sequence', 'desc').limit(1).executeTakeFirst()
    return row && toPolicyRevision(row)
  }
  return {
    insertPolicyRevision: (policy, audit) =>
      writer.transaction().execute(async (transaction) => {
        await countChange(transaction)
        const { sequence, revision, author, note } = policy
        const documents = {
          mcp_tool_policy: jsonText(policy.mcpToolPolicy),
          redaction_profile: jsonText(policy.redactionProfile)
        }
        const row = {
          workspace_id: policy.workspaceId,
          sequence,
          revision,
          author,
          note,
          published_at: policy.publishedAt
        }
        await transaction
          .insertInto('policy_revisions')
          .values({ ...row, ...documents })
          .execute()
        await writeAudit(transaction, audit)
      }),
    currentPolicyRevision: (workspaceId) => first(ofWorkspace(workspaceId)),
    findPolicyRevision: (workspaceId, revision) => first(ofWorkspace(workspaceId).where('revision', '=', revision))
  }
}

function meta({
  reader,
  writer
}: Databases): Pick<Registers, 'getMeta' | 'putMeta' | 'putMetaIfAbsent' | 'changeCounter'> {
  const read = async (from: Kysely<Tables>, key: string) =>
    (await from.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
  return {
    getMeta: (key) => read(reader, key),
    putMeta: async (key, value) => {
      const row = writer.insertInto('meta').values({ key, value })
      await row.onConflict((conflict) => conflict.column('key').doUpdateSet({ value })).execute()
    },
    putMetaIfAbsent: (key, value) =>
      writer.transaction().execute(async (transaction) => {
        const row = transaction.insertInto('meta').values({ key, value })
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
  return { ...workspaces(databases), ...tokens(databases), ...policies(databases), ...meta(databases) }
}
