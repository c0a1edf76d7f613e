/** The main thread's end of a worker: sends requests, matches answers, and limits how many wait and for how long. */
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadFault, ThreadRequest, ThreadSetup } from './protocol.ts'
import { StoreError } from '../store.ts'

/** Most requests that wait for one thread. */
const waitingMax = 2000

interface Waiting {
  resolve(value: unknown): void
  reject(error: StoreError): void
  readonly timer: NodeJS.Timeout | undefined
}

const storeError = ({ code, message }: ThreadFault): StoreError => new StoreError(code, message)

export class SqliteThread {
  /** Resolves when the thread has ended, for any reason. */
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #ended: StoreError | undefined

  private constructor(setup: ThreadSetup) {
    // The extension is that of this file, so that the same line finds the source and the compiled worker.
    const file = new URL('./sqlite-worker' + import.meta.filename.slice(-3), import.meta.url)
    // Flags of the process are not for this thread: some, such as --input-type, would keep it from starting.
    this.#worker = new Worker(file, { workerData: setup, name: `store-${setup.role}`, execArgv: [] })
    this.#worker.on('message', (answer: ThreadAnswer) => this.#settle(answer))
    this.#worker.on('error', () =>
      this.#end(new StoreError('unavailable', `The ${setup.role} thread of the store failed.`))
    )
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end(new StoreError('unavailable', `The ${setup.role} thread of the store ended.`))
        resolve()
      })
    })
  }

  /**
   * Starts a thread and waits until its database is open.
   * @throws StoreError if the file cannot be opened
   */
  static async start(setup: ThreadSetup): Promise<SqliteThread> {
    const thread = new SqliteThread(setup)
    await new Promise<unknown>((resolve, reject) => thread.#waiting.set(0, { resolve, reject, timer: undefined }))
    return thread
  }

  /**
   * Sends a request; answers come in the order of the requests.
   * @param timeoutMs after which the caller gets an error, although the thread still does the work in its turn; if
   *   undefined, the caller waits for as long as the disk takes
   */
  request(request: ThreadRequest, timeoutMs?: number): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended)
    if (this.#waiting.size >= waitingMax) {
      return Promise.reject(new StoreError('overloaded', 'Too many requests wait for the store.'))
    }
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#expire(id), timeoutMs)
      this.#waiting.set(id, { resolve, reject, timer })
      this.#worker.postMessage({ id, request })
    })
  }

  /** Lets the thread finish pending work, closes its database, and ends it by force after `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    await this.request({ op: 'close' }, timeoutMs).catch(() => this.#worker.terminate())
    await this.ended
  }

  #settle(answer: ThreadAnswer): void {
    const waiting = this.#take(answer.id)
    if (answer.ok) waiting?.resolve(answer.value)
    else waiting?.reject(storeError(answer.fault))
  }

  #expire(id: number): void {
    this.#take(id)?.reject(new StoreError('unavailable', 'The store did not answer in time.'))
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    clearTimeout(waiting?.timer)
    return waiting
  }

  #end(error: StoreError): void {
    this.#ended ??= error
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(this.#ended)
  }
}
