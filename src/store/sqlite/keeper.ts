/** Keeps one thread running: if it dies it is restarted, after a pause that grows while that does not help. */
import type { ThreadSetup } from './protocol.ts'
import { SqliteThread } from './thread.ts'
import { StoreError } from '../store.ts'

const pauseMsMin = 100
const pauseMsMax = 10_000
/** A thread that ran for this long counts as started successfully: the next pause is short again. */
const steadyMs = 60_000

export class ThreadKeeper {
  readonly #setup: ThreadSetup
  #thread: SqliteThread | undefined
  #pauseMs = pauseMsMin
  #timer: NodeJS.Timeout | undefined
  #closed = false

  private constructor(setup: ThreadSetup) {
    this.#setup = setup
  }

  /**
   * Starts the thread and waits until its database is open.
   * @throws StoreError if the file cannot be opened
   */
  static async start(setup: ThreadSetup): Promise<ThreadKeeper> {
    const keeper = new ThreadKeeper(setup)
    await keeper.#start()
    return keeper
  }

  /** @throws StoreError `unavailable` while there is none */
  current(): SqliteThread {
    if (this.#thread) return this.#thread
    throw new StoreError('unavailable', `The ${this.#setup.role} thread of the store is being started again.`)
  }

  /** Ends the thread gracefully, by force after `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#thread?.close(timeoutMs)
  }

  async #start(): Promise<void> {
    const thread = await SqliteThread.start(this.#setup)
    if (this.#closed) {
      await thread.close(0)
      return
    }
    this.#thread = thread
    void this.#watch(thread)
  }

  async #watch(thread: SqliteThread): Promise<void> {
    const startedAt = performance.now()
    await thread.ended
    this.#thread = undefined
    if (performance.now() - startedAt > steadyMs) this.#pauseMs = pauseMsMin
    this.#startLater()
  }

  #startLater(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => void this.#start().catch(() => this.#startLater()), this.#pauseMs)
    this.#pauseMs = Math.min(this.#pauseMs * 2, pauseMsMax)
  }
}
