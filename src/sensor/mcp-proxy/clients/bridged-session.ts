/** One client's conversation over HTTP with a server on pipes: decides which server message goes into which answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Downstream, OpenDownstream } from '../servers/downstream.ts'
import { cancelledId } from '../servers/open-requests.ts'
import { readEnvelope, type Envelope } from '../messages/envelope.ts'
import type { GateSession, Step } from '../gate-contract.ts'
import { HttpAnswer, keepAliveDefaultMs } from './http-answer.ts'
import { findMember, rawOf } from '../messages/json-members.ts'
import { closing, errorCodes, errorMessage } from '../messages/json-rpc-error.ts'
import { judgeOf, type Judge } from '../judge.ts'
import { refuse } from './mcp-endpoint.ts'
import { Turns } from './turns.ts'

interface BridgedSessionOptions {
  readonly session: GateSession
  readonly open: OpenDownstream
  /** Whether it is a single request of 2026-07-28, in which errors have an HTTP status. */
  readonly isStateless: boolean
  readonly log: Logger
}

/** A client's request that waits for its answer. */
interface OpenPost {
  readonly id: string
  readonly method: string | undefined
  readonly progressToken: string | undefined
  readonly answer: HttpAnswer
  readonly settle: () => void
}

/** How long a request may wait before its answer becomes a stream, so that nothing in between takes it for dead. */
const patienceMs = 10_000
const backlogMessagesMax = 256
const backlogBytesMax = 1_048_576

export class BridgedSession {
  readonly #session: GateSession
  readonly #judge: Judge
  readonly #isStateless: boolean
  readonly #server: Downstream
  readonly #posts = new Map<string, OpenPost>()
  readonly #fromServer = new Turns()
  /** Server messages that arrived while the client had no stream open. */
  readonly #backlog: Uint8Array[] = []
  #backlogBytes = 0
  #stream: HttpAnswer | undefined
  #closing: Promise<void> | undefined
  #usedMs = performance.now()
  #drain: (() => void)[] = []
  /** Whether an `initialize` was answered with a result. */
  isBegun = false

