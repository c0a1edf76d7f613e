/**
 * The answer to one HTTP request of a client: one JSON document, or server-sent events if more than the answer is sent.
 * The first message that is not the last turns it into a stream.
 */
import type { ServerResponse } from 'node:http'
import { oneLine } from '../messages/one-line.ts'

const jsonType = 'application/json'
const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no'
}

export class HttpAnswer {
  readonly #res: ServerResponse
  readonly #headers: Readonly<Record<string, string>>
  #keepAlive: NodeJS.Timeout | undefined

  /** @param headers for every answer of this kind */
  constructor(res: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#res = res
    this.#headers = headers
    res.once('close', () => clearInterval(this.#keepAlive))
  }

  /** Whether nothing more can be sent. */
  get isOver(): boolean {
    return this.#res.writableEnded || this.#res.destroyed
  }

  get isStream(): boolean {
    return this.#res.headersSent
  }

  /** Whether it is a stream that was started here, and not a server's stream that is passed on. */
  get isOwnStream(): boolean {
    return this.#keepAlive !== undefined
  }

  /** Starts the stream. @param keepAliveMs silence after which a comment is sent, which clients ignore */
  begin(keepAliveMs: number): void {
    if (this.isOver || this.isStream) return
    this.#res.writeHead(200, { ...streamHeaders, ...this.#headers })
    this.#res.flushHeaders()
    this.#keepAlive = setInterval(() => {
      if (!this.#res.writableNeedDrain) this.#res.write(':\n\n')
    }, keepAliveMs)
  }

  /** Sends a message that is not the last. @returns a promise to wait for if there is no room now */
  event(message: Uint8Array): Promise<void> | undefined {
    if (this.isOver) return undefined
    this.begin(keepAliveDefaultMs)
    return this.#res.write(eventOf(message)) ? undefined : drained(this.#res)
  }

  /** Sends bytes that are complete events. */
  raw(events: Uint8Array): Promise<void> | undefined {
    if (this.isOver) return undefined
    this.begin(keepAliveDefaultMs)
    return this.#res.write(events) ? undefined : drained(this.#res)
  }

  /** Sends the last message and ends. @param status used if the answer is not a stream yet */
  finish(message: Uint8Array, status = 200): void {
    if (this.isOver) return
    if (this.isStream) this.#res.end(eventOf(message))
    else {
      const headers = { ...this.#headers, 'content-type': jsonType, 'content-length': String(message.length) }
      this.#res.writeHead(status, headers).end(message)
    }
  }

  /** Ends without a message. */
  finishEmpty(status = 202): void {
    if (this.isOver) return
    if (this.isStream) this.#res.end()
    else this.#res.writeHead(status, { ...this.#headers, 'content-length': '0' }).end()
  }
}

/** Well below the silence after which clients and proxies take a connection for dead. */
export const keepAliveDefaultMs = 15_000

/** A message as an event. It has a single data line: to the client, a CR or LF inside would end the line. */
export function eventOf(message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('event: message\ndata: '), oneLine(message), Buffer.from('\n\n')])
}

export function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done)
      resolve()
    }
    res.on('drain', done).on('close', done)
  })
}
