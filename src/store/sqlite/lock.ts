/** The single queue of a SQLite store for all writing: first come, first served, one holder at a time. */
import { StoreError } from '../store.ts'

/** Most callers that wait for the lock. */
const waitersMax = 1000

export class WriterLock {
  #held = false
  readonly #waiters: (() => void)[] = []

  /** Takes the lock synchronously if it is free. @returns whether it was */
  take(): boolean {
    if (this.#held) return false
    this.#held = true
    return true
  }

  /** @throws StoreError `overloaded` if too many wait */
  async acquire(): Promise<void> {
    if (this.take()) return
    if (this.#waiters.length >= waitersMax) throw new StoreError('overloaded', 'Too many writers wait for the store.')
    await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  /** Passes the lock to the caller that has waited longest. */
  release(): void {
    const next = this.#waiters.shift()
    if (next) next()
    else this.#held = false
  }
}
