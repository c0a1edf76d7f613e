/** The server's end of one policy stream: one write under way, at most one frame behind it, and that one the newest. */
import type { ServerResponse } from 'node:http'
import { streamContentType } from './frame.ts'

const streamHeaders = {
  'content-type': streamContentType,
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close'
} as const

const ignore = (): void => {}

export class PolicyWriter {
  readonly #response: ServerResponse
  #pending: Buffer | undefined
  /** When the write under way began, in milliseconds of a monotonic clock; -1 when none is. */
  #writingSinceMs = -1

  constructor(response: ServerResponse) {
    this.#response = response
    // A write that meets a connection just lost emits an error; `close` follows and is what counts.
    response.on('error', ignore)
  }

  /** The client or its connection is gone. */
  get isGone(): boolean {
    return this.#response.destroyed || this.#response.socket === null || this.#response.socket.destroyed
  }

  /** Milliseconds since the write under way began; 0 when all is handed to the network. */
  stalledMs(nowMs: number): number {
    return this.#writingSinceMs < 0 ? 0 : nowMs - this.#writingSinceMs
  }

  /**
   * Sends status, headers and the first bytes. The body goes without chunk framing and ends with the connection, so
   * that every stream is given the very same bytes and a write is one buffer.
   */
  start(headers: Readonly<Record<string, string>>, bytes: Buffer): void {
    this.#response.socket?.setTimeout(0)
    this.#response.removeHeader('transfer-encoding')
    this.#response.writeHead(200, { ...headers, ...streamHeaders })
    this.#write(bytes)
  }

  /** @returns `held` behind a write under way, `coalesced` when it took the place of a frame that was never sent */
  send(frame: Buffer): 'sent' | 'held' | 'coalesced' {
    if (this.#writingSinceMs < 0) {
      this.#write(frame)
      return 'sent'
    }
    const outcome = this.#pending === undefined ? 'held' : 'coalesced'
    this.#pending = frame
    return outcome
  }

  /** Sends bytes that are worth nothing later: where a write is under way they are left out. */
  beat(bytes: Buffer): void {
    if (this.#writingSinceMs < 0) this.#write(bytes)
  }

  /** Ends the stream after what is under way and a last message. */
  end(farewell?: Buffer): void {
    this.#pending = undefined
    this.#response.end(farewell)
  }

  /** Ends the connection as it is, for a client that does not read. */
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
