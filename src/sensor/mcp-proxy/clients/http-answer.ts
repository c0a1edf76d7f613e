/**
 * The answer to one HTTP request of a client: one JSON document, or server-sent events where more than the answer comes.
 * It turns into a stream with the first message that is not the last.
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

  /** @param headers that every answer of this kind carries */
  constructor(res: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#res = res
    this.#headers = headers
    res.once('close', () => clearInterval(this.#keepAlive))
  }

  /** Whether nothing can be sent any more. */
  get isOver(): boolean {
    return this.#res.writableEnded || this.#res.destroyed
  }

  get isStream(): boolean {
    return this.#res.headersSent
  }

  /** Whether it is a stream that was begun here, and not one of the server's that is passed on. */
  get isOwnStream(): boolean {
    return this.#keepAlive !== undefined
  }

  /** Begins the stream. @param keepAliveMs after how long silence gets a comment, which clients ignore */
  begin(keepAliveMs: number): void {
    if (this.isOver || this.isStream) return
    this.#res.writeHead(200, { ...streamHeaders, ...this.#headers })
    this.#res.flushHeaders()
    this.#keepAlive = setInterval(() => {
      if (!this.#res.writableNeedDrain) this.#res.write(':\n\n')
    }, keepAliveMs)
  }

  /** Sends a message that is not the last. @returns when there is room for more, where there is none now */
  event(message: Uint8Array): Promise<void> | undefined {
    if (this.isOver) return undefined
    this.begin(keepAliveDefaultMs)
    return this.#res.write(eventOf(message)) ? undefined : drained(this.#res)
  }

  /** Sends bytes that are whole events already. */
  raw(events: Uint8Array): Promise<void> | undefined {
    if (this.isOver) return undefined
    this.begin(keepAliveDefaultMs)
    return this.#res.write(events) ? undefined : drained(this.#res)
  }

  /** Sends the last message and ends. @param status where the answer is no stream yet */
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

/** Well below the silence that clients and what lies between take for a dead connection. */
export const keepAliveDefaultMs = 15_000

/** One event of a message. It has one data line: a CR or LF in it would be an end of line to the client. */
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
