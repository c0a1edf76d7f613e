/** What the store keeps of people who sign in: users, their sessions, and the links that set passwords. */
import type { AuditEntry } from './records.ts'

/** Someone who signs in, to one workspace. Times in milliseconds since 1970. */
export interface UserRecord {
  readonly id: string
  readonly workspaceId: string
  /** Unique in the whole installation, since nobody names a workspace when they sign in. */
  readonly name: string
  readonly role: string
  readonly provider: 'local' | 'oidc'
  /** Who the provider says that it is; null for a local user. Unique together. */
  readonly issuer: string | null
  readonly subject: string | null
  /** What a password is checked against; null where there is none yet, or never will be. */
  readonly password: string | null
  readonly createdAt: number
}

export interface StoredUser extends UserRecord {
  readonly disabledAt: number | null
  readonly lastSignInAt: number | null
}

export interface ListedUser extends StoredUser {
  /** Sessions that are open: their end lies ahead, and they were used lately. */
  readonly sessions: number
}

/** What can be changed of a user. What is left out stays. */
export interface UserChange {
  readonly name?: string
  readonly role?: string
  readonly password?: string
  readonly disabledAt?: number | null
  readonly lastSignInAt?: number
}

export interface SessionRecord {
  /** Keyed hash of what the cookie holds. */
  readonly hash: string
  readonly userId: string
  readonly createdAt: number
  readonly lastUsedAt: number
  /** When it ends however much it is used. */
  readonly endsAt: number
}

export interface LinkRecord {
  /** Keyed hash of the code. */
  readonly hash: string
  readonly workspaceId: string
  /** Whose password it sets; null for the link that makes the first user of an installation. */
  readonly userId: string | null
  readonly expiresAt: number
}

export type UserKey =
  | { readonly id: string }
  | { readonly name: string }
  | { readonly issuer: string; readonly subject: string }

/** `last_admin`: nobody would be left who may make users and has a way in. Nothing is written then. */
type UserOutcome = 'done' | 'not_found' | 'last_admin'

/** The part of a store that knows people. Every act is one transaction with its audit row. */
export interface AccountStore {
  hasUsers(): Promise<boolean>
  /** @throws StoreError `conflict` where name or subject is taken, `unknown_workspace` */
  insertUser(user: UserRecord, audit: AuditEntry): Promise<void>
  findUser(key: UserKey): Promise<StoredUser | undefined>
  /**
   * In the order of names, those after `after`.
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
   * Changes a user, and ends their sessions where asked: `all`, or all but the one with the hash that `except` gives.
   * A new password ends a link that would set one.
   * @throws StoreError `conflict` where the new name is taken
   */
  changeUser(
    user: { readonly workspaceId: string; readonly id: string },
    change: UserChange,
    options: {
      readonly endSessions?: 'all' | { readonly except: string } | undefined
      /** Takes the last admin away as well, where somebody else than the installation says who is one. */
      readonly isForced?: boolean
    },
    audit: AuditEntry | null
  ): Promise<UserOutcome>
  /** Removes a user with their sessions and links. */
  removeUser(user: { readonly workspaceId: string; readonly id: string }, audit: AuditEntry): Promise<UserOutcome>

  /** Adds a session, sets the user's last sign-in, and forgets sessions of all users whose end has passed. */
  insertSession(session: SessionRecord, audit: AuditEntry): Promise<void>
  findSession(hash: string): Promise<{ readonly session: SessionRecord; readonly user: StoredUser } | undefined>
  /** Sets the time of last use where it is later than the one known. */
  touchSession(hash: string, at: number): Promise<void>
  /** Ends one session of a user, or all of them. @returns how many there were; without any nothing is audited */
  endSessions(which: { readonly hash: string } | { readonly userId: string }, audit: AuditEntry): Promise<number>

  /** Adds a link in place of every other one of the same user, or of the first user. */
  putLink(link: LinkRecord, audit: AuditEntry): Promise<void>
  findLink(hash: string): Promise<(LinkRecord & { readonly userName: string | null }) | undefined>
  /**
   * Uses a link up, once: makes the first user, or gives its user the password and ends their sessions.
   * @returns the user as they stand now; undefined where there is no such link, it expired before `now`, or it would make
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

/** Roles whose holders can make users; the last one of a workspace cannot be taken away. */
export const managingRole = 'admin'
