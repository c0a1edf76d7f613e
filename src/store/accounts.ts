/** What the store keeps about users: their accounts, sessions, and the links that set passwords. */
import type { AuditEntry } from './records.ts'

/** A user who signs in to one workspace. Times in milliseconds since 1970. */
export interface UserRecord {
  readonly id: string
  readonly workspaceId: string
  /** Unique in the whole installation, since nobody names a workspace when signing in. */
  readonly name: string
  readonly role: string
  readonly provider: 'local' | 'oidc'
  /** The provider's identity of the user; null for a local user. Unique together. */
  readonly issuer: string | null
  readonly subject: string | null
  /** Hash of the password; null if there is none yet, or never will be. */
  readonly password: string | null
  readonly createdAt: number
}

export interface StoredUser extends UserRecord {
  readonly disabledAt: number | null
  readonly lastSignInAt: number | null
}

export interface ListedUser extends StoredUser {
  /** Open sessions: not past their end, and used recently. */
  readonly sessions: number
}

/** Changes to a user. Omitted members stay unchanged. */
export interface UserChange {
  readonly name?: string
  readonly role?: string
  readonly password?: string
  readonly disabledAt?: number | null
  readonly lastSignInAt?: number
}

export interface SessionRecord {
  /** Keyed hash of the cookie's value. */
  readonly hash: string
  readonly userId: string
  readonly createdAt: number
  readonly lastUsedAt: number
  /** When it ends, however much it is used. */
  readonly endsAt: number
}

export interface LinkRecord {
  /** Keyed hash of the code. */
  readonly hash: string
  readonly workspaceId: string
  /** The user whose password it sets; null for the link that creates the first user of an installation. */
  readonly userId: string | null
  readonly expiresAt: number
}

export type UserKey =
  | { readonly id: string }
  | { readonly name: string }
  | { readonly issuer: string; readonly subject: string }

/** `last_admin`: nobody would be left who may create users and can sign in. Nothing is written then. */
type UserOutcome = 'done' | 'not_found' | 'last_admin'

/** The part of a store that holds users. Every action is one transaction with its audit row. */
export interface AccountStore {
  hasUsers(): Promise<boolean>
  /** @throws StoreError `conflict` if name or subject is taken, `unknown_workspace` */
  insertUser(user: UserRecord, audit: AuditEntry): Promise<void>
  findUser(key: UserKey): Promise<StoredUser | undefined>
  /**
   * Ordered by name, after `after`.
   * @param query `usedAfter`: sessions that were not used since do not count
   */
  listUsers(query: {
    readonly workspaceId: string
    readonly now: number
    readonly usedAfter: number
    readonly limit: number
    readonly after?: string | undefined
    /** The only user to list. */
    readonly id?: string | undefined
  }): Promise<ListedUser[]>
  /**
   * Changes a user and, if asked, ends their sessions: `all`, or all except the one with the hash in `except`. A new
   * password invalidates a link that would set one.
   * @throws StoreError `conflict` if the new name is taken
   */
  changeUser(
    user: { readonly workspaceId: string; readonly id: string },
    change: UserChange,
    options: {
      readonly endSessions?: 'all' | { readonly except: string } | undefined
      /** Demotes even the last admin, if roles are managed outside the installation. */
      readonly isForced?: boolean
    },
    audit: AuditEntry | null
  ): Promise<UserOutcome>
  /** Removes a user with their sessions and links. */
  removeUser(user: { readonly workspaceId: string; readonly id: string }, audit: AuditEntry): Promise<UserOutcome>

  /** Adds a session, sets the user's last sign-in, and deletes expired sessions of all users. */
  insertSession(session: SessionRecord, audit: AuditEntry): Promise<void>
  findSession(hash: string): Promise<{ readonly session: SessionRecord; readonly user: StoredUser } | undefined>
  /** Sets the time of last use if it is later than the known one. */
  touchSession(hash: string, at: number): Promise<void>
  /** Ends one session of a user, or all. @returns how many there were; if none, nothing is audited */
  endSessions(which: { readonly hash: string } | { readonly userId: string }, audit: AuditEntry): Promise<number>

  /** Adds a link, replacing any other of the same user, or of the first user. */
  putLink(link: LinkRecord, audit: AuditEntry): Promise<void>
  findLink(hash: string): Promise<(LinkRecord & { readonly userName: string | null }) | undefined>
  /**
   * Uses a link up, once: creates the first user, or sets its user's password and ends their sessions.
   * @returns the user's current state; undefined if there is no such link, it expired before `now`, or it would create
   *   a first user where there is one
   * @throws StoreError `conflict`
   */
  useLink(
    hash: string,
    now: number,
    by: { readonly firstUser: Omit<UserRecord, 'workspaceId'> } | { readonly password: string },
    audit: Omit<AuditEntry, 'workspaceId'>
  ): Promise<StoredUser | undefined>
}

/** The role that can create users; the last user with it in a workspace cannot be removed. */
export const managingRole = 'admin'
