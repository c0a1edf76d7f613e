/** Refuses calls once closing has begun, and tracks those in progress. */
import { within } from '../timing/within.ts'
import { StoreError } from './store.ts'

type Methods = Readonly<Record<string, (...parameters: never[]) => Promise<unknown>>>

export class Gate {
  #closed = false
  readonly #underWay = new Set<Promise<unknown>>()

  /** The same methods, behind the gate. */
  guard<Guarded extends Methods>(methods: Guarded): Guarded {
    const entries = Object.entries(methods).map(([name, method]) => [name, this.#enter(method)])
    return Object.fromEntries(entries) as Guarded
  }

  /** Refuses further calls, and waits for those in progress, at most `timeoutMs`. */
  async shut(timeoutMs: number): Promise<void> {
    this.#closed = true
    await within(timeoutMs, Promise.allSettled(this.#underWay))
  }

  #enter(method: Methods[string]): Methods[string] {
    return async (...parameters) => {
      if (this.#closed) throw new StoreError('closed', 'The store is closed.')
      const call = method(...parameters)
      this.#underWay.add(call)
      try {
        return await call
      } finally {
        this.#underWay.delete(call)
      }
    }
  }
}
