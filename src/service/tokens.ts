/** Workspace tokens: made, listed, revoked, and judged on every call. Only a keyed hash of a token is ever kept. */
import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import { deriveKey } from '../config/master-key.ts'
import { mintToken, parseToken } from '../protocol/token-format.ts'
import { auditActions, rowsMax, type AuditEntry, type Store, type StoredToken } from '../store/store.ts'
import { defaultScopes, grants, isScope, scopes, type Scope } from './scopes.ts'
import { TokenCache } from './token-cache.ts'

export { defaultScopes, grants, scopes, type Scope } from './scopes.ts'

export const labelLengthMax = 80

/** Who a call acts for. */
export interface Principal {
  readonly tokenId: string
  readonly workspaceId: string
  readonly scopes: readonly Scope[]
}

/** A refusal by its code of the error catalogue; `scope` is the one that is lacking. */
export type TokenRefusal =
  | {
      readonly ok: false
      readonly code: 'missing_token' | 'invalid_token' | 'expired_token' | 'revoked_token' | 'store_unavailable'
    }
  | { readonly ok: false; readonly code: 'missing_scope'; readonly scope: Scope; readonly principal: Principal }

export type Authentication = { readonly ok: true; readonly principal: Principal } | TokenRefusal

/** What may be shown of a token: all but the token and its hash. Times in milliseconds since 1970. */
export interface TokenSummary {
  readonly id: string
  readonly workspaceId: string
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

export interface TokenRequest {
  readonly workspaceId: string
  /** What people call it; 1 to 80 characters on one line. */
  readonly label: string
  /** {@link defaultScopes} where it is left out. */
  readonly scopes?: readonly string[] | undefined
  /** Milliseconds since 1970, or null for a token that does not expire. */
  readonly expiresAt?: number | null | undefined
}

/** A request for a token that breaks a rule. `path` is a JSON pointer into the request. */
export class TokenRequestError extends Error {
  override readonly name = 'TokenRequestError'
  readonly path: string

  constructor(path: string, rule: string) {
    super(`${path} ${rule}`)
    this.path = path
  }
}

export interface TokenServiceOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  /** How often the store is asked for changes by other processes. */
  readonly pollMs?: number
  /** How long known tokens stay good while the store does not answer. */
  readonly graceMs?: number
  /** How often times of last use are written. */
  readonly touchMs?: number
  readonly tokensMax?: number
  readonly lookUpsMax?: number
  /** A clock that never goes back, in milliseconds, for what lasts; and the time of day, for what expires. */
  readonly monotonicMs?: () => number
  readonly timeMs?: () => number
}

const readScopes = (names: readonly string[]): readonly Scope[] => names.filter(isScope)

function summary(token: StoredToken): TokenSummary {
  const { id, workspaceId, label, createdAt, expiresAt, revokedAt, lastUsedAt } = token
  return { id, workspaceId, label, scopes: readScopes(token.scopes), createdAt, expiresAt, revokedAt, lastUsedAt }
}

/** @throws TokenRequestError */
function checkRequest(request: TokenRequest, now: number): readonly Scope[] {
  const { label, scopes: wanted = defaultScopes, expiresAt = null } = request
  if (label.trim() === '' || label.length > labelLengthMax || /\p{Cc}/u.test(label)) {
    throw new TokenRequestError('/label', `must have 1 to ${labelLengthMax} characters on one line.`)
  }
  if (wanted.length === 0) throw new TokenRequestError('/scopes', 'must name at least one scope.')
  const unknown = wanted.findIndex((scope) => !isScope(scope))
  if (unknown >= 0) throw new TokenRequestError(`/scopes/${unknown}`, `must be one of ${scopes.join(', ')}.`)
  if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > now)) {
    throw new TokenRequestError('/expiresAt', 'must be a time to come, in milliseconds since 1970.')
  }
  return scopes.filter((scope) => wanted.includes(scope))
}

export class TokenService implements AsyncDisposable {
  readonly #store: Store
  readonly #hashKey: KeyObject
  readonly #cache: TokenCache
  readonly #graceMs: number
  readonly #monotonicMs: () => number
  readonly #timeMs: () => number
  readonly #touchTimer: NodeJS.Timeout
  #uses = new Map<string, number>()

