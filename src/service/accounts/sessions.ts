/**
 * Sessions of users. A browser holds random bytes, the store a keyed hash of them, and every request reads the session
 * and its user from the store: a changed role or a removed user takes effect at once, in all instances.
 */
import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { deriveKey } from '../../config/master-key.ts'
import type { SignInConfig } from '../../config/sign-in.ts'
import { isRole, type Role } from '../../protocol/roles.ts'
import { auditActions, type AuditEntry, type SessionRecord, type Store, type StoredUser } from '../../store/store.ts'

/** A valid session. */
export interface SignedIn {
  /** Identifies the session, and is of no use to anyone who reads it. */
  readonly sessionHash: string
  readonly user: StoredUser & { readonly role: Role }
  /** The token that a page sends with every change, since no other site can read it. */
  readonly csrfToken: string
  readonly idleEndsAt: number
  readonly endsAt: number
}

interface SessionOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  readonly config: SignInConfig
  /** The time of day in milliseconds. */
  readonly timeMs?: () => number
}

const secretBytes = 32
/** The time of last use is written at most this often. */
const touchEveryMs = 30_000

export class Sessions {
  readonly #store: Store
  readonly #config: SignInConfig
  readonly #hashKey: KeyObject
  readonly #csrfKey: KeyObject
  readonly #timeMs: () => number

  constructor({ store, masterKey, config, timeMs = Date.now }: SessionOptions) {
    this.#store = store
    this.#config = config
    this.#hashKey = deriveKey(masterKey, 'session-hash')
    this.#csrfKey = deriveKey(masterKey, 'csrf')
    this.#timeMs = timeMs
  }

  /**
   * Opens a session for an authenticated user.
   * @returns the cookie's value, and the session
   * @throws StoreError
   */
  async open(user: StoredUser, requestId: string): Promise<{ readonly cookie: string; readonly signedIn: SignedIn }> {
    const cookie = randomBytes(secretBytes).toString('base64url')
    const now = this.#timeMs()
    const hash = this.#hash(cookie)
    const endsAt = now + this.#config.lifetimeMs
    const session: SessionRecord = { hash, userId: user.id, createdAt: now, lastUsedAt: now, endsAt }
    const audit = this.#act(user, auditActions.signedIn, { provider: user.provider }, requestId)
    await this.#store.insertSession(session, audit)
    const signedIn = this.#judge(session, user, now)
    if (!signedIn) throw new TypeError('a session was opened for somebody who cannot have one')
    return { cookie, signedIn }
  }

  /**
   * The session of a cookie; undefined if there is none, it has ended, or its user may no longer sign in.
   * @throws StoreError
   */
  async find(cookie: string): Promise<SignedIn | undefined> {
    if (!/^[\w-]{43}$/.test(cookie)) return undefined
    const found = await this.#store.findSession(this.#hash(cookie))
    const now = this.#timeMs()
    const signedIn = found && this.#judge(found.session, found.user, now)
    if (found && signedIn && now - found.session.lastUsedAt >= this.#touchEveryMs) {
      // A use that cannot be recorded now is dropped: the next one is recorded again.
      await this.#store.touchSession(found.session.hash, now).catch(() => {})
    }
    return signedIn
  }

  /** Whether a session with which something was opened is still valid. @throws StoreError */
  async isGood(sessionHash: string): Promise<boolean> {
    const found = await this.#store.findSession(sessionHash)
    return found !== undefined && this.#judge(found.session, found.user, this.#timeMs()) !== undefined
  }

  /** Whether a request carries the token of its session. */
  isOwnCsrfToken({ csrfToken }: SignedIn, given: unknown): boolean {
    if (typeof given !== 'string') return false
    const [own, other] = [Buffer.from(csrfToken), Buffer.from(given)]
    return own.length === other.length && timingSafeEqual(own, other)
  }

  /** Ends a session, or all of its user's sessions. @returns how many there were */
  async end({ sessionHash, user }: SignedIn, everywhere: boolean, requestId: string): Promise<number> {
    const audit = this.#act(user, auditActions.signedOut, { everywhere }, requestId)
    return await this.#store.endSessions(everywhere ? { userId: user.id } : { hash: sessionHash }, audit)
  }

  get #touchEveryMs(): number {
    return Math.min(touchEveryMs, this.#config.idleTimeoutMs / 4)
  }

  #judge(session: SessionRecord, user: StoredUser, now: number): SignedIn | undefined {
    const { role } = user
    const idleEndsAt = Math.min(session.lastUsedAt + this.#config.idleTimeoutMs, session.endsAt)
    if (!isRole(role) || user.disabledAt !== null || !this.#mayStillCome(user) || now >= idleEndsAt) return undefined
    const csrfToken = createHmac('sha256', this.#csrfKey).update(session.hash).digest('base64url')
    const nextIdleEnd = Math.min(now + this.#config.idleTimeoutMs, session.endsAt)
    return {
      sessionHash: session.hash,
      user: { ...user, role },
      csrfToken,
      idleEndsAt: nextIdleEnd,
      endsAt: session.endsAt
    }
  }

  /**
   * Whether this user could sign in now: with a password, or through their provider. The provider is compared by host,
   * since one with many organisations issues tokens with a different issuer for each.
   */
  #mayStillCome({ provider, issuer }: StoredUser): boolean {
    const { takesPasswords, oidc } = this.#config
    if (provider === 'local') return takesPasswords
    return oidc !== undefined && URL.parse(issuer ?? '')?.origin === URL.parse(oidc.issuer)?.origin
  }

  #hash(cookie: string): string {
    return createHmac('sha256', this.#hashKey).update(cookie).digest('hex')
  }

  #act(user: StoredUser, action: string, detail: AuditEntry['detail'], requestId: string): AuditEntry {
    const { workspaceId, name } = user
    return { workspaceId, at: this.#timeMs(), requestId, tokenId: null, actor: `user:${name}`, action, detail }
  }
}
