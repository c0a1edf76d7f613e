/**
 * HTTP clients of a server on HTTP. Requests and answers pass unchanged; the gate sees every message in between.
 * Sessions, streams and their resumption are up to the server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import { eventData, withData, withPlainLines } from '../../../ingress/answer/sse-event.ts'
import { readEnvelope } from '../messages/envelope.ts'
import { isErrorAlone, isReadableText } from './error-words.ts'
import type { Gate, GateSession, Step } from '../gate-contract.ts'
import { ForwardedSessions } from './forwarded-sessions.ts'
import { drained, HttpAnswer, keepAliveDefaultMs } from './http-answer.ts'
import { failedCall } from '../messages/failed-call.ts'
import { headersDown, headersUp, mediaTypeOf, readHeadersDown, sessionHeader } from '../messages/http-headers.ts'
import { LoginMetadata } from './login-metadata.ts'
import { closing, errorMessage, unreachable, type RelayError } from '../messages/json-rpc-error.ts'
import { judgeOf, type Judge } from '../judge.ts'
import type { McpEndpoint } from './mcp-endpoint.ts'
import { NewsChannel } from './news-channel.ts'
import { oneLine } from '../messages/one-line.ts'
import { readAnswer } from '../../../upstream/read-bounded.ts'
import { readEvents } from '../messages/sse-reader.ts'

interface HttpForwardOptions {
  readonly url: string
  /** Set by the operator; in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly name?: string
  /** Path at which the listener serves the server. */
  readonly path: string
  readonly gate: Gate
  readonly dispatcher: Dispatcher
  readonly messageBytesMax: number
  readonly requestTimeoutMs: number
  readonly log: Logger
}

/** Limit for an answer that is not a message, such as an error page of a proxy in front of the server. */
const otherBytesMax = 65_536
const nothing = Buffer.alloc(0)

/** What is known about a client's session, or about its single request. */
interface ForwardedSession {
  readonly gate: GateSession
  readonly news: NewsChannel
}

/** One client request on its way through. */
interface Passage {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly judge: Judge
  readonly session: ForwardedSession
  readonly answer: HttpAnswer
  readonly gone: AbortSignal
  /** The id of the request in the body, as written. */
  readonly id: string | undefined
  /** Whether its answer is a stream that may stay silent indefinitely. */
  readonly isEndless: boolean
}

export class HttpForward implements McpEndpoint {
  readonly #options: HttpForwardOptions
  readonly #url: URL
  readonly login: LoginMetadata | undefined
  readonly #sessions = new ForwardedSessions<ForwardedSession>(({ gate }) => gate.close())
  readonly #running = new Map<AbortController, { readonly isEndless: boolean }>()

