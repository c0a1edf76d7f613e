/** Notifies listeners when the change counter has moved: by polling it, and at once after a hint. */

import type { Registers } from './queries/registers.ts'

/**
 * How often the counter is polled while there are listeners. A revocation made elsewhere must take effect within two
 * seconds.
 */
const pollMs = 500

export class ChangeWatch {
  readonly #read: () => Promise<number>
  readonly #pollMs: number
  readonly #listeners = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  /** NaN if a change could have been missed: before the first poll, and after a loss of contact. */
  #last = Number.NaN
  #checking = false
  #again = false
  #closed = false

  /** @param read the counter; rejects if the store is unreachable */
  constructor(read: () => Promise<number>, options: { readonly pollMs?: number } = {}) {
    this.#read = read
    this.#pollMs = options.pollMs ?? pollMs
  }

  /** As the contract's `onChange`. The first poll always calls: what happened before it is unknown. */
  onChange(listener: () => void): () => void {
    // A separate function, so that a listener added twice is called twice and removed separately.
    const entry = () => listener()
    this.#listeners.add(entry)
    this.#start()
    return () => {
      this.#listeners.delete(entry)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  /** Polls at once: the counter is said to have moved. */
  hint(): void {
    if (this.#listeners.size > 0) void this.#check()
  }

  /** Contact was lost for a time: calls the listeners once it is restored, whether or not the counter moved. */
  missed(): void {
    this.#last = Number.NaN
    this.hint()
  }

  close(): void {
    this.#closed = true
    this.#listeners.clear()
    this.#stop()
  }

  #start(): void {
    if (this.#timer || this.#closed) return
    this.#timer = setInterval(() => void this.#check(), this.#pollMs)
    this.#timer.unref()
    void this.#check()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#last = Number.NaN
  }

  async #check(): Promise<void> {
    if (this.#checking) {
      this.#again = true
      return
    }
    this.#checking = true
    do {
      this.#again = false
      await this.#look()
    } while (this.#again && !this.#closed)
    this.#checking = false
  }

  async #look(): Promise<void> {
    const value = await this.#read().catch(() => Number.NaN)
    // If the last listener left during the poll, the next one is called whatever was read here.
    if (this.#listeners.size === 0) return
    const isChange = !Number.isNaN(value) && value !== this.#last
    this.#last = value
    if (!isChange) return
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch {
        // A failing listener must not keep the others from being called.
      }
    }
  }
}

/** The same registers; each action that moves the change counter is followed by a hint. */
export function withHints(registers: Registers, hint: () => void): Registers {
  const hinting =
    <Parameters extends unknown[], Result>(act: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      const result = await act(...parameters)
      hint()
      return result
    }
  const { ensureWorkspace, insertToken, rotateToken, revokeToken, insertPolicyRevision } = registers
  return {
    ...registers,
    ensureWorkspace: hinting(ensureWorkspace),
    insertToken: hinting(insertToken),
    rotateToken: hinting(rotateToken),
    revokeToken: hinting(revokeToken),
    insertPolicyRevision: hinting(insertPolicyRevision)
  }
}
