/** Stores one value per HTTP session, with limits on their number and idle time. */

export interface SessionStoreOptions<T> {
  readonly sessionsMax: number
  readonly idleMs: number
  /** Whether a session is in use; if so it does not count as idle, however long ago its last request was. */
  readonly isBusy?: (session: T) => boolean
  /** Called once for each session that is removed, for any reason. */
  readonly onEnd: (session: T) => void
}

/** Entries are in order of their last use. */
export class SessionStore<T> {
  readonly #options: SessionStoreOptions<T>
  readonly #sessions = new Map<string, { readonly session: T; usedMs: number }>()
  readonly #timer: NodeJS.Timeout

  constructor(options: SessionStoreOptions<T>) {
    this.#options = options
    this.#timer = setInterval(() => this.#endIdle(), Math.max(50, Math.min(30_000, options.idleMs / 2))).unref()
  }

  get size(): number {
    return this.#sessions.size
  }

  get isFull(): boolean {
    return this.#sessions.size >= this.#options.sessionsMax
  }

  get(id: string): T | undefined {
    const entry = this.#sessions.get(id)
    if (entry === undefined) return undefined
    entry.usedMs = performance.now()
    this.#sessions.delete(id)
    this.#sessions.set(id, entry)
    return entry.session
  }

  /** Adds a session; if there are too many, the least recently used one is removed. */
  set(id: string, session: T): void {
    if (this.#sessions.get(id)?.session !== session) this.end(id)
    if (!this.#sessions.has(id) && this.isFull) {
      const [oldest] = this.#sessions.keys()
      if (oldest !== undefined) this.end(oldest)
    }
    this.#sessions.set(id, { session, usedMs: performance.now() })
  }

  end(id: string): void {
    const entry = this.#sessions.get(id)
    if (entry === undefined) return
    this.#sessions.delete(id)
    this.#options.onEnd(entry.session)
  }

  /** Ends the least recently used session that may go. @returns whether there was one */
  endOldest(mayGo: (session: T) => boolean): boolean {
    for (const [id, { session }] of this.#sessions) {
      if (!mayGo(session)) continue
      this.end(id)
      return true
    }
    return false
  }

  /** Ends all sessions. */
  close(): void {
    clearInterval(this.#timer)
    for (const id of [...this.#sessions.keys()]) this.end(id)
  }

  #endIdle(): void {
    const { idleMs, isBusy } = this.#options
    const limit = performance.now() - idleMs
    for (const [id, { session, usedMs }] of this.#sessions)
      if (usedMs < limit && isBusy?.(session) !== true) this.end(id)
  }
}
