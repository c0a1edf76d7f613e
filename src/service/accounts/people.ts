/** Users: how they sign in, and how admins manage them. Every action leaves a row in the audit trail. */
import { randomUUID } from 'node:crypto'
import { Refused } from '../../ingress/refusal/refused.ts'
import type { Role } from '../../protocol/roles.ts'
import { userNamePattern } from '../../protocol/api/session-schema.ts'
import {
  auditActions,
  StoreError,
  type AuditEntry,
  type ListedUser,
  type Store,
  type StoredUser,
  type UserChange
} from '../../store/store.ts'
import type { Attempts } from './attempts.ts'
import type { Actor, MadeLink, PasswordLinks } from './links.ts'
import type { Passwords } from './passwords.ts'

interface PeopleOptions {
  readonly store: Store
  readonly passwords: Passwords
  readonly links: PasswordLinks
  readonly attempts: Attempts
  /** A session that was not used for this long has ended. */
  readonly idleTimeoutMs: number
  readonly timeMs?: () => number
}

/** What an OpenID provider says about somebody. */
export interface ProvenIdentity {
  readonly issuer: string
  readonly subject: string
  /** The name that the person prefers; adapted to the rules, and made unique. */
  readonly preferredName: string
  readonly role: Role
  /** The workspace of somebody who signs in for the first time. */
  readonly workspaceId: string
}

/** How many numbers are tried as suffixes if a name is taken. */
const namesTriedMax = 20

export class People {
  readonly #store: Store
  readonly #passwords: Passwords
  readonly #links: PasswordLinks
  readonly #attempts: Attempts
  readonly #idleTimeoutMs: number
  readonly #timeMs: () => number

  constructor({ store, passwords, links, attempts, idleTimeoutMs, timeMs = Date.now }: PeopleOptions) {
    this.#store = store
    this.#passwords = passwords
    this.#links = links
    this.#attempts = attempts
    this.#idleTimeoutMs = idleTimeoutMs
    this.#timeMs = timeMs
  }

  /**
   * Checks a name and a password. Neither the answer nor its timing reveals whether the user exists.
   * @throws Refused `sign_in_refused`, `too_many_attempts`, `overloaded`; StoreError
   */
  async signIn(
    given: { readonly name: string; readonly password: string },
    from: { address: string; requestId: string }
  ) {
    const giveBack = this.#attempts.take(from.address, given.name)
    const { user, isRight } = await this.#judge(given).catch((error: unknown) => unjudged(error, giveBack))
    if (user && isRight && user.disabledAt === null) {
      giveBack()
      return user
    }
    // Not awaited: the answer must not take longer for an existing name.
    if (user) void this.#noteFailure(user, from.requestId).catch(() => {})
    throw new Refused('sign_in_refused')
  }

