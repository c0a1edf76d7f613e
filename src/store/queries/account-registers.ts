/** Users, sessions and links, in queries that work on every engine. */
import type { Kysely, Selectable, Transaction } from 'kysely'
import {
  managingRole,
  type AccountStore,
  type LinkRecord,
  type SessionRecord,
  type StoredUser,
  type UserChange,
  type UserKey,
  type UserRecord
} from '../accounts.ts'
import { appendAudit } from './audit-append.ts'
import { checkedOptional, checkedText } from '../tables/encode.ts'
import { checkedLimit } from './limit.ts'
import { lockChanges, type Databases } from './registers.ts'
import type { Tables } from '../tables/schema.ts'

type UserRow = Selectable<Tables['users']>

const toUser = (row: UserRow): StoredUser => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  role: row.role,
  provider: row.provider,
  issuer: row.issuer,
  subject: row.subject,
  password: row.password,
  createdAt: row.created_at,
  disabledAt: row.disabled_at,
  lastSignInAt: row.last_sign_in_at
})

const userRow = (user: UserRecord): UserRow => ({
  id: checkedText(user.id),
  workspace_id: checkedText(user.workspaceId),
  name: checkedText(user.name),
  role: checkedText(user.role),
  provider: user.provider,
  issuer: checkedOptional(user.issuer),
  subject: checkedOptional(user.subject),
  password: checkedOptional(user.password),
  created_at: user.createdAt,
  disabled_at: null,
  last_sign_in_at: null
})

const toSession = (row: Selectable<Tables['sessions']>): SessionRecord => ({
  hash: row.hash,
  userId: row.user_id,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  endsAt: row.ends_at
})

const toLink = (row: Selectable<Tables['password_links']>): LinkRecord => ({
  hash: row.hash,
  workspaceId: row.workspace_id,
  userId: row.user_id,
  expiresAt: row.expires_at
})

const userOf = (from: Kysely<Tables>, key: UserKey) => {
  const users = from.selectFrom('users').selectAll('users')
  if ('id' in key) return users.where('users.id', '=', key.id)
  if ('name' in key) return users.where('users.name', '=', key.name)
  return users.where('issuer', '=', key.issuer).where('subject', '=', key.subject)
}

/** Users, each with the number of sessions that have not ended and were used after a time. */
const withSessions = (from: Kysely<Tables>, { now, usedAfter }: { readonly now: number; readonly usedAfter: number }) =>
  from
    .selectFrom('users')
    .selectAll('users')
    .select((row) =>
      row
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .where('sessions.ends_at', '>', now)
        .where('sessions.last_used_at', '>', usedAfter)
        .as('sessions')
    )

