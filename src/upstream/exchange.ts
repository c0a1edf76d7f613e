/**
 * One call to an upstream, on the lowest level that undici offers: an answer is handed on in the very turn in which it
 * arrives, without a stream object between the two sockets.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

/** Takes the body of an answer. After `end` or `fail` nothing more comes. */
export interface AnswerSink {
  /** @returns false when the sink is full; the answer then waits until it is told to `resume` */
  data(chunk: Buffer): boolean
  end(): void
  fail(error: unknown): void
}

/** An answer whose head has arrived. Its body waits until somebody takes it. */
export interface UpstreamAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Hands the body over, from its first byte on. To be called once. */
  receive(sink: AnswerSink): void
  resume(): void
  /** Lets go of the body and of the connection. */
  dismiss(): void
}

/** Why the caller ended a call. */
class CallEnded extends Error {
  override readonly name = 'CallEnded'
}

/** No connection came free in time. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
}

/** What is kept of a body that nobody takes, before the upstream is told to wait. */
const earlyBytesMax = 1_048_576

const nothing = (): void => {}

class Exchange implements Dispatcher.DispatchHandler, UpstreamAnswer {
  status = 0
  headers: IncomingHttpHeaders = {}
  readonly #resolve: (answer: UpstreamAnswer) => void
  readonly #reject: (error: unknown) => void
  /** Until the answer is over: it holds the request, and the body that was sent. */
  #controller: Dispatcher.DispatchController | undefined
  #sink: AnswerSink | undefined
  /** What came before there was a sink: little, since the caller goes on in the same turn of the loop. */
  #early: Buffer[] = []
  #earlyBytes = 0
  #startTimer: NodeJS.Timeout | undefined
  /** Ends the wait for a place. */
  #giveUp = nothing
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

  /** Sends a request when there is a place for it. What waits for that holds the request, and nothing else of it does. */
  begin(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, enter: Enter): void {
    let hasStarted = false
    const giveUp = enter((leave) => {
      hasStarted = true
      this.#leave = leave
      this.#giveUp = nothing
      dispatcher.dispatch(request, this)
    })
    if (!hasStarted) this.#giveUp = giveUp
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#startTimer)
    this.#controller = controller
    if (this.#isEnded) controller.abort(new CallEnded())
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Informational answers come before the real one.
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
    clearTimeout(this.#startTimer)
    this.#outcome = { error }
    this.#controller = undefined
    this.#leave()
    this.#reject(error)
    this.#sink?.fail(error)
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
    this.#isEnded = true
    clearTimeout(this.#startTimer)
    this.#giveUp()
    // A call that still waits for a connection has no controller yet; whoever waits for it need not.
    this.#reject(new CallEnded())
    if (!this.#outcome) this.#controller?.abort(new CallEnded())
  }
}

export interface ExchangeUnderWay {
  /** Resolves when the head of the answer is there. Rejects with undici's error, {@link NoConnection}, or when ended before. */
  readonly answer: Promise<UpstreamAnswer>
  /** Ends the call, whatever stage it is in. */
  end(): void
}

/** From this size on it counts how long a body stays in memory. */
const largeBytesMin = 65_536

/**
 * A body that is let go of as it is written. The library keeps a body that it is given as it is until the answer is over,
 * which with a model takes minutes.
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

/** A call as it is to be sent, with the length of its body in the headers. */
export interface ExchangeRequest extends Dispatcher.DispatchOptions {
  readonly body: Uint8Array | null
}

/** Calls back when there is a place for a call, with what gives it back, and returns what ends the wait. */
export type Enter = (start: (leave: () => void) => void) => () => void

const enterAtOnce: Enter = (start) => {
  start(nothing)
  return nothing
}

/**
 * Sends a request. Of a large body nothing is held once it is written.
 * @param startTimeoutMs how long the call may wait for a place and a connection of its own
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
  return { answer: promise, end: () => exchange.dismiss() }
}
