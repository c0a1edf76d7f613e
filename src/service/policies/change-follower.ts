/** Reads again what may have changed in the store, as soon as it may have. */
import type { Store } from '../../store/store.ts'

/** Delay before a failed read after a change is retried. */
const retryMs = 500

export class ChangeFollower {
  readonly #reload: () => Promise<boolean>
  readonly #stopListening: () => void
  #isFollowing = false
  #isBehind = false
  #isClosed = false
  #retryTimer: NodeJS.Timeout | undefined

  /** @param reload reads everything again, and never rejects; whether it must be retried */
  constructor(store: Pick<Store, 'onChange'>, reload: () => Promise<boolean>) {
    this.#reload = reload
    this.#stopListening = store.onChange(() => this.#catchUp())
  }

  close(): void {
    this.#isClosed = true
    this.#stopListening()
    clearTimeout(this.#retryTimer)
  }

  #catchUp(): void {
    clearTimeout(this.#retryTimer)
    this.#isBehind = true
    if (!this.#isFollowing) void this.#follow()
  }

  /** A change in the meantime causes another round. */
  async #follow(): Promise<void> {
    this.#isFollowing = true
    let mustRetry: boolean
    do {
      this.#isBehind = false
      mustRetry = await this.#reload()
    } while (this.#isBehind)
    this.#isFollowing = false
    if (mustRetry && !this.#isClosed) this.#retryTimer = setTimeout(() => this.#catchUp(), retryMs).unref()
  }
}
