/**
 * The tokens that this process knows. The store reports changes, whoever made them, and the cache then reads what is
 * new; a slow heartbeat in addition shows that the store still answers.
 */
import { rowsMax, StoreError, type Store, type StoredToken } from '../../store/store.ts'
import { resultWithin } from '../../timing/within.ts'

interface TokenCacheOptions {
  /** Most tokens in memory; the one known longest is evicted, and looked up again when needed. */
  readonly tokensMax: number
  /** Most ids in memory that the store does not know. */
  readonly unknownMax: number
  readonly unknownTtlMs: number
  /** Most concurrent look-ups of unknown ids, so that garbage cannot occupy the store. */
  readonly lookUpsMax: number
  /** How often the store is queried without a notification. */
  readonly heartbeatMs: number
  /** A monotonic clock in milliseconds, and the time of day. */
  now(): number
  timeMs(): number
}

type LookUp = StoredToken | 'unknown' | 'unavailable'

export class TokenCache {
  readonly #store: Store
  readonly #options: TokenCacheOptions
  readonly #tokens = new Map<string, StoredToken>()
  readonly #unknownUntil = new Map<string, number>()
  readonly #lookUps = new Map<string, Promise<LookUp>>()
  /** When tokens that expire do so, and whether they had when last looked at. */
  readonly #ends = new Map<string, { readonly at: number; isOver: boolean }>()
  readonly #revokedListeners = new Set<(tokenId: string) => void>()
  #change = 0
  #heardAt = -Infinity
  #timer: NodeJS.Timeout | undefined
  #endTimer: NodeJS.Timeout | undefined
  #endChanges: (() => void) | undefined
  #refreshing: Promise<void> | undefined
  #closed = false

  constructor(store: Store, options: TokenCacheOptions) {
    this.#store = store
    this.#options = options
  }

  /** When the store last answered, by the cache's clock. */
  get heardAt(): number {
    return this.#heardAt
  }

  /**
   * Loads all tokens and starts to follow the store.
   * @throws StoreError if the store does not answer
   */
  async start(): Promise<void> {
    this.#endChanges = this.#store.onChange(() => void this.#follow())
    try {
      await this.refresh()
    } catch (error) {
      this.stop()
      throw error
    }
    const { heartbeatMs } = this.#options
    this.#followIn(heartbeatMs)
    this.#endTimer = setInterval(() => this.#tellEnded(), Math.min(heartbeatMs, endCheckMs)).unref()
  }

  stop(): void {
    this.#closed = true
    this.#endChanges?.()
    clearInterval(this.#endTimer)
    clearTimeout(this.#timer)
  }

  /**
   * Calls `listener` with the id of each token that is found to be revoked or to have expired. @returns a function that
   * ends the subscription
   */
  onRevoked(listener: (tokenId: string) => void): () => void {
    this.#revokedListeners.add(listener)
    return () => void this.#revokedListeners.delete(listener)
  }

  /**
   * Reads what changed since the last time: one cheap query if nothing did. A refresh requested while another is in
   * progress follows it, since that one may have read too early.
   */
  refresh(): Promise<void> {
    const before = this.#refreshing ?? Promise.resolve()
    const read = before.catch(() => {}).then(() => resultWithin(patienceMs, this.#readChanges(), tooLate))
    this.#refreshing = read
    return read
  }

  async #readChanges(): Promise<void> {
    const askedAt = this.#options.now()
    const change = await this.#store.changeCounter()
    while (this.#change < change) {
      const page = await this.#store.tokensChangedAfter(this.#change, rowsMax)
      for (const token of page) this.#learn(token)
      this.#change =
        page.length < rowsMax ? Math.max(change, page.at(-1)?.change ?? 0) : (page.at(-1) as StoredToken).change
    }
    this.#heardAt = Math.max(this.#heardAt, askedAt)
  }

  known(id: string): StoredToken | undefined {
    return this.#tokens.get(id)
  }

  /** Asks the store about an id that is not in memory. Calls for the same id share one query. Never rejects. */
  lookUp(id: string): LookUp | Promise<LookUp> {
    const until = this.#unknownUntil.get(id)
    if (until !== undefined && until > this.#options.now()) return 'unknown'
    const running = this.#lookUps.get(id)
    if (running) return running
    if (this.#lookUps.size >= this.#options.lookUpsMax) return 'unavailable'
    const lookUp = this.#ask(id).finally(() => this.#lookUps.delete(id))
    this.#lookUps.set(id, lookUp)
    return lookUp
  }

  async #ask(id: string): Promise<LookUp> {
    try {
      const token = await this.#store.findToken(id)
      if (token) return this.#learn(token)
    } catch {
      return 'unavailable'
    }
    makeRoom(this.#unknownUntil, this.#options.unknownMax)
    this.#unknownUntil.set(id, this.#options.now() + this.#options.unknownTtlMs)
    return 'unknown'
  }

  /** Stores a token, unless a later state of it is known. */
  #learn(token: StoredToken): StoredToken {
    this.#unknownUntil.delete(token.id)
    const known = this.#tokens.get(token.id)
    if (known && known.change > token.change) return known
    if (!known) makeRoom(this.#tokens, this.#options.tokensMax)
    this.#tokens.set(token.id, token)
    const isOver = this.#isOver(token)
    // A token that has only just expired may not have been told yet, whatever else happened to it since.
    const isTold = known !== undefined && (known.revokedAt !== null || this.#ends.get(token.id)?.isOver === true)
    if (isOver && !isTold) this.#tellRevoked(token.id)
    this.#ends.delete(token.id)
    if (token.expiresAt !== null && token.revokedAt === null) {
      makeRoom(this.#ends, this.#options.tokensMax)
      this.#ends.set(token.id, { at: token.expiresAt, isOver })
    }
    return token
  }

  #isOver({ revokedAt, expiresAt }: StoredToken): boolean {
    return revokedAt !== null || (expiresAt !== null && expiresAt <= this.#options.timeMs())
  }

  /** By the time of day, again and again: a timer that was set for the end would not notice that the clock was set. */
  #tellEnded(): void {
    const now = this.#options.timeMs()
    for (const [id, end] of this.#ends) {
      const isOver = end.at <= now
      if (isOver && !end.isOver) this.#tellRevoked(id)
      end.isOver = isOver
    }
  }

  #tellRevoked(tokenId: string): void {
    for (const listener of this.#revokedListeners) {
      try {
        listener(tokenId)
      } catch {
        // A stream that cannot be closed must not keep the other listeners, or the cache, from being notified.
      }
    }
  }

  /** Reads changes now; after a failure soon again, since a revocation may be among them. */
  async #follow(): Promise<void> {
    const isDone = await this.refresh().then(
      () => true,
      // A store that does not answer is visible in `heardAt`, which stops advancing.
      () => false
    )
    this.#followIn(isDone ? this.#options.heartbeatMs : Math.min(retryMs, this.#options.heartbeatMs))
  }

  #followIn(delayMs: number): void {
    clearTimeout(this.#timer)
    if (!this.#closed) this.#timer = setTimeout(() => void this.#follow(), delayMs).unref()
  }
}

const retryMs = 250
/** A revocation should take effect within two seconds, even if one connection to the store has died unnoticed. */
const patienceMs = 1500
const tooLate = () => new StoreError('unavailable', 'The store did not answer in time.')
/** How soon those who hold something open are told that their token has expired. */
const endCheckMs = 1000

/** Maps keep insertion order, so the first key is the oldest. */
function makeRoom(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size < sizeMax) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
