/** The server end of one policy stream: one write in progress, and behind it at most one frame, the newest. */
import type { ServerResponse } from 'node:http'
import { streamContentType } from './frame.ts'

const streamHeaders = {
  'content-type': streamContentType,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close'
} as const

const ignore = (): void => {}

/** `held`: behind a write in progress. `coalesced`: in place of a frame that was never sent. */
export type SendOutcome = 'sent' | 'held' | 'coalesced'

export class PolicyWriter {
  readonly #response: ServerResponse
  #pending: Buffer | undefined
  /** When the current write began, in milliseconds of a monotonic clock; -1 if there is none. */
  #writingSinceMs = -1

  constructor(response: ServerResponse) {
    this.#response = response
    // A write to a connection that was just lost emits an error; only the `close` that follows matters.
    response.on('error', ignore)
  }

  /** The client or its connection is gone. */
  get isGone(): boolean {
    return this.#response.destroyed || this.#response.socket === null || this.#response.socket.destroyed
  }

  /** Milliseconds since the current write began; 0 if everything was handed to the network. */
  stalledMs(nowMs: number): number {
    return this.#writingSinceMs < 0 ? 0 : nowMs - this.#writingSinceMs
  }

  /**
   * Sends status, headers and the first bytes. The body is not chunked and ends with the connection, so that every
   * stream can be sent the same bytes and a write is a single buffer.
   */
  start(headers: Readonly<Record<string, string>>, bytes: Buffer): void {
    this.#response.socket?.setTimeout(0)
    this.#response.removeHeader('transfer-encoding')
    this.#response.writeHead(200, { ...headers, ...streamHeaders })
    this.#write(bytes)
  }

  send(frame: Buffer): SendOutcome {
    if (this.#writingSinceMs < 0) {
      this.#write(frame)
      return 'sent'
    }
    const outcome = this.#pending === undefined ? 'held' : 'coalesced'
    this.#pending = frame
    return outcome
  }

  /** Sends bytes that would be worthless later: skipped if a write is in progress. */
  beat(bytes: Buffer): void {
    if (this.#writingSinceMs < 0) this.#write(bytes)
  }

  /** Ends the stream after the current write and a last message. */
  end(farewell?: Buffer): void {
    this.#pending = undefined
    this.#response.end(farewell)
  }

  /** Destroys the connection of a client that does not read. */
  cut(): void {
    this.#response.destroy()
  }

  #write(bytes: Buffer): void {
    this.#writingSinceMs = performance.now()
    this.#response.write(bytes, this.#written)
  }

  readonly #written = (): void => {
    this.#writingSinceMs = -1
    const next = this.#pending
    this.#pending = undefined
    if (next !== undefined && !this.isGone) this.#write(next)
  }
}
