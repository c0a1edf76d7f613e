/** The one queue of a SQLite store for everything that writes: first come, first served, one holder at a time. */
import { StoreError } from '../store.ts'

/** Most callers that wait for the lock. */
const waitersMax = 1000

export class WriterLock {
  #held = false
  readonly #waiters: (() => void)[] = []

  /** Takes the lock where it is free, at once. @returns whether it was */
  take(): boolean {
    if (this.#held) return false
    this.#held = true
    return true
  }

  /** @throws StoreError `overloaded` when too many wait */
  async acquire(): Promise<void> {
    if (this.take()) return
    if (this.#waiters.length >= waitersMax) throw new StoreError('overloaded', 'Too many writers wait for the store.')
    await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  /** Hands the lock to the caller that has waited longest. */
  release(): void {
    const next = this.#waiters.shift()
    if (next) next()
    else this.#held = false
  }
}