  /** Sets a new password for oneself. Ends the user's other sessions. @throws as {@link signIn} */
  async changePassword(
    user: StoredUser,
    given: { readonly current: string; readonly password: string },
    from: { readonly address: string; readonly requestId: string; readonly sessionHash: string }
  ): Promise<void> {
    if (user.provider !== 'local') throw new Refused('not_found', { fill: { what: 'user with a password' } })
    const giveBack = this.#attempts.take(from.address, user.name)
    const verified = this.#passwords.verify(given.current, user.password)
    if (!(await verified.catch((error: unknown) => unjudged(error, giveBack)))) {
      await this.#noteFailure(user, from.requestId)
      throw new Refused('sign_in_refused')
    }
    giveBack()
    const change = { password: await this.#passwords.hash(given.password) }
    const by = { actor: `user:${user.name}`, tokenId: null, requestId: from.requestId }
    const audit = this.#act(user.workspaceId, auditActions.passwordSet, { name: user.name, by: 'user' }, by)
    await this.#store.changeUser(user, change, { endSessions: { except: from.sessionHash } }, audit)
  }

  /**
   * The user whom an OpenID provider vouches for: created at the first sign-in, with the current role at each.
   * @returns `disabled` if an admin has disabled the user
   * @throws StoreError
   */
  async signInByProvider(identity: ProvenIdentity, requestId: string): Promise<StoredUser | 'disabled'> {
    const { issuer, subject, role } = identity
    const known = await this.#store.findUser({ issuer, subject })
    if (!known) return await this.#addFromProvider(identity, requestId)
    if (known.disabledAt !== null) return 'disabled'
    if (known.role === role) return known
    const detail = { name: known.name, role, before: known.role, by: 'provider' }
    const audit = this.#act(known.workspaceId, auditActions.userChanged, detail, service(requestId))
    // The provider decides even if nobody is left who could create users: whoever loses a role there must not keep it
    // here.
    await this.#store.changeUser(known, { role }, { isForced: true }, audit)
    return { ...known, role }
  }

  /** Ordered by name. @param page at most `limit` users, after the name `after` */
  async list(
    workspaceId: string,
    page: { readonly limit: number; readonly after?: string | undefined }
  ): Promise<ListedUser[]> {
    const now = this.#timeMs()
    return await this.#store.listUsers({ workspaceId, now, usedAfter: now - this.#idleTimeoutMs, ...page })
  }

  /** The current state of a user. @throws Refused `not_found` */
  async listed({ workspaceId, id }: StoredUser): Promise<ListedUser> {
    const now = this.#timeMs()
    const query = { workspaceId, now, usedAfter: now - this.#idleTimeoutMs, limit: 1, id }
    const [user] = await this.#store.listUsers(query)
    if (!user) throw new Refused('not_found', { fill: { what: 'user' } })
    return user
  }

  /** @throws Refused `not_found` */
  async find(workspaceId: string, id: string): Promise<StoredUser> {
    const user = await this.#store.findUser({ id })
    if (user?.workspaceId !== workspaceId) throw new Refused('not_found', { fill: { what: 'user' } })
    return user
  }

  /** Creates a local user, who sets their own password through the link. @throws Refused `name_taken`, StoreError */
  async create(
    workspaceId: string,
    { name, role }: { readonly name: string; readonly role: Role },
    by: Actor
  ): Promise<{ readonly user: StoredUser; readonly link: MadeLink }> {
    const user = {
      id: randomUUID(),
      workspaceId,
      name,
      role,
      provider: 'local',
      issuer: null,
      subject: null,
      password: null,
      createdAt: this.#timeMs()
    } as const
    const audit = this.#act(workspaceId, auditActions.userCreated, { name, role }, by)
    await this.#store.insertUser(user, audit).catch(asTakenName)
    const stored = { ...user, disabledAt: null, lastSignInAt: null }
    return { user: stored, link: await this.#links.makeFor(stored, by) }
  }

  /** Creates a link that sets a new password for a local user. @throws Refused `not_found` */
  async makeLink(user: StoredUser, by: Actor): Promise<MadeLink> {
    if (user.provider !== 'local') throw new Refused('not_found', { fill: { what: 'user with a password' } })
    return await this.#links.makeFor(user, by)
  }

  /** @returns when the user was disabled, once `disabled` is applied; null for an enabled user */
  #disabledAt(user: StoredUser, disabled: boolean | undefined): number | null {
    if (disabled === undefined) return user.disabledAt
    if (!disabled) return null
    return user.disabledAt ?? this.#timeMs()
  }

  /**
   * Changes a role, or disables or enables a user. A disabled user is signed out.
   * @throws Refused `not_found`, `last_admin`
   */
  async change(
    user: StoredUser,
    { role, disabled }: { readonly role?: Role | undefined; readonly disabled?: boolean | undefined },
    by: Actor
  ): Promise<StoredUser> {
    const disabledAt = this.#disabledAt(user, disabled)
    const change: UserChange = { disabledAt, ...(role === undefined ? {} : { role }) }
    const detail = { name: user.name, role, disabled, before: user.role }
    const audit = this.#act(user.workspaceId, auditActions.userChanged, detail, by)
    const options = disabledAt === null ? {} : { endSessions: 'all' as const }
    refuseUnlessDone(await this.#store.changeUser(user, change, options, audit))
    return { ...user, ...change }
  }

  /** @throws Refused `not_found`, `last_admin` */
  async remove(user: StoredUser, by: Actor): Promise<void> {
    const audit = this.#act(user.workspaceId, auditActions.userRemoved, { name: user.name, role: user.role }, by)
    refuseUnlessDone(await this.#store.removeUser(user, audit))
  }

  async #judge({ name, password }: { readonly name: string; readonly password: string }) {
    const user = await this.#localUser(name)
    return { user, isRight: await this.#passwords.verify(password, user?.password ?? null) }
  }

  async #localUser(typed: string): Promise<StoredUser | undefined> {
    const name = typed.trim().toLowerCase()
    // The store is queried even for an impossible name, so that the answer takes equally long.
    const user = await this.#store.findUser({ name: userNamePattern.test(name) ? name : '' })
    return user?.provider === 'local' ? user : undefined
  }

  async #addFromProvider(identity: ProvenIdentity, requestId: string): Promise<StoredUser> {
    const { issuer, subject, role, workspaceId } = identity
    const at = this.#timeMs()
    const rest = { id: randomUUID(), workspaceId, role, provider: 'oidc', password: null } as const
    for (const name of namesLike(identity.preferredName)) {
      const user = { ...rest, name, issuer, subject, createdAt: at }
      const detail = { name, role, by: 'provider' }
      const audit = this.#act(user.workspaceId, auditActions.userCreated, detail, service(requestId))
      try {
        await this.#store.insertUser(user, audit)
        return { ...user, disabledAt: null, lastSignInAt: null }
      } catch (error) {
        if (!(error instanceof StoreError && error.code === 'conflict')) throw error
        // The name is taken, or the same person signed in through two tabs at once.
        const known = await this.#store.findUser({ issuer, subject })
        if (known) return known
      }
    }
    throw new StoreError('conflict', 'No free name was found.')
  }

  async #noteFailure({ workspaceId, name }: StoredUser, requestId: string): Promise<void> {
    const audit = this.#act(workspaceId, auditActions.signInFailed, { name }, service(requestId))
    await this.#store.append({ events: [], audit: [audit] })
  }

  #act(workspaceId: string, action: string, detail: AuditEntry['detail'], by: Actor): AuditEntry {
    const { actor, tokenId, requestId } = by
    return { workspaceId, at: this.#timeMs(), requestId, tokenId, actor, action, detail }
  }
}

/**
 * The password was not checked: a flood of others, or an unreachable store, must not use up the owner's attempts.
 * @throws the error
 */
function unjudged(error: unknown, giveBack: () => void): never {
  giveBack()
  throw error
}

const service = (requestId: string): Actor => ({ actor: 'service', tokenId: null, requestId })

/** The preferred name, adapted to the rules, and then with numbers appended. */
function* namesLike(preferred: string): Generator<string> {
  const fitting = preferred
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._@+-]/g, '')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60)
  const name = fitting === '' ? 'user' : fitting
  yield name
  for (let number = 2; number <= namesTriedMax; number++) yield `${name}-${number}`
  yield `${name.slice(0, 50)}-${randomUUID().slice(0, 8)}`
}

/** A taken name is the caller's mistake. @throws Refused `name_taken`, or the original error */
export function asTakenName(error: unknown): never {
  throw error instanceof StoreError && error.code === 'conflict' ? new Refused('name_taken') : error
}

function refuseUnlessDone(outcome: 'done' | 'not_found' | 'last_admin'): void {
  if (outcome !== 'done') throw new Refused(outcome, { fill: { what: 'user' } })
}
