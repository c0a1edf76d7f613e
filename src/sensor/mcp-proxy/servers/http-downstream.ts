/**
 * An HTTP server for a client on pipes: each client message becomes a request, and each message in answers and streams
 * becomes a line. Session, streams and their resumption are handled here, as an HTTP client would.
 */
import type { Logger } from 'pino'
import { request, type Dispatcher } from 'undici'
import { eventData } from '../../../ingress/answer/sse-event.ts'
import type { Downstream, DownstreamEvents } from './downstream.ts'
import { readEnvelope, type Envelope } from '../messages/envelope.ts'
import { failedCall } from '../messages/failed-call.ts'
import { Handshake } from './handshake.ts'
import { mediaTypeOf, sessionHeader, versionHeader } from '../messages/http-headers.ts'
import { findMember, rawOf, textOf } from '../messages/json-members.ts'
import { closing, errorCodes, errorMessage, unreachable, type RelayError } from '../messages/json-rpc-error.ts'
import { MirroredHeaders } from '../messages/mirrored-headers.ts'
import { cancelledId } from './open-requests.ts'
import { readBounded } from '../../../upstream/read-bounded.ts'
import { EventTooLarge, readEvents } from '../messages/sse-reader.ts'
import { StreamCursor } from './stream-cursor.ts'

interface HttpDownstreamOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly messageBytesMax: number
  readonly requestTimeoutMs: number
  readonly log: Logger
}

/** A client request without an answer yet. */
interface OpenCall {
  readonly controller: AbortController
  readonly envelope: Envelope
}

const callsMax = 256
const farewellMs = 1000
/** Consecutive attempts to resume a broken stream. */
const resumptionsMax = 5

export class HttpDownstream implements Downstream {
  readonly #options: HttpDownstreamOptions
  readonly #events: DownstreamEvents
  readonly #open = new Map<string, OpenCall>()
  readonly #handshake = new Handshake()
  readonly #mirrored = new MirroredHeaders()
  readonly #stop = new AbortController()
  /** What later messages must not overtake. */
  #before: Promise<void> = Promise.resolve()
  #sending = 0
  #session: string | undefined
  #version: string | undefined
  #renewal: Promise<boolean> | undefined
  #listening: AbortController | undefined
  /** The server could not be reached for so long that it is no longer listened to. */
  #isDeaf = false
  #closing: Promise<void> | undefined

  constructor(options: HttpDownstreamOptions, events: DownstreamEvents) {
    this.#options = options
    this.#events = events
  }

  get isFull(): boolean {
    return this.#sending >= callsMax
  }

  get openRequests(): number {
    return this.#open.size
  }

