/**
 * Passes an answer on as it arrives. A stream of server-sent events is cut only between events: if the upstream dies in
 * the middle of one, the client holds whole events followed by an error that its SDK understands.
 */
import type { ServerResponse } from 'node:http'
import type { AnswerSink, UpstreamAnswer } from '../../upstream/exchange.ts'
import type { StreamRestorer } from '../restore/stream.ts'
import { createEventCutter, type EventCutter } from './event-cutter.ts'

const empty = Buffer.alloc(0)

export interface RelayedAnswer {
  readonly bytes: number
  readonly end: AnswerEnd
  /** Why the upstream broke off. */
  readonly error?: unknown
}

/**
 * How the relay of an answer ended. `broken`: the upstream broke off, and the client was told in its dialect or cut off.
 * `left`: the client left first.
 */
type AnswerEnd = 'complete' | 'broken' | 'left'

interface RelayOptions {
  /** Set if the answer is a stream of server-sent events. */
  readonly events?: EventRelay | undefined
  /** How long the client may leave a full socket unread before its connection is cut. */
  readonly stallTimeoutMs: number
  /** Called with every chunk as it arrives. */
  onChunk(chunk: Buffer): void
}

/** What relaying server-sent events needs in addition. */
export interface EventRelay {
  /** The frame that tells the client's SDK that the stream failed. */
  errorFrame(error: unknown): string
  /** Sent after a silence, so that no proxy or client takes the stream for dead. */
  readonly keepAlive: { readonly frame: string; readonly afterMs: number }
  /** Restores masked values in the events. */
  readonly restorer?: Pick<StreamRestorer, 'push' | 'end'> | undefined
}

/**
 * Pumps an answer into `res` with backpressure. Never rejects: an upstream that breaks off is part of the result. The
 * caller notices a client that goes away, and ends the upstream call.
 */
export function relayAnswer(
  answer: Pick<UpstreamAnswer, 'receive' | 'resume'>,
  res: ServerResponse,
  options: RelayOptions
): Promise<RelayedAnswer> {
  // Its close event has already been emitted.
  if (res.destroyed) return Promise.resolve({ bytes: 0, end: 'left' })
  const relay = new AnswerRelay(res, options)
  res.on('drain', () => {
    relay.drained()
    answer.resume()
  })
  answer.receive(relay)
  relay.begin()
  return relay.result
}

/** The way of one answer from its upstream to the client's response. */
class AnswerRelay implements AnswerSink {
  readonly result: Promise<RelayedAnswer>
  readonly #res: ServerResponse
  readonly #options: RelayOptions
  readonly #events: EventRelay | undefined
  readonly #cutter: EventCutter | undefined
  readonly #resolve: (relayed: RelayedAnswer) => void
  readonly #silence: NodeJS.Timeout | undefined
  #stall: NodeJS.Timeout | undefined
  #bytes = 0
  /** Set if the upstream broke off. */
  #broken: { readonly error: unknown } | undefined
  #isBegun = false

  constructor(res: ServerResponse, options: RelayOptions) {
    this.#res = res
    this.#options = options
    this.#events = options.events
    if (options.events) {
      this.#cutter = createEventCutter()
      this.#silence = setTimeout(() => this.#keepAlive(), options.events.keepAlive.afterMs)
    }
    const { promise, resolve } = Promise.withResolvers<RelayedAnswer>()
    this.result = promise
    this.#resolve = resolve
    res.once('finish', () => this.#settle('complete'))
    res.once('close', () => this.#settle('left'))
  }

  /** Tells the client at once that a stream has begun, in one packet with the bytes that arrived with the head. */
  begin(): void {
    if (this.#events && !this.#isBegun) this.#res.flushHeaders()
  }

  /** The client has read what it was sent. */
  drained(): void {
    clearTimeout(this.#stall)
    this.#stall = undefined
  }

  data(chunk: Buffer): boolean {
    this.#bytes += chunk.length
    this.#options.onChunk(chunk)
    const whole = this.#cutter ? this.#cutter.push(chunk) : chunk
    if (whole === undefined) return true
    const restorer = this.#events?.restorer
    const ready = restorer ? restorer.push(whole) : whole
    return ready.length === 0 || this.#send(ready)
  }

  end(): void {
    const rest = this.#cutter?.rest() ?? empty
    const restorer = this.#events?.restorer
    this.#finish(restorer ? Buffer.concat([restorer.push(rest), restorer.end()]) : rest)
  }

  fail(error: unknown): void {
    const events = this.#events
    if (this.#res.destroyed) return this.#settle('left')
    this.#broken = { error }
    if (events) this.#finish(Buffer.concat([events.restorer?.end() ?? empty, Buffer.from(events.errorFrame(error))]))
    else this.#res.destroy()
  }

  #send(chunk: Buffer): boolean {
    this.#isBegun = true
    this.#silence?.refresh()
    if (this.#res.write(chunk)) return true
    this.#watchStall()
    return false
  }

  #finish(last: Buffer): void {
    this.#isBegun = true
    clearTimeout(this.#silence)
    this.#res.end(last)
    // If the system took everything at once, there is no one to wait for.
    if (this.#res.writableLength > 0) this.#watchStall()
  }

  #keepAlive(): void {
    if (this.#events && this.#cutter?.isBetweenEvents && !this.#res.writableNeedDrain)
      this.#res.write(this.#events.keepAlive.frame)
    this.#silence?.refresh()
  }

  /** A client that has stopped reading would hold the last bytes forever, and nothing may be written after them. */
  #watchStall(): void {
    this.#stall ??= setTimeout(() => this.#res.destroy(), this.#options.stallTimeoutMs)
  }

  /** @param end unless the upstream broke off before */
  #settle(end: AnswerEnd): void {
    clearTimeout(this.#stall)
    clearTimeout(this.#silence)
    this.#resolve({ bytes: this.#bytes, ...(this.#broken ? { end: 'broken', ...this.#broken } : { end }) })
  }
}