async function hasUsers(from: Kysely<Tables>): Promise<boolean> {
  return (await from.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Whether another user of the workspace could still create users: one who was invited and has no password yet cannot.
 */
async function hasOtherAdmin(transaction: Transaction<Tables>, { id, workspaceId }: StoredUser): Promise<boolean> {
  const others = transaction.selectFrom('users').select('id').where('workspace_id', '=', workspaceId)
  const admins = others.where('id', '<>', id).where('role', '=', managingRole).where('disabled_at', 'is', null)
  const able = admins.where((row) => row.or([row('provider', '=', 'oidc'), row('password', 'is not', null)]))
  return (await able.limit(1).executeTakeFirst()) !== undefined
}

const isAdmin = ({ role, disabledAt }: Pick<StoredUser, 'role' | 'disabledAt'>): boolean =>
  role === managingRole && disabledAt === null

function changedColumns({ name, role, password, disabledAt, lastSignInAt }: UserChange): Partial<UserRow> {
  return {
    ...(name === undefined ? {} : { name: checkedText(name) }),
    ...(role === undefined ? {} : { role: checkedText(role) }),
    ...(password === undefined ? {} : { password: checkedText(password) }),
    ...(disabledAt === undefined ? {} : { disabled_at: disabledAt }),
    ...(lastSignInAt === undefined ? {} : { last_sign_in_at: lastSignInAt })
  }
}

/** To be deleted with their user. */
const sessionsOf = (transaction: Transaction<Tables>, { id }: { readonly id: string }) =>
  transaction.deleteFrom('sessions').where('user_id', '=', id)
const linksOf = (transaction: Transaction<Tables>, { id }: { readonly id: string }) =>
  transaction.deleteFrom('password_links').where('user_id', '=', id)

function users(databases: Databases): Omit<AccountStore, keyof ReturnType<typeof sessions> | keyof LinkMethods> {
  const { reader, writer } = databases
  const known = async (transaction: Transaction<Tables>, user: { workspaceId: string; id: string }) => {
    await lockChanges(transaction)
    const row = await userOf(transaction, { id: user.id }).executeTakeFirst()
    return row?.workspace_id === user.workspaceId ? toUser(row) : undefined
  }
  return {
    hasUsers: () => hasUsers(reader),
    insertUser: (user, audit) =>
      writer.transaction().execute(async (transaction) => {
        await lockChanges(transaction)
        await transaction.insertInto('users').values(userRow(user)).execute()
        await appendAudit(transaction, databases, audit)
      }),
    findUser: async (key) => {
      const row = await userOf(reader, key).executeTakeFirst()
      return row && toUser(row)
    },
    listUsers: async ({ workspaceId, now, usedAfter, limit, after = '', id }) => {
      const users = withSessions(reader, { now, usedAfter })
        .where('workspace_id', '=', workspaceId)
        .where('name', '>', after)
        .orderBy('name')
        .limit(checkedLimit(limit))
      const rows = await (id === undefined ? users : users.where('id', '=', id)).execute()
      return rows.map((row) => ({ ...toUser(row), sessions: row.sessions ?? 0 }))
    },
    changeUser: (user, change, { endSessions, isForced }, audit) =>
      writer.transaction().execute(async (transaction) => {
        const before = await known(transaction, user)
        if (!before) return 'not_found'
        const isLosingAdmin = isAdmin(before) && !isAdmin({ ...before, ...change })
        if (isLosingAdmin && !isForced && !(await hasOtherAdmin(transaction, before))) return 'last_admin'
        const columns = changedColumns(change)
        if (Object.keys(columns).length > 0) {
          await transaction.updateTable('users').set(columns).where('id', '=', user.id).execute()
        }
        if (change.password !== undefined) await linksOf(transaction, user).execute()
        if (endSessions !== undefined) {
          const ended = sessionsOf(transaction, user)
          await (endSessions === 'all' ? ended : ended.where('hash', '<>', endSessions.except)).execute()
        }
        if (audit) await appendAudit(transaction, databases, audit)
        return 'done'
      }),
    removeUser: (user, audit) =>
      writer.transaction().execute(async (transaction) => {
        const before = await known(transaction, user)
        if (!before) return 'not_found'
        if (isAdmin(before) && !(await hasOtherAdmin(transaction, before))) return 'last_admin'
        await sessionsOf(transaction, user).execute()
        await linksOf(transaction, user).execute()
        await transaction.deleteFrom('users').where('id', '=', user.id).execute()
        await appendAudit(transaction, databases, audit)
        return 'done'
      })
  }
}

type SessionMethods = 'insertSession' | 'findSession' | 'touchSession' | 'endSessions'

function sessions(databases: Databases): Pick<AccountStore, SessionMethods> {
  const { reader, writer } = databases
  return {
    insertSession: (session, audit) =>
      writer.transaction().execute(async (transaction) => {
        await lockChanges(transaction)
        await transaction.deleteFrom('sessions').where('ends_at', '<=', session.createdAt).execute()
        const row = {
          hash: checkedText(session.hash),
          user_id: checkedText(session.userId),
          created_at: session.createdAt,
          last_used_at: session.lastUsedAt,
          ends_at: session.endsAt
        }
        await transaction.insertInto('sessions').values(row).execute()
        const signedIn = { last_sign_in_at: session.createdAt }
        await transaction.updateTable('users').set(signedIn).where('id', '=', session.userId).execute()
        await appendAudit(transaction, databases, audit)
      }),
    findSession: async (hash) => {
      const session = await reader.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
      if (!session) return undefined
      const user = await userOf(reader, { id: session.user_id }).executeTakeFirst()
      return user && { session: toSession(session), user: toUser(user) }
    },
    touchSession: async (hash, at) => {
      const touched = writer.updateTable('sessions').set({ last_used_at: at }).where('hash', '=', hash)
      await touched.where('last_used_at', '<', at).execute()
    },
    endSessions: (which, audit) =>
      writer.transaction().execute(async (transaction) => {
        // Whoever removes several sessions does so in an order of its own: two at once could wait for each other.
        await lockChanges(transaction)
        const rows = transaction.deleteFrom('sessions').returning('hash')
        const ended = await (
          'hash' in which ? rows.where('hash', '=', which.hash) : rows.where('user_id', '=', which.userId)
        ).execute()
        if (ended.length > 0) await appendAudit(transaction, databases, audit)
        return ended.length
      })
  }
}

type LinkMethods = Pick<AccountStore, 'putLink' | 'findLink' | 'useLink'>

function links(databases: Databases): LinkMethods {
  const { reader, writer } = databases
  return {
    putLink: ({ hash, workspaceId, userId, expiresAt }, audit) =>
      writer.transaction().execute(async (transaction) => {
        await lockChanges(transaction)
        const others = transaction.deleteFrom('password_links')
        await (userId === null ? others.where('user_id', 'is', null) : others.where('user_id', '=', userId)).execute()
        const row = { hash: checkedText(hash), workspace_id: workspaceId, user_id: userId, expires_at: expiresAt }
        await transaction.insertInto('password_links').values(row).execute()
        await appendAudit(transaction, databases, audit)
      }),
    findLink: async (hash) => {
      const row = await reader
        .selectFrom('password_links')
        .leftJoin('users', 'users.id', 'password_links.user_id')
        .selectAll('password_links')
        .select('users.name as user_name')
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row && { ...toLink(row), userName: row.user_name }
    },
    useLink: (hash, now, by, audit) =>
      writer.transaction().execute(async (transaction) => {
        await lockChanges(transaction)
        const row = await transaction
          .deleteFrom('password_links')
          .where('hash', '=', hash)
          .returningAll()
          .executeTakeFirst()
        if (!row || row.expires_at <= now) return undefined
        const link = toLink(row)
        const id = await useUp(transaction, link, by)
        const user = id === undefined ? undefined : await userOf(transaction, { id }).executeTakeFirst()
        if (!user) return undefined
        await appendAudit(transaction, databases, { ...audit, workspaceId: link.workspaceId })
        return toUser(user)
      })
  }
}

/** @returns the id of the user for whom the link was */
async function useUp(
  transaction: Transaction<Tables>,
  { userId, workspaceId }: LinkRecord,
  by: Parameters<AccountStore['useLink']>[2]
): Promise<string | undefined> {
  if (userId === null) {
    if (!('firstUser' in by) || (await hasUsers(transaction))) return undefined
    await transaction
      .insertInto('users')
      .values(userRow({ ...by.firstUser, workspaceId }))
      .execute()
    return by.firstUser.id
  }
  if (!('password' in by)) return undefined
  await transaction
    .updateTable('users')
    .set({ password: checkedText(by.password) })
    .where('id', '=', userId)
    .execute()
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute()
  return userId
}

export function createAccountRegisters(databases: Databases): AccountStore {
  return { ...users(databases), ...sessions(databases), ...links(databases) }
}
