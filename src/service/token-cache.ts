/**
 * The tokens that this process knows, kept up to date by polling the store's change counter: a revocation by another
 * process arrives with the next poll.
 */
import { rowsMax, type Store, type StoredToken } from '../store/store.ts'

export interface TokenCacheOptions {
  /** Most tokens in memory; the one known longest makes room, and is looked up again when it comes. */
  readonly tokensMax: number
  /** Most ids in memory that the store does not know. */
  readonly unknownMax: number
  readonly unknownTtlMs: number
  /** Most look-ups of unknown ids at one time, so that garbage cannot occupy the store. */
  readonly lookUpsMax: number
  readonly pollMs: number
  /** A clock that never goes back, in milliseconds. */
  now(): number
}

export type LookUp = StoredToken | 'unknown' | 'unavailable'

export class TokenCache {
  readonly #store: Store
  readonly #options: TokenCacheOptions
  readonly #tokens = new Map<string, StoredToken>()
  readonly #unknownUntil = new Map<string, number>()
  readonly #lookUps = new Map<string, Promise<LookUp>>()
  #change = 0
  #heardAt = -Infinity
  #timer: NodeJS.Timeout | undefined
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
   * Loads all tokens and starts to poll.
   * @throws StoreError when the store does not answer
   */
  async start(): Promise<void> {
    await this.refresh()
    this.#pollLater()
  }

  stop(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  /** Reads what changed since the last time: one cheap read where nothing did. */
  async refresh(): Promise<void> {
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

  /** Asks the store about an id that is not in memory. Calls for the same id share one question. Never rejects. */
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

  /** Takes a token in, unless a later state of it is known. */
  #learn(token: StoredToken): StoredToken {
    this.#unknownUntil.delete(token.id)
    const known = this.#tokens.get(token.id)
    if (known && known.change > token.change) return known
    if (!known) makeRoom(this.#tokens, this.#options.tokensMax)
    this.#tokens.set(token.id, token)
    return token
  }

  #pollLater(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => void this.#poll(), this.#options.pollMs).unref()
  }

  async #poll(): Promise<void> {
    // A store that does not answer shows in `heardAt`, which stands still.
    await this.refresh().catch(() => {})
    this.#pollLater()
  }
}

/** Maps keep the order of insertion, so the first key is the oldest. */
function makeRoom(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size < sizeMax) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
