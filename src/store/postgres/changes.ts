/**
 * Notifications of changes between instances: NOTIFY without a payload, on a separate connection. A notification can be
 * lost with its connection, so it is only a hint to read the change counter, which is also read after each LISTEN and
 * every few seconds. It is read on the same connection with a short timeout, which detects a connection that died
 * silently.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ChangeWatch } from '../change-watch.ts'
import { connect, type Connection, type PostgresOptions } from './connection.ts'
import { StoreError } from '../store.ts'

export const changeChannel = 'sluice_change'

/** Together less than the 5 seconds within which a change is noticed without a notification. */
const pollMs = 3_000
const patienceMs = 1_500
const retryMsMin = 100
const retryMsMax = 2_000

const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {})

export class PostgresChanges {
  readonly #options: PostgresOptions
  readonly #watch: ChangeWatch
  readonly #stop = new AbortController()
  #connection: Connection | undefined
  #running: Promise<void> | undefined

  constructor(options: PostgresOptions) {
    this.#options = options
    this.#watch = new ChangeWatch(() => this.#readCounter(), { pollMs })
  }

  /** As the contract's. The first listener opens the connection. */
  onChange(listener: () => void): () => void {
    if (!this.#stop.signal.aborted) this.#running ??= this.#run(this.#stop.signal)
    return this.#watch.onChange(listener)
  }

  async close(): Promise<void> {
    this.#watch.close()
    this.#stop.abort()
    await this.#connection?.end()
    await this.#running
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let retryMs = retryMsMin; !signal.aborted; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      this.#connection = await connect(this.#options, patienceMs).catch(() => undefined)
      if (this.#connection) {
        if (!signal.aborted) await this.#follow(this.#connection)
        await this.#connection.end()
        retryMs = retryMsMin
      }
      await pause(retryMs * (0.5 + Math.random() / 2), signal)
    }
  }

  /** Ends with the connection. */
  async #follow(connection: Connection): Promise<void> {
    const ended = new Promise<void>((resolve) => connection.onEnd(resolve))
    connection.onNotification(() => this.#watch.hint())
    try {
      await connection.query({ text: `listen ${changeChannel}` })
      this.#watch.missed()
      await ended
    } catch {
      // Whatever the error, another connection is tried, and then checked for missed changes.
    }
  }

  async #readCounter(): Promise<number> {
    if (!this.#connection) throw new StoreError('unavailable', 'The connection to the database was lost.')
    const { rows } = await this.#connection.query<{ value: number }>({
      text: 'select value from change_counter where id = 1'
    })
    return rows[0]?.value ?? Number.NaN
  }
}