  constructor(options: HttpForwardOptions) {
    this.#options = options
    this.#url = new URL(options.url)
    // If the operator sets the credential, clients have nothing to log in to.
    if (!('authorization' in options.headers)) this.login = new LoginMetadata({ ...options, url: this.#url })
  }

  async handle(req: IncomingMessage, res: ServerResponse, body: Uint8Array): Promise<void> {
    const sessionId = req.headers[sessionHeader]
    const known = typeof sessionId === 'string' ? this.#sessions.get(sessionId) : undefined
    const session = known ?? this.#open()
    // The session may stem from an earlier run of the proxy; the server knows whether it is still valid.
    if (known === undefined && typeof sessionId === 'string') this.#sessions.name(sessionId, session)
    const controller = new AbortController()
    // Only if it closes early: an abort creates an error with a stack trace, which successful requests need not pay
    // for.
    res.once('close', () => {
      if (!res.writableFinished) controller.abort()
    })
    const { id, method } = req.method === 'POST' ? readEnvelope(body) : {}
    const isEndless = req.method === 'GET' || method === 'subscriptions/listen'
    this.#running.set(controller, { isEndless })
    const passage: Passage = {
      req,
      res,
      session,
      judge: judgeOf(session.gate, this.#options.log),
      answer: new HttpAnswer(res),
      gone: controller.signal,
      id,
      isEndless
    }
    let isKept = typeof sessionId === 'string'
    try {
      if (req.method === 'POST') isKept = (await this.#post(passage, body)) || isKept
      else await this.#pass(passage, undefined)
    } catch (error) {
      await this.#fail(passage, error)
    } finally {
      this.#running.delete(controller)
      if (!isKept) session.gate.close()
    }
  }

  /** Endless streams are ended at once; calls may continue for `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const until = performance.now() + graceMs
    for (const [controller, { isEndless }] of this.#running) if (isEndless) controller.abort()
    while (this.#running.size > 0 && performance.now() < until) await sleep(20)
    for (const controller of this.#running.keys()) controller.abort()
    this.#sessions.close()
  }

  #open(): ForwardedSession {
    const { gate, url, name } = this.#options
    const news = new NewsChannel()
    const notify = (message: Uint8Array): void => news.send(message)
    return { gate: gate.open({ url, ...(name !== undefined && { name }) }, { transport: 'http', notify }), news }
  }

  /** @returns whether the answer started a session, which then outlives the request */
  async #post(passage: Passage, body: Uint8Array): Promise<boolean> {
    return this.#act(passage, body, await passage.judge.fromClient(body, passage.req.headers))
  }

  async #act(passage: Passage, body: Uint8Array, step: Step): Promise<boolean> {
    const { answer, judge } = passage
    if (step.ask) {
      const then = judge.afterAsk(body, step.ask.then)
      await answer.event(step.ask.question)
      return this.#act(passage, body, await then)
    }
    if (step.forward) return this.#pass(passage, step.forward)
    if (step.reply) answer.finish(step.reply, step.status)
    else answer.finishEmpty(step.status)
    return false
  }

  async #pass(passage: Passage, body: Uint8Array | undefined): Promise<boolean> {
    const { req, res, gone } = passage
    if (gone.aborted) {
      await this.#abandon(passage)
      return false
    }
    const { headers, dispatcher, requestTimeoutMs } = this.#options
    const { origin, pathname, search } = this.#url
    const up = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: req.method ?? 'POST',
      // A server that honours a charset (`utf-7`) would read a message other than the one that was judged.
      headers: { ...headersUp(req.headers, headers), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
      signal: gone,
      headersTimeout: requestTimeoutMs,
      bodyTimeout: passage.isEndless ? 0 : requestTimeoutMs
    })
    const problem = this.#problemOf(up)
    if (problem !== undefined) {
      up.body.on('error', () => undefined).destroy()
      await this.#refuse(passage, unreachable(problem))
      return false
    }
    const isBegun = this.#noteSession(passage, up)
    if (req.method === 'GET' && up.statusCode === 405 && passage.session.gate.promisesNews === true) {
      await up.body.dump()
      await this.#listen(passage)
      return false
    }
    const mediaType = mediaTypeOf(up.headers['content-type'])
    if (mediaType === 'text/event-stream') await this.#passEvents(passage, up)
    else if (mediaType === 'application/json') await this.#passJson(passage, up)
    else await this.#passOther(passage, up)
    if (!res.writableEnded) res.end()
    return isBegun
  }

  /**
   * Why an answer must not reach the client: it would lead the client past the proxy, or to a login other than its own.
   */
  #problemOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
    if (statusCode >= 300 && statusCode < 400) return 'it answers with a redirect; use the address that it leads to'
    if (statusCode === 401 && 'authorization' in this.#options.headers)
      return 'it does not accept the configured credential'
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') return 'it answers in an encoding that was not requested'
    return undefined
  }