  constructor({ session, open, isStateless, log }: BridgedSessionOptions) {
    this.#isStateless = isStateless
    this.#session = session
    this.#judge = judgeOf(session, log)
    this.#server = open({
      onMessage: (message) => this.#takeServer(message),
      onDrain: () => {
        for (const resolve of this.#drain.splice(0)) resolve()
      }
    })
  }

  /** Whether a request or a stream is open. */
  get isBusy(): boolean {
    return this.#posts.size > 0 || (this.#stream !== undefined && !this.#stream.isOver)
  }

  isIdleFor(durationMs: number): boolean {
    return performance.now() - this.#usedMs > durationMs
  }

  /** Answers one message of the client. */
  async post(req: IncomingMessage, answer: HttpAnswer, body: Uint8Array, envelope: Envelope): Promise<void> {
    this.#usedMs = performance.now()
    await this.#act(answer, body, envelope, await this.#judge.fromClient(body, req.headers))
  }

  /** Opens the stream for messages that belong to no request. */
  listen(res: ServerResponse): void {
    if (this.#stream !== undefined && !this.#stream.isOver)
      return refuse(res, 409, 'stream_is_open', 'This session has a stream open already.')
    this.#usedMs = performance.now()
    this.#stream = new HttpAnswer(res)
    this.#stream.begin(keepAliveDefaultMs)
    for (const message of this.#backlog.splice(0)) void this.#stream.event(message)
    this.#backlogBytes = 0
  }

  /**
   * Sends the client a notification of the proxy's own: on the stream for such messages, or on that of the only
   * subscription.
   */
  notify(message: Uint8Array): void {
    if (!this.#isStateless) this.#tell(message)
    else
      for (const { answer, method } of this.#posts.values())
        if (method === 'subscriptions/listen') void answer.event(message)
  }

  #tell(message: Uint8Array): void {
    if (this.#stream !== undefined && !this.#stream.isOver) void this.#stream.event(message)
    else this.#keep(message)
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs)
    return this.#closing
  }

  async #close(graceMs: number): Promise<void> {
    for (const { id, answer, settle } of this.#posts.values()) {
      answer.finish(errorMessage(id, closing))
      settle()
    }
    await this.#server.close(graceMs)
    await this.#fromServer.idle()
    this.#stream?.finishEmpty()
    this.#session.close()
  }

  async #act(answer: HttpAnswer, body: Uint8Array, envelope: Envelope, step: Step): Promise<void> {
    if (step.ask) {
      const then = this.#judge.afterAsk(body, step.ask.then)
      await answer.event(step.ask.question)
      return this.#act(answer, body, envelope, await then)
    }
    if (step.forward) return this.#forward(answer, step.forward, envelope)
    if (step.reply) answer.finish(step.reply, step.status)
    else answer.finishEmpty(step.status)
  }

  async #forward(answer: HttpAnswer, message: Uint8Array, { kind, id, method }: Envelope): Promise<void> {
    if (this.#server.isFull) await new Promise<void>((resolve) => this.#drain.push(resolve))
    if (kind !== 'request' || id === undefined) {
      if (kind === 'unreadable') return answer.finish(notOneMessage, 400)
      this.#server.send(message)
      if (method === 'notifications/cancelled') this.#cancelled(message)
      return answer.finishEmpty()
    }
    if (this.#posts.has(id)) return answer.finish(errorMessage(id, idInUse), 400)
    await new Promise<void>((resolve) => {
      const patience = setTimeout(() => answer.begin(keepAliveDefaultMs), patienceMs)
      const settle = (): void => {
        clearTimeout(patience)
        this.#posts.delete(id)
        resolve()
      }
      const progressToken = tokenOf(message, ['params', '_meta', 'progressToken'])
      this.#posts.set(id, { id, method, progressToken, answer, settle })
      this.#server.send(message)
    })
  }

  /** A server does not answer a cancelled request, so nothing else would end the one on HTTP. */
  #cancelled(message: Uint8Array): void {
    const post = this.#posts.get(cancelledId(message) ?? '')
    post?.answer.finishEmpty()
    post?.settle()
  }

  #takeServer(message: Uint8Array): Promise<void> | undefined {
    return this.#fromServer.take(
      () => this.#judge.fromServer(message),
      ({ forward, reply }) => {
        if (reply) this.#server.send(reply)
        return forward && this.#route(forward)
      },
      () => undefined
    )
  }

  /** Delivers a server message to the answer it belongs to. @returns a promise to wait for if there is no room now */
  #route(message: Uint8Array): Promise<void> | undefined {
    const { kind, id, method, isError } = readEnvelope(message)
    if (kind === 'response') {
      const post = id === undefined ? undefined : this.#posts.get(id)
      if (post === undefined) return undefined
      if (post.method === 'initialize') this.isBegun = isError !== true
      const hasStatus = this.#isStateless && isError === true
      post.answer.finish(message, hasStatus ? statusOf(message, post.method) : 200)
      post.settle()
      return undefined
    }
    const place = this.#placeOf(message, method)
    if (place) return place.event(message)
    this.#keep(message)
    return undefined
  }

  /**
   * Progress belongs to the request that asked for it. For anything else, a pipe does not say: if one request is open,
   * the message goes there, so that it precedes the answer; if several are, to the stream for such messages.
   */
  #placeOf(message: Uint8Array, method: string | undefined): HttpAnswer | undefined {
    const posts = [...this.#posts.values()].filter(({ answer }) => !answer.isOver)
    if (method === 'notifications/progress') {
      const token = tokenOf(message, ['params', 'progressToken'])
      const asked = posts.find(({ progressToken }) => token !== undefined && progressToken === token)
      if (asked) return asked.answer
    }
    if (posts.length === 1) return posts[0]?.answer
    if (this.#stream !== undefined && !this.#stream.isOver) return this.#stream
    return posts.at(-1)?.answer
  }

  #keep(message: Uint8Array): void {
    this.#backlog.push(message.slice())
    this.#backlogBytes += message.length
    while (this.#backlog.length > backlogMessagesMax || this.#backlogBytes > backlogBytesMax)
      this.#backlogBytes -= this.#backlog.shift()?.length ?? 0
  }
}

const idInUse = {
  code: errorCodes.invalidRequest,
  message: 'A request of this ID is still open in this session.',
  name: 'id_in_use',
  retryable: false
}

const notOneMessage = errorMessage(undefined, {
  code: errorCodes.invalidRequest,
  message: 'The body is not one JSON-RPC request, notification or response.',
  name: 'not_one_message',
  retryable: false
})

function tokenOf(message: Uint8Array, path: readonly string[]): string | undefined {
  const span = findMember(message, path)
  return span && rawOf(message, span)
}

/** The HTTP status that revision 2026-07-28 demands for an error. */
function statusOf(message: Uint8Array, method: string | undefined): number {
  const code = Number(tokenOf(message, ['error', 'code']))
  if (code <= -32_020 && code >= -32_029) return 400
  // Every server of this revision knows this method: to a client that probes, the status says that this one is older.
  if (method === 'server/discover') return 400
  return code === errorCodes.methodNotFound ? 404 : 200
}
