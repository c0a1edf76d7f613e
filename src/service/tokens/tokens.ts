/**
 * Workspace tokens: created, listed, rotated, revoked, and checked on every call. Only a keyed hash of a token is
 * stored.
 */
import { randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { deriveKey } from '../../config/master-key.ts'
import { createShortHmac, type ShortHmac } from '../../config/short-hmac.ts'
import type { Scanner } from '../../detection/findings.ts'
import { mintToken, parseToken } from '../../protocol/token-format.ts'
import {
  auditActions,
  rowsMax,
  type AuditEntry,
  type Store,
  type StoredToken,
  type TokenRecord
} from '../../store/store.ts'
import { grants, isScope, type Scope } from '../../protocol/scopes.ts'
import { TokenCache } from './cache.ts'
import { checkExpiry, checkOverlap, checkRequest, type RotationRequest, type TokenRequest } from './requests.ts'

export { defaultScopes, grants, scopes, type Scope } from '../../protocol/scopes.ts'
export * from './requests.ts'

/** Whom a call acts for. */
export interface Principal {
  readonly tokenId: string
  readonly workspaceId: string
  /** Shared by a token and those into which it was rotated; ids of events are unique within it. */
  readonly lineageId: string
  readonly scopes: readonly Scope[]
}

/** A refusal by its code in the error catalogue; `scope` is the missing one. */
type TokenRefusal =
  | {
      readonly ok: false
      readonly code: 'missing_token' | 'invalid_token' | 'expired_token' | 'revoked_token' | 'store_unavailable'
    }
  | { readonly ok: false; readonly code: 'missing_scope'; readonly scope: Scope; readonly principal: Principal }

export type Authentication = { readonly ok: true; readonly principal: Principal } | TokenRefusal

/** What may be shown of a token: everything except the token and its hash. Times in milliseconds since 1970. */
export interface TokenSummary {
  readonly id: string
  readonly workspaceId: string
  readonly lineageId: string
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

/** A token and its summary. The token itself is shown only here. */
export interface MadeToken {
  readonly token: string
  readonly summary: TokenSummary
}

export interface TokenServiceOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  /** Searches labels for secrets; called for each new one. Default: with the built-in kinds only. */
  readonly own?: () => { readonly scanner: Scanner } | Promise<{ readonly scanner: Scanner }>
  /** How often the store is queried to see whether it still answers; it reports changes itself. */
  readonly heartbeatMs?: number
  /** How long known tokens stay valid while the store does not answer. */
  readonly graceMs?: number
  /** How often times of last use are written. */
  readonly touchMs?: number
  /** How soon the first use of a token is written: who sets up a client looks whether it was used. */
  readonly firstTouchMs?: number
  readonly tokensMax?: number
  readonly lookUpsMax?: number
  /** A monotonic clock in milliseconds, for durations; and the time of day, for expiry. */
  readonly monotonicMs?: () => number
  readonly timeMs?: () => number
}

const unused = { revokedAt: null, lastUsedAt: null, change: 0 } as const

const readScopes = (names: readonly string[]): readonly Scope[] => names.filter(isScope)

function summary(token: StoredToken): TokenSummary {
  const { id, workspaceId, lineageId, label, createdAt, expiresAt, revokedAt, lastUsedAt } = token
  const held = readScopes(token.scopes)
  return { id, workspaceId, lineageId, label, scopes: held, createdAt, expiresAt, revokedAt, lastUsedAt }
}

interface Judged {
  /** The keyed hash as bytes, for comparison in constant time. */
  readonly hash: Buffer
  readonly principal: Principal
  /** Whether a use is known, recorded or about to be. */
  isUsed: boolean
}

export class TokenService implements AsyncDisposable {
  readonly #store: Store
  readonly #own: TokenServiceOptions['own']
  readonly #hmac: ShortHmac
  /** What every check of a token state needs; released with the state. */
  readonly #judged = new WeakMap<StoredToken, Judged>()
  readonly #cache: TokenCache
  readonly #graceMs: number
  readonly #monotonicMs: () => number
  readonly #timeMs: () => number
  readonly #touchTimer: NodeJS.Timeout
  readonly #firstTouchMs: number
  #firstTouch: NodeJS.Timeout | undefined
  #uses = new Map<string, number>()

  private constructor(options: TokenServiceOptions) {
    this.#store = options.store
    this.#own = options.own
    this.#hmac = createShortHmac(deriveKey(options.masterKey, 'token-hash'))
    this.#graceMs = options.graceMs ?? 60_000
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now())
    this.#timeMs = options.timeMs ?? Date.now
    this.#cache = new TokenCache(options.store, {
      tokensMax: options.tokensMax ?? 100_000,
      unknownMax: 10_000,
      unknownTtlMs: 60_000,
      lookUpsMax: options.lookUpsMax ?? 64,
      heartbeatMs: options.heartbeatMs ?? 5_000,
      now: this.#monotonicMs,
      timeMs: this.#timeMs
    })
    this.#firstTouchMs = options.firstTouchMs ?? 1_000
    this.#touchTimer = setInterval(() => void this.#touch(), options.touchMs ?? 30_000).unref()
  }

  /** @throws StoreError if the store does not answer */
  static async start(options: TokenServiceOptions): Promise<TokenService> {
    const service = new TokenService(options)
    try {
      await service.#cache.start()
    } catch (error) {
      clearInterval(service.#touchTimer)
      throw error
    }
    return service
  }

  /**
   * Creates a token. It can only be seen now.
   * @param actor who creates it, as named in the audit trail: `cli`, `service`, `token:<id>`, `user:<name>`
   * @param requestId of the request that asks for it, for the audit trail
   * @throws TokenRequestError, StoreError (`unknown_workspace` among others)
   */
  async create(request: TokenRequest, actor: string, requestId: string | null = null): Promise<MadeToken> {
    const createdAt = this.#timeMs()
    const own = await this.#own?.()
    const wanted = await checkRequest(request, createdAt, own?.scanner)
    const { workspaceId, label, expiresAt = null } = request
    const { token, record } = this.#mint({ workspaceId, label, scopes: wanted, createdAt, expiresAt })
    const detail = { id: record.id, label, scopes: wanted, expiresAt }
    const audit = this.#act(workspaceId, actor, auditActions.tokenCreated, detail, requestId)
    await this.#store.insertToken(record, audit)
    return { token, summary: summary({ ...record, ...unused }) }
  }

  /**
   * Creates a token of the same lineage, label and scopes, with the lifetime of the newest one of the lineage unless the
   * request says when it ends, and lets the old one expire after the overlap. Events that
   * were sent with the old one and are repeated with the new one are recognised as duplicates.
   * @returns `not_found` if the old one is not a token of the workspace or was revoked
   * @throws TokenRequestError, StoreError
   */
  async rotate(
    request: RotationRequest,
    actor: string,
    requestId: string | null = null
  ): Promise<MadeToken | 'not_found'> {
    const { workspaceId, id, overlapMs } = request
    const createdAt = this.#timeMs()
    checkOverlap(overlapMs)
    const old = await this.#store.findToken(id)
    if (old?.workspaceId !== workspaceId || old.revokedAt !== null) return 'not_found'
    // A token that was rotated before ends with that overlap, which says nothing about the next.
    const { expiresAt: end, createdAt: start } = (await this.#store.newestToken(old.lineageId)) ?? old
    const lifetimeMs = end === null ? null : end - start
    const { expiresAt = lifetimeMs === null ? null : createdAt + lifetimeMs } = request
    checkExpiry(expiresAt, createdAt)
    const { label, scopes: held, lineageId } = old
    const { token, record } = this.#mint({ workspaceId, label, scopes: held, createdAt, expiresAt, lineageId })
    const oldExpiresAt = Math.min(old.expiresAt ?? Infinity, createdAt + overlapMs)
    const detail = { id: record.id, rotatedFrom: id, label, scopes: held, expiresAt, oldExpiresAt }
    const audit = this.#act(workspaceId, actor, auditActions.tokenRotated, detail, requestId)
    if ((await this.#store.rotateToken({ id, oldExpiresAt }, record, audit)) === 'not_found') return 'not_found'
    await this.#learnChanges()
    return { token, summary: summary({ ...record, ...unused }) }
  }

  /**
   * Calls `listener` with the id of each token that is revoked from now on, wherever that happens, or that expires, so
   * that its open streams can be closed. May name a token more than once.
   * @returns a function that ends the subscription
   */
  onRevoked(listener: (tokenId: string) => void): () => void {
    return this.#cache.onRevoked(listener)
  }

  /**
   * Tokens of a workspace in the order of creation or revocation, at most 1000 per page; `after` is the last `change`
   * seen.
   */
  async list(
    workspaceId: string,
    after = 0
  ): Promise<{ readonly tokens: TokenSummary[]; readonly next: number | null }> {
    const page = await this.#store.listTokens({ workspaceId, limit: rowsMax, after })
    return { tokens: page.map(summary), next: page.length < rowsMax ? null : (page.at(-1)?.change ?? null) }
  }

  /** Revokes a token: here at once, in other processes as soon as the store notifies them. */
  async revoke(
    { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
    actor: string,
    requestId: string | null = null
  ): Promise<'revoked' | 'already_revoked' | 'not_found'> {
    const audit = this.#act(workspaceId, actor, auditActions.tokenRevoked, { id }, requestId)
    const outcome = await this.#store.revokeToken({ workspaceId, id, revokedAt: audit.at }, audit)
    if (outcome === 'revoked') await this.#learnChanges()
    return outcome
  }

  /**
   * Checks a token: synchronously if it is in memory, otherwise by asking the store. Only the holder of the right token
   * learns that it is revoked or expired.
   * @param requiredScope the scope that the call needs; undefined if any valid token will do
   */
  authenticate(token: string | undefined, requiredScope: Scope | undefined): Authentication | Promise<Authentication> {
    if (token === undefined || token === '') return { ok: false, code: 'missing_token' }
    const parsed = parseToken(token)
    if (!parsed.ok) return { ok: false, code: 'invalid_token' }
    const known = this.#cache.known(parsed.id)
    if (known) return this.#judge(token, known, requiredScope)
    const found = this.#cache.lookUp(parsed.id)
    if (found instanceof Promise) return found.then((result) => this.#answer(token, result, requiredScope))
    return this.#answer(token, found, requiredScope)
  }

  /** Whether a token with which something was opened is still valid. Answers from memory. */
  isGood(tokenId: string): boolean {
    const known = this.#cache.known(tokenId)
    if (!known || known.revokedAt !== null || this.#hasLostStore()) return false
    return known.expiresAt === null || known.expiresAt > this.#timeMs()
  }

  /** Stops following the store and writes the times of last use. */
  async close(): Promise<void> {
    this.#cache.stop()
    clearInterval(this.#touchTimer)
    clearTimeout(this.#firstTouch)
    await this.#touch()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #answer(
    token: string,
    found: StoredToken | 'unknown' | 'unavailable',
    requiredScope: Scope | undefined
  ): Authentication {
    if (found === 'unavailable') return { ok: false, code: 'store_unavailable' }
    if (found === 'unknown') return { ok: false, code: 'invalid_token' }
    return this.#judge(token, found, requiredScope)
  }

  #judge(token: string, known: StoredToken, requiredScope: Scope | undefined): Authentication {
    const judged = this.#judgedOf(known)
    const { hash, principal } = judged
    const actual = Buffer.from(this.#hmac.text(token), 'latin1')
    if (hash.length !== actual.length || !timingSafeEqual(hash, actual)) return { ok: false, code: 'invalid_token' }
    if (known.revokedAt !== null) return { ok: false, code: 'revoked_token' }
    const now = this.#timeMs()
    if (known.expiresAt !== null && known.expiresAt <= now) return { ok: false, code: 'expired_token' }
    if (this.#hasLostStore()) return { ok: false, code: 'store_unavailable' }
    if (requiredScope && !grants(principal.scopes, requiredScope)) {
      return { ok: false, code: 'missing_scope', scope: requiredScope, principal }
    }
    this.#uses.set(known.id, now)
    if (!judged.isUsed) this.#touchSoon(judged)
    return { ok: true, principal }
  }

  #touchSoon(judged: Judged): void {
    judged.isUsed = true
    this.#firstTouch ??= setTimeout(() => {
      this.#firstTouch = undefined
      void this.#touch()
    }, this.#firstTouchMs).unref()
  }

  #judgedOf(known: StoredToken): Judged {
    const before = this.#judged.get(known)
    if (before) return before
    const { id: tokenId, workspaceId, lineageId } = known
    const principal = { tokenId, workspaceId, lineageId, scopes: readScopes(known.scopes) }
    const judged = {
      hash: Buffer.from(known.hash, 'latin1'),
      principal: Object.freeze(principal),
      isUsed: known.lastUsedAt !== null
    }
    this.#judged.set(known, judged)
    return judged
  }

  /** Creates a token from fresh randomness; the first of a lineage gives it its id. */
  #mint(fields: Omit<TokenRecord, 'id' | 'hash' | 'lineageId'> & { readonly lineageId?: string }): {
    readonly token: string
    readonly record: TokenRecord
  } {
    const { id, token } = mintToken(randomBytes)
    return { token, record: { lineageId: id, ...fields, id, hash: this.#hmac.text(token) } }
  }

  /** The change is in the store; if this fails, the store soon notifies the cache of it. */
  async #learnChanges(): Promise<void> {
    await this.#cache.refresh().catch(() => {})
  }

  #hasLostStore(): boolean {
    return this.#monotonicMs() - this.#cache.heardAt > this.#graceMs
  }

  #act(
    workspaceId: string,
    actor: string,
    action: string,
    detail: AuditEntry['detail'],
    requestId: string | null
  ): AuditEntry {
    return { workspaceId, at: this.#timeMs(), requestId, tokenId: null, actor, action, detail }
  }

  /**
   * Writes times of last use. Those that cannot be written are dropped: the token's next use records it again. Never
   * rejects.
   */
  async #touch(): Promise<void> {
    const uses = [...this.#uses].map(([tokenId, at]) => ({ tokenId, at }))
    this.#uses = new Map()
    for (let start = 0; start < uses.length; start += rowsMax) {
      await this.#store.touchTokens(uses.slice(start, start + rowsMax)).catch(() => {})
    }
  }
}

/**
 * Loads the tokens and starts to follow the store; the same as {@link TokenService.start}.
 * @throws StoreError if the store does not answer
 */
export function createTokenService(options: TokenServiceOptions): Promise<TokenService> {
  return TokenService.start(options)
}