  send(message: Uint8Array): void {
    const envelope = readEnvelope(message)
    const { kind, id, method } = envelope
    if (this.#closing !== undefined) return this.#fail(envelope, closing)
    if (method === 'notifications/cancelled' && this.#version === undefined) {
      // In a revision without sessions, a request is cancelled by closing its own stream.
      const cancelled = cancelledId(message)
      return this.#open.get(cancelled ?? '')?.controller.abort()
    }
    const controller = new AbortController()
    if (kind === 'request' && id !== undefined) this.#open.set(id, { controller, envelope })
    this.#handshake.sent(message, envelope)
    this.#sending++
    const before = this.#before
    const call = before.then(() => this.#call(message, envelope, controller.signal))
    if (kind !== 'request' || method === 'initialize') this.#before = call
    void call.finally(() => {
      this.#sending--
      if (id !== undefined && this.#open.get(id)?.controller === controller) this.#open.delete(id)
      this.#events.onDrain()
    })
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  async #close(graceMs: number): Promise<void> {
    const until = performance.now() + graceMs
    while (this.#sending > 0 && this.#hasCallsToWaitFor() && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20))
    this.#listening?.abort()
    if (this.#session !== undefined) {
      const signal = AbortSignal.timeout(farewellMs)
      const ended = await this.#request('DELETE', undefined, {}, signal).catch(() => undefined)
      await ended?.body.dump().catch(() => undefined)
    }
    this.#stop.abort()
  }

  #hasCallsToWaitFor(): boolean {
    const methods = [...this.#open.values()].map(({ envelope }) => envelope.method)
    return methods.length === 0 || methods.some((method) => method !== 'subscriptions/listen')
  }

  /** Sends one message and handles everything that is returned for it. Never rejects. */
  async #call(message: Uint8Array, envelope: Envelope, signal: AbortSignal): Promise<void> {
    try {
      await this.#exchange(message, envelope, signal, true)
    } catch (error) {
      if (signal.aborted && this.#closing === undefined) return
      this.#fail(envelope, failedCall(error, { ...this.#options, server: new URL(this.#options.url) }))
    }
  }

  async #exchange(message: Uint8Array, envelope: Envelope, signal: AbortSignal, mayRenew: boolean): Promise<void> {
    // There is no session to send it in. If there will be none either, that is found out again for this message.
    await this.#renewal?.catch(() => undefined)
    const session = this.#session
    const headers = this.#mirrored.of(message, envelope.method)
    const isEndless = envelope.method === 'subscriptions/listen'
    const answer = await this.#request(
      'POST',
      message,
      headers,
      AbortSignal.any([signal, this.#stop.signal]),
      isEndless
    )
    const body = isStream(answer) ? undefined : await readBounded(answer.body, this.#options.messageBytesMax)
    const maySendAgain = session !== undefined && mayRenew && envelope.method !== 'initialize'
    if (maySendAgain && body !== undefined && hasLostSession(answer.statusCode, body)) {
      if (!(await this.#renew(session))) throw new Error('the session could not be renewed')
      this.#options.log.warn('the session with the server ended; a new one was started')
      return this.#exchange(message, envelope, signal, false)
    }
    if (envelope.method === 'initialize') this.#session = sessionOf(answer)
    await (body === undefined ? this.#takeStream(answer, envelope, signal) : this.#takeBody(answer, body, envelope))
    if (answer.statusCode >= 300) return
    // What its stream would still bring, a server need not end by itself.
    if (envelope.method === 'notifications/cancelled') this.#open.get(cancelledId(message) ?? '')?.controller.abort()
    if (envelope.method === 'notifications/initialized' || this.#isDeaf) this.#listen()
  }

  async #takeBody(answer: Dispatcher.ResponseData, body: Buffer, envelope: Envelope): Promise<void> {
    if (envelope.kind !== 'request') {
      if (answer.statusCode >= 400)
        this.#options.log.warn({ status: answer.statusCode, method: envelope.method }, 'the server refused a message')
      return
    }
    const isJson = mediaTypeOf(answer.headers['content-type']) === 'application/json'
    const answered = isJson ? readEnvelope(body) : undefined
    if (answered?.kind === 'response' && answered.id === envelope.id) return this.#take(body, envelope)
    const error = isJson && answered?.isError === true ? findMember(body, ['error']) : undefined
    // An error that names no request, as HTTP allows: on a pipe nothing else would say which request it is for.
    if (error) {
      const text = `{"jsonrpc":"2.0","id":${envelope.id},"error":${rawOf(body, error)}}`
      return this.#take(Buffer.from(text), envelope)
    }
    this.#fail(envelope, unreachable(statusWords(answer.statusCode)))
  }

  /** Reads a stream up to the answer to its request; if it breaks off before that and can be resumed, it is. */
  async #takeStream(first: Dispatcher.ResponseData, envelope: Envelope, signal: AbortSignal): Promise<void> {
    const cursor = new StreamCursor()
    let answer: Dispatcher.ResponseData | undefined = first
    for (let attempts = 0; ;) {
      if (answer) {
        const isAnswered = await this.#takeEvents(answer, cursor, envelope).catch((error: unknown) => {
          if (cursor.lastId === undefined || signal.aborted || error instanceof EventTooLarge) throw error
          return false
        })
        if (isAnswered || envelope.kind !== 'request') return
      }
      if (cursor.hasMoved()) attempts = 0
      if (cursor.lastId === undefined || ++attempts > resumptionsMax)
        return this.#fail(envelope, unreachable('its stream ended before the answer'))
      await cursor.pause(signal)
      signal.throwIfAborted()
      answer = await this.#resume(cursor, AbortSignal.any([signal, this.#stop.signal]))
    }
  }

  async #resume(cursor: StreamCursor, signal: AbortSignal): Promise<Dispatcher.ResponseData | undefined> {
    const answer = await this.#request('GET', undefined, cursor.headers(), signal, true).catch(() => undefined)
    if (answer === undefined || isStream(answer)) return answer
    await answer.body.dump()
    return undefined
  }

  /** @returns whether the answer to the request was among the events */
  async #takeEvents(answer: Dispatcher.ResponseData, cursor: StreamCursor, envelope?: Envelope): Promise<boolean> {
    for await (const event of readEvents(answer.body, this.#options.messageBytesMax)) {
      cursor.note(event)
      const data = eventData(event)
      if (data === undefined || data.bytes.length === 0) continue
      const { kind, id } = readEnvelope(data.bytes)
      const isAnswer = envelope !== undefined && kind === 'response' && id === envelope.id
      await this.#take(data.bytes, isAnswer ? envelope : undefined)
      if (!isAnswer) continue
      await answer.body.dump().catch(() => undefined)
      return true
    }
    return false
  }

  /** Opens the stream for messages that belong to no request, and opens it again whenever it ends. */
  #listen(): void {
    this.#listening?.abort()
    const controller = new AbortController()
    this.#listening = controller
    this.#isDeaf = false
    const signal = AbortSignal.any([controller.signal, this.#stop.signal])
    void (async () => {
      const cursor = new StreamCursor()
      for (let failures = 0; !signal.aborted && failures < resumptionsMax;) {
        const answer = await this.#request('GET', undefined, cursor.headers(), signal, true).catch(() => undefined)
        // The server offers none, or this session has ended.
        if (answer && !isStream(answer)) {
          await answer.body.dump().catch(() => undefined)
          return
        }
        if (answer) await this.#takeEvents(answer, cursor).catch(() => false)
        failures = answer ? 0 : failures + 1
        await cursor.pause(signal)
      }
      this.#isDeaf = !signal.aborted
    })()
  }

  /** Starts a new session on the client's behalf; at most one at a time. @returns whether there is one */
  #renew(former: string): Promise<boolean> {
    if (this.#renewal === undefined && this.#session !== former) return Promise.resolve(true)
    this.#renewal ??= this.#repeatHandshake(former).finally(() => (this.#renewal = undefined))
    return this.#renewal
  }

  async #repeatHandshake(former: string): Promise<boolean> {
    const initialize = this.#handshake.repeat()
    if (initialize === undefined) return false
    // A server that is only just starting may take the handshake later: it then refuses this session once more.
    let session: string | undefined = former
    this.#session = undefined
    try {
      const answer = await this.#request('POST', initialize, {}, this.#stop.signal)
      const result = await this.#resultIn(answer)
      if (result === undefined || answer.statusCode >= 300) return false
      session = sessionOf(answer)
      this.#noteVersion(result)
    } finally {
      this.#session = session
    }
    const { initialized } = this.#handshake
    if (initialized) await (await this.#request('POST', initialized, {}, this.#stop.signal)).body.dump()
    this.#listen()
    return true
  }

  /** @returns the message with the result; undefined if the answer holds an error, or nothing */
  async #resultIn(answer: Dispatcher.ResponseData): Promise<Uint8Array | undefined> {
    const { messageBytesMax } = this.#options
    let message: Uint8Array | undefined
    if (!isStream(answer)) message = await readBounded(answer.body, messageBytesMax)
    else
      for await (const event of readEvents(answer.body, messageBytesMax)) {
        message = eventData(event)?.bytes
        if (message !== undefined && readEnvelope(message).kind === 'response') break
      }
    const { kind, isError } = readEnvelope(message ?? new Uint8Array())
    return kind === 'response' && isError !== true ? message : undefined
  }

  #noteVersion(initialized: Uint8Array): void {
    const span = findMember(initialized, ['result', 'protocolVersion'])
    if (span) this.#version = textOf(initialized, span)
  }

  #request(
    method: Dispatcher.HttpMethod,
    body: Uint8Array | undefined,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal,
    isEndless = false
  ): Promise<Dispatcher.ResponseData> {
    const { url, headers, dispatcher, requestTimeoutMs } = this.#options
    return request(url, {
      dispatcher,
      method,
      signal,
      headersTimeout: requestTimeoutMs,
      bodyTimeout: isEndless ? 0 : requestTimeoutMs,
      ...(body && { body }),
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        'accept-encoding': 'identity',
        ...(body && { 'content-type': 'application/json' }),
        ...(this.#session !== undefined && { [sessionHeader]: this.#session }),
        ...(this.#version !== undefined && { [versionHeader]: this.#version }),
        ...more,
        ...headers
      }
    })
  }

  /** Passes a message to the client. @param envelope of the request that it answers */
  async #take(message: Uint8Array, envelope: Envelope | undefined): Promise<void> {
    if (envelope?.id !== undefined) {
      this.#open.delete(envelope.id)
      const { isError } = readEnvelope(message)
      this.#handshake.answered(envelope.id, isError === true)
      if (envelope.method === 'initialize') this.#noteVersion(message)
      if (envelope.method === 'tools/list') this.#mirrored.learn(message)
    }
    await this.#events.onMessage(message)
  }

  #fail({ kind, id }: Envelope, error: RelayError): void {
    if (kind !== 'request' || id === undefined) return
    this.#open.delete(id)
    void this.#events.onMessage(errorMessage(id, error))
  }
}

const isStream = ({ statusCode, headers }: Dispatcher.ResponseData): boolean =>
  statusCode < 300 && mediaTypeOf(headers['content-type']) === 'text/event-stream'

/**
 * Whether a server does not know the session: by the status of the specification, or as the examples of the SDK for
 * TypeScript say it, and the many servers that were written after them.
 */
function hasLostSession(status: number, body: Uint8Array): boolean {
  if (status !== 400) return status === 404
  const [code, message] = ['code', 'message'].map((name) => findMember(body, ['error', name]))
  if (code === undefined || message === undefined || Number(rawOf(body, code)) !== errorCodes.connectionClosed)
    return false
  const words = textOf(body, message)?.toLowerCase() ?? ''
  return words.includes('session') || words.includes('server not initialized')
}

function sessionOf({ headers }: Dispatcher.ResponseData): string | undefined {
  const id = headers[sessionHeader]
  return typeof id === 'string' && /^[\x21-\x7e]{1,1024}$/.test(id) ? id : undefined
}

function statusWords(status: number): string {
  if (status >= 300 && status < 400) return 'it answers with a redirect; use the address that it leads to'
  if (status === 401 || status === 403)
    return `it answers ${status}; the credential that is configured for it is missing or not taken`
  return `it answered ${status} and no message`
}