  /** @param down the headers that may come down */
  #headersDown({ req }: Passage, down: Record<string, string | string[]>): Record<string, string | string[]> {
    const challenge = down['www-authenticate']
    if (challenge !== undefined && this.login) down['www-authenticate'] = this.login.challenge(req, challenge)
    return down
  }

  #noteSession({ req, session }: Passage, { statusCode, headers }: Dispatcher.ResponseData): boolean {
    const sent = req.headers[sessionHeader]
    if (typeof sent === 'string') {
      const isOver = statusCode === 404 || (req.method === 'DELETE' && statusCode < 300)
      if (isOver) this.#sessions.end(sent)
      return false
    }
    const given = headers[sessionHeader]
    if (typeof given !== 'string' || statusCode >= 300) return false
    this.#sessions.begin(given, session)
    return true
  }

  /**
   * Opens a stream of our own if the server has none but the client was promised notifications about its list of tools.
   */
  async #listen({ res, answer, session, gone }: Passage): Promise<void> {
    answer.begin(keepAliveDefaultMs)
    session.news.open(res)
    await new Promise<void>((resolve) => {
      res.once('close', resolve)
      gone.addEventListener('abort', () => resolve())
    })
    answer.finishEmpty()
  }

  async #passEvents({ res, judge, answer, session, isEndless }: Passage, up: Dispatcher.ResponseData): Promise<void> {
    if (!answer.isStream) {
      res.writeHead(up.statusCode, readHeadersDown(up.headers))
      res.flushHeaders()
    }
    if (isEndless) session.news.open(res)
    for await (const event of readEvents(up.body, this.#options.messageBytesMax)) {
      const data = eventData(event)
      let out = withPlainLines(event)
      if (data !== undefined && data.bytes.length > 0) {
        const { forward } = await judge.fromServer(data.bytes)
        if (forward === undefined) continue
        if (forward !== data.bytes) out = withPlainLines(withData(event, data, oneLine(forward)))
      }
      if (!res.write(out)) await drained(res)
      if (res.destroyed) return
    }
  }

  async #passJson(passage: Passage, up: Dispatcher.ResponseData): Promise<void> {
    const { res, judge, answer } = passage
    const body = await readAnswer(up, this.#options.messageBytesMax)
    if (body.length === 0) return this.#passOther(passage, up, body)
    const isWords = up.statusCode >= 400 && body.length <= otherBytesMax && isErrorAlone(body)
    const forward =
      (await judge.fromServer(body)).forward ??
      (isWords ? await judge.errorWords({ bytes: body, isJson: true }, passage.id) : undefined)
    if (forward === undefined) await this.#refuse(passage, unreachable('its answer was not passed on'))
    else if (answer.isStream) answer.finish(forward)
    else {
      res.writeHead(up.statusCode, {
        ...this.#headersDown(passage, readHeadersDown(up.headers)),
        'content-length': String(forward.length)
      })
      res.end(forward)
    }
  }

  /** Passes on what is neither a message nor a stream of messages: an accepted notification, or a described error. */
  async #passOther(passage: Passage, up: Dispatcher.ResponseData, given?: Buffer): Promise<void> {
    const { res, judge, answer } = passage
    const body = given ?? (await readAnswer(up, otherBytesMax))
    if (answer.isStream || (up.statusCode < 300 && body.length > 0)) {
      const why = `it answered ${up.statusCode} with a body that is neither JSON nor a stream of events`
      return this.#refuse(passage, unreachable(why))
    }
    // In a charset other than the one the gate reads, text could say something to the client that was not judged.
    const words = { bytes: isReadableText(up.headers['content-type']) ? body : nothing, isJson: false }
    const told = up.statusCode < 400 ? body : ((await judge.errorWords(words, passage.id)) ?? nothing)
    res.writeHead(up.statusCode, {
      ...this.#headersDown(passage, headersDown(up.headers)),
      'content-length': String(told.length)
    })
    res.end(told)
  }

  /**
   * Answers with an error of the proxy's own, which completes the gate's record of the request like the server's answer
   * would.
   */
  async #refuse({ judge, answer, id }: Passage, error: RelayError): Promise<void> {
    const message = errorMessage(id, error)
    const { forward = message } = id === undefined ? {} : await judge.fromServer(message)
    answer.finish(forward, 502)
  }

  /**
   * Nobody waits for the answer any more: its id becomes free, and if the result arrives on another stream it is still
   * judged.
   */
  async #abandon({ judge, id }: Passage): Promise<void> {
    if (id !== undefined) await judge.errorWords({ bytes: nothing, isJson: false }, id)
  }

  async #fail(passage: Passage, error: unknown): Promise<void> {
    const { res, answer, id, gone } = passage
    if (gone.aborted && (res.destroyed || res.writableEnded)) return this.#abandon(passage)
    // Nobody but the client, who has not gone, and a stop ends a call from here.
    const told = gone.aborted ? closing : failedCall(error, { ...this.#options, server: this.#url })
    const isNamed = id !== undefined && (told === closing || told.name === 'message_too_large')
    // If a server's stream breaks off, so does the client's, which may know how to resume it.
    if (res.headersSent && !answer.isOwnStream && !isNamed) res.destroy()
    else await this.#refuse(passage, told)
  }
}
