/** Single-use links that set a password: the set-up of an installation, an invitation, and account recovery. */
import { createHmac, randomBytes, randomUUID, type KeyObject } from 'node:crypto'
import { deriveKey } from '../../config/master-key.ts'
import { auditActions, type AuditEntry, type Store, type StoredUser } from '../../store/store.ts'
import { defaultWorkspaceId } from '../../protocol/workspace-id.ts'
import type { Passwords } from './passwords.ts'

/** A link for its holder. */
export interface MadeLink {
  /** Path and fragment. A fragment is never sent, so that no log of a server or proxy has the code. */
  readonly path: string
  readonly expiresAt: number
}

interface LinkPurpose {
  readonly purpose: 'first' | 'password'
  /** The user whose password it sets. */
  readonly name: string | null
  readonly expiresAt: number
}

/** Who performs an action, as named in the audit trail. */
export interface Actor {
  readonly actor: string
  readonly tokenId: string | null
  readonly requestId: string | null
}

interface LinkOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  readonly passwords: Passwords
  readonly timeMs?: () => number
}

const codeBytes = 24
const firstLinkMs = 24 * 3_600_000
const userLinkMs = 72 * 3_600_000

export class PasswordLinks {
  readonly #store: Store
  readonly #passwords: Passwords
  readonly #hashKey: KeyObject
  readonly #timeMs: () => number

  constructor({ store, masterKey, passwords, timeMs = Date.now }: LinkOptions) {
    this.#store = store
    this.#passwords = passwords
    this.#hashKey = deriveKey(masterKey, 'link-hash')
    this.#timeMs = timeMs
  }

  /**
   * Creates a link for the first admin, which replaces any earlier one.
   * @returns undefined if there is already a user
   * @throws StoreError
   */
  async makeFirst(by: Actor): Promise<MadeLink | undefined> {
    if (await this.#store.hasUsers()) return undefined
    return await this.#make({ workspaceId: defaultWorkspaceId, userId: null, lifetimeMs: firstLinkMs }, by, null)
  }

  /** Creates a link that sets the password of a local user, which replaces any earlier one. @throws StoreError */
  async makeFor(user: StoredUser, by: Actor): Promise<MadeLink> {
    const { id: userId, workspaceId, name } = user
    return await this.#make({ workspaceId, userId, lifetimeMs: userLinkMs }, by, name)
  }

  /** What a code is for; undefined if it is invalid, used or expired. @throws StoreError */
  async look(code: string): Promise<LinkPurpose | undefined> {
    const link = await this.#store.findLink(this.#hash(code))
    if (!link || link.expiresAt <= this.#timeMs()) return undefined
    const { userId, userName: name, expiresAt } = link
    if (userId === null && (await this.#store.hasUsers())) return undefined
    return { purpose: userId === null ? 'first' : 'password', name, expiresAt }
  }

  /**
   * Uses a link up.
   * @param name of the first admin; a link for an existing user has its own
   * @returns the user, or undefined if the link is no longer valid
   * @throws StoreError, Refused `overloaded`
   */
  async use(code: string, name: string | undefined, password: string, requestId: string) {
    const known = await this.look(code)
    if (!known) return undefined
    const isFirst = known.purpose === 'first'
    const userName = isFirst ? name : (known.name ?? undefined)
    if (userName === undefined) return undefined
    const stored = await this.#passwords.hash(password)
    const at = this.#timeMs()
    const firstUser = {
      id: randomUUID(),
      name: userName,
      role: 'admin',
      provider: 'local',
      issuer: null,
      subject: null,
      password: stored,
      createdAt: at
    } as const
    const action = isFirst ? auditActions.userCreated : auditActions.passwordSet
    const detail = isFirst ? { name: userName, role: 'admin', by: 'setup_link' } : { name: userName, by: 'link' }
    const audit = { at, requestId, tokenId: null, actor: `user:${userName}`, action, detail }
    const by = isFirst ? { firstUser } : { password: stored }
    return await this.#store.useLink(this.#hash(code), at, by, audit)
  }

  async #make(
    link: { readonly workspaceId: string; readonly userId: string | null; readonly lifetimeMs: number },
    by: Actor,
    name: string | null
  ): Promise<MadeLink> {
    const code = randomBytes(codeBytes).toString('base64url')
    const at = this.#timeMs()
    const { workspaceId, userId, lifetimeMs } = link
    const expiresAt = at + lifetimeMs
    const detail: AuditEntry['detail'] = name === null ? { purpose: 'first' } : { purpose: 'password', name }
    const audit: AuditEntry = { ...by, workspaceId, at, action: auditActions.linkCreated, detail }
    await this.#store.putLink({ hash: this.#hash(code), workspaceId, userId, expiresAt }, audit)
    return { path: `/setup#${code}`, expiresAt }
  }

  #hash(code: string): string {
    return createHmac('sha256', this.#hashKey).update(code).digest('hex')
  }
}