  private constructor(options: TokenServiceOptions) {
    this.#store = options.store
    this.#hashKey = deriveKey(options.masterKey, 'token-hash')
    this.#graceMs = options.graceMs ?? 60_000
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now())
    this.#timeMs = options.timeMs ?? Date.now
    this.#cache = new TokenCache(options.store, {
      tokensMax: options.tokensMax ?? 100_000,
      unknownMax: 10_000,
      unknownTtlMs: 60_000,
      lookUpsMax: options.lookUpsMax ?? 64,
      pollMs: options.pollMs ?? 1_000,
      now: this.#monotonicMs
    })
    this.#touchTimer = setInterval(() => void this.#touch(), options.touchMs ?? 30_000).unref()
  }

  /** @throws StoreError when the store does not answer */
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
   * Makes a token. This is the only moment at which it can be seen.
   * @param actor who makes it, as the audit names them: `cli`, `service`, `token:<id>`
   * @throws TokenRequestError, StoreError (`unknown_workspace` among others)
   */
  async create(
    request: TokenRequest,
    actor: string
  ): Promise<{ readonly token: string; readonly summary: TokenSummary }> {
    const createdAt = this.#timeMs()
    const wanted = checkRequest(request, createdAt)
    const { id, token } = mintToken(randomBytes)
    const { workspaceId, label, expiresAt = null } = request
    const record = {
      id,
      workspaceId,
      label,
      scopes: wanted,
      createdAt,
      expiresAt,
      hash: this.#hash(token).toString('base64url')
    }
    const detail = { id, label, scopes: wanted, expiresAt }
    await this.#store.insertToken(record, this.#act(workspaceId, actor, auditActions.tokenCreated, detail))
    return { token, summary: summary({ ...record, revokedAt: null, lastUsedAt: null, change: 0 }) }
  }

  /** Tokens of a workspace in the order of making or revoking, at most 1000 a page; `after` is the last `change` seen. */
  async list(
    workspaceId: string,
    after = 0
  ): Promise<{ readonly tokens: TokenSummary[]; readonly next: number | null }> {
    const page = await this.#store.listTokens({ workspaceId, limit: rowsMax, after })
    return { tokens: page.map(summary), next: page.length < rowsMax ? null : (page.at(-1)?.change ?? null) }
  }

  /** Revokes a token: here at once, in other processes with their next poll. */
  async revoke(
    { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
    actor: string
  ): Promise<'revoked' | 'already_revoked' | 'not_found'> {
    const audit = this.#act(workspaceId, actor, auditActions.tokenRevoked, { id })
    const outcome = await this.#store.revokeToken({ workspaceId, id, revokedAt: audit.at }, audit)
    // The revocation stands in the store; should this fail, the next poll brings it.
    if (outcome === 'revoked') await this.#cache.refresh().catch(() => {})
    return outcome
  }

  /**
   * Judges a token: at once from memory where it is known, with a question to the store where it is not. Only who
   * shows the right token learns that it is revoked or expired.
   * @param requiredScope the one that the call takes; undefined where any good token will do
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

  /** Stops following the store and writes the last uses. */
  async close(): Promise<void> {
    this.#cache.stop()
    clearInterval(this.#touchTimer)
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
    const expected = Buffer.from(known.hash, 'base64url')
    const actual = this.#hash(token)
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual))
      return { ok: false, code: 'invalid_token' }
    if (known.revokedAt !== null) return { ok: false, code: 'revoked_token' }
    const now = this.#timeMs()
    if (known.expiresAt !== null && known.expiresAt <= now) return { ok: false, code: 'expired_token' }
    if (this.#monotonicMs() - this.#cache.heardAt > this.#graceMs) return { ok: false, code: 'store_unavailable' }
    const principal = { tokenId: known.id, workspaceId: known.workspaceId, scopes: readScopes(known.scopes) }
    if (requiredScope && !grants(principal.scopes, requiredScope)) {
      return { ok: false, code: 'missing_scope', scope: requiredScope, principal }
    }
    this.#uses.set(known.id, now)
    return { ok: true, principal }
  }

  #hash(token: string): Buffer {
    return createHmac('sha256', this.#hashKey).update(token).digest()
  }

  #act(workspaceId: string, actor: string, action: string, detail: AuditEntry['detail']): AuditEntry {
    return { workspaceId, at: this.#timeMs(), requestId: null, tokenId: null, actor, action, detail }
  }

  /** Uses that cannot be written now are let go: the next use of the token notes it again. Never rejects. */
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
 * @throws StoreError when the store does not answer
 */
export function createTokenService(options: TokenServiceOptions): Promise<TokenService> {
  return TokenService.start(options)
}
