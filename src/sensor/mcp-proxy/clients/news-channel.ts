/** The streams on which an HTTP client receives notifications of the proxy's own. */
import type { ServerResponse } from 'node:http'
import { eventOf } from './http-answer.ts'

export class NewsChannel {
  readonly #streams = new Set<ServerResponse>()
  /** The last message for which no stream was open; earlier ones said the same. */
  #waiting: Uint8Array | undefined

  send(message: Uint8Array): void {
    // One stream is enough: on several, it would be taken for several messages.
    const [stream] = this.#streams
    if (stream === undefined) this.#waiting = message
    else stream.write(eventOf(message))
  }

  /** A stream was opened; the server and the proxy both write complete events to it. */
  open(res: ServerResponse): void {
    if (res.destroyed || this.#streams.has(res)) return
    this.#streams.add(res)
    res.once('close', () => this.#streams.delete(res))
    if (this.#waiting !== undefined) res.write(eventOf(this.#waiting))
    this.#waiting = undefined
  }
}
