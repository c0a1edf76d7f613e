/**
 * One call to an upstream, on undici's lowest level: an answer is passed on in the same turn of the event loop in which
 * it arrives, without a stream object between the two sockets.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

/** Receives the body of an answer. Nothing follows `end` or `fail`. */
export interface AnswerSink {
  /** @returns false if the sink is full; the answer then waits for `resume` */
  data(chunk: Buffer): boolean
  end(): void
  fail(error: unknown): void
}

/** An answer whose head has arrived. Its body waits for `receive`. */
export interface UpstreamAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Delivers the body to `sink`, from its first byte. Call it once. */
  receive(sink: AnswerSink): void
  resume(): void
  /** Drops the body and releases the connection. */
  dismiss(): void
}

/** The caller ended the call. */
class CallEnded extends Error {
  override readonly name = 'CallEnded'
}

/** No connection became free in time. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}

/** How much of a body is buffered before there is a sink. Beyond that the upstream is paused. */
const earlyBytesMax = 1_048_576

const nothing = (): void => {}

/** How often a request that was never sent is taken to another connection. */
const furtherAttemptsMax = 2
/**
 * Codes of a connection that was closed while nothing was sent on it. undici then fails the request that was to be sent
 * next, which waits a moment for just such news, although the server never saw it.
 */
const closedCodes = new Set(['ECONNRESET', 'EPIPE'])

class Exchange implements Dispatcher.DispatchHandler, UpstreamAnswer {
  status = 0
  headers: IncomingHttpHeaders = {}
  readonly #resolve: (answer: UpstreamAnswer) => void
  readonly #reject: (error: unknown) => void
  /** Set until the answer is complete: it holds the request and the body that was sent. */
  #controller: Dispatcher.DispatchController | undefined
  #sink: AnswerSink | undefined
  /** What arrived before there was a sink: little, since the caller continues in the same turn of the event loop. */
  #early: Buffer[] = []
  #earlyBytes = 0
  #startTimer: NodeJS.Timeout | undefined
  /** Stops waiting for a connection. */
  #giveUp = nothing
  /** Hands the request to undici. Set until it is being sent: it holds the request. */
  #dispatch: (() => void) | undefined
  #furtherAttempts = furtherAttemptsMax
  #leave = nothing
  #outcome: { readonly error?: unknown } | undefined
  #isEnded = false

  constructor(resolve: (answer: UpstreamAnswer) => void, reject: (error: unknown) => void, startTimeoutMs: number) {
    this.#resolve = resolve
    this.#reject = reject
    this.#startTimer = setTimeout(() => {
      this.#isEnded = true
      this.#giveUp()
      reject(new NoConnection())
    }, startTimeoutMs)
  }

  /** Sends a request once there is a connection for it. While it waits, only the queue holds the request. */
  begin(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, enter: Enter): void {
    let hasStarted = false
    const giveUp = enter((leave) => {
      hasStarted = true
      this.#leave = leave
      this.#giveUp = nothing
      this.#dispatch = () => void dispatcher.dispatch(request, this)
      this.#dispatch()
    })
    if (!hasStarted) this.#giveUp = giveUp
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#startTimer)
    this.#dispatch = undefined
    this.#controller = controller
    if (this.#isEnded) controller.abort(new CallEnded())
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Informational answers precede the real one.
    if (status < 200) return
    this.status = status
    this.headers = headers
    this.#resolve(this)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#sink) {
      if (!this.#sink.data(chunk)) controller.pause()
      return
    }
    this.#early.push(chunk)
    this.#earlyBytes += chunk.length
    if (this.#earlyBytes > earlyBytesMax) controller.pause()
  }

  onResponseEnd(): void {
    this.#outcome = {}
    this.#controller = undefined
    this.#leave()
    this.#sink?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    if (this.#mayTryAgain(error)) {
      // Not in this turn: undici is about to give up the connection.
      setImmediate(() => this.#dispatch?.())
      return
    }
    clearTimeout(this.#startTimer)
    this.#dispatch = undefined
    this.#outcome = { error }
    this.#controller = undefined
    this.#leave()
    this.#reject(error)
    this.#sink?.fail(error)
  }

  /** Whether the request was not sent, for a reason that another connection does not have. */
  #mayTryAgain(error: unknown): boolean {
    const isUnsent = this.#dispatch !== undefined && !this.#isEnded
    return isUnsent && closedCodes.has((error as NodeJS.ErrnoException).code ?? '') && this.#furtherAttempts-- > 0
  }

  receive(sink: AnswerSink): void {
    this.#sink = sink
    const isFull = this.#early.map((chunk) => sink.data(chunk)).includes(false)
    this.#early = []
    if (this.#outcome) {
      if ('error' in this.#outcome) sink.fail(this.#outcome.error)
      else sink.end()
    } else if (isFull) this.#controller?.pause()
    else this.#controller?.resume()
  }

  resume(): void {
    this.#controller?.resume()
  }

  dismiss(): void {
    this.end(new CallEnded())
  }

  end(reason: Error): void {
    this.#isEnded = true
    clearTimeout(this.#startTimer)
    this.#giveUp()
    // A call that waits for a connection has no controller yet; its caller must not wait either.
    this.#reject(reason)
    if (!this.#outcome) this.#controller?.abort(reason)
  }
}

export interface ExchangeUnderWay {
  /**
   * Resolves with the head of the answer. Rejects with undici's error, {@link NoConnection}, or if the call was ended
   * before.
   */
  readonly answer: Promise<UpstreamAnswer>
  /** Ends the call at any stage. @param reason what `answer` rejects with, or the sink of its body gets */
  end(reason?: Error): void
}

/** From this size, it matters how long a body stays in memory. */
const largeBytesMin = 65_536

/**
 * A body that is released as it is written. Given a plain buffer, undici would keep it until the answer is complete,
 * which takes a model minutes.
 */
class SentOnce implements Iterable<Uint8Array>, Iterator<Uint8Array, void> {
  #bytes: Uint8Array | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<Uint8Array, void> {
    const value = this.#bytes
    this.#bytes = undefined
    return value === undefined ? { done: true, value } : { done: false, value }
  }
}

/** A call ready to send, with the length of its body in the headers. */
interface ExchangeRequest extends Dispatcher.DispatchOptions {
  readonly body: Uint8Array | null
}

/**
 * Calls `start` once there is a connection for a call, with the function that releases it. @returns a function that
 * stops waiting
 */
export type Enter = (start: (leave: () => void) => void) => () => void

const enterAtOnce: Enter = (start) => {
  start(nothing)
  return nothing
}

/**
 * Sends a request. A large body is released once it is written.
 * @param startTimeoutMs how long the call may wait for its turn and for a connection
 */
export function startExchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  startTimeoutMs: number,
  enter: Enter = enterAtOnce
): ExchangeUnderWay {
  const { promise, resolve, reject } = Promise.withResolvers<UpstreamAnswer>()
  const exchange = new Exchange(resolve, reject, startTimeoutMs)
  const { body } = request
  const isLarge = body !== null && body.length >= largeBytesMin
  const sent = isLarge ? { ...request, body: new SentOnce(body) as unknown as Readable } : request
  exchange.begin(dispatcher, sent, enter)
  return { answer: promise, end: (reason = new CallEnded()) => exchange.end(reason) }
}
