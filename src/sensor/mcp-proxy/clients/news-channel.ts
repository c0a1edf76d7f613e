/** The streams on which a client on HTTP takes messages that no server sent. */
import type { ServerResponse } from 'node:http'
import { eventOf } from './http-answer.ts'

export class NewsChannel {
  readonly #streams = new Set<ServerResponse>()
  /** The last message that found no stream: those before it said the same. */
  #waiting: Uint8Array | undefined

  send(message: Uint8Array): void {
    // One of them is enough: what is told on all would be taken for several messages.
    const [stream] = this.#streams
    if (stream === undefined) this.#waiting = message
    else stream.write(eventOf(message))
  }

  /** A stream is open; whole events are written to it, by the server or from here. */
  open(res: ServerResponse): void {
    if (res.destroyed || this.#streams.has(res)) return
    this.#streams.add(res)
    res.once('close', () => this.#streams.delete(res))
    if (this.#waiting !== undefined) res.write(eventOf(this.#waiting))
    this.#waiting = undefined
  }
}
