/**
 * HTTP clients of a server on pipes. Each session of a revision with sessions has a server process of its own; requests
 * of 2026-07-28, which belong to no session, share one.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { BridgedSession } from './bridged-session.ts'
import type { OpenDownstream } from '../servers/downstream.ts'
import { readEnvelope, type Envelope } from '../messages/envelope.ts'
import type { Gate, ServerIdentity } from '../gate-contract.ts'
import { HttpAnswer } from './http-answer.ts'
import { sessionHeader, versionHeader } from '../messages/http-headers.ts'
import { findMember } from '../messages/json-members.ts'
import { errorCodes, errorMessage } from '../messages/json-rpc-error.ts'
import { metaKeys, statelessRevision } from '../messages/protocol-names.ts'
import { refuse, type McpEndpoint } from './mcp-endpoint.ts'
import { SessionStore } from './sessions.ts'
import { SharedDownstream } from '../servers/shared-downstream.ts'

interface HttpBridgeOptions {
  readonly identity: ServerIdentity
  readonly gate: Gate
  readonly open: OpenDownstream
  readonly sessionsMax: number
  readonly sessionIdleMs: number
  readonly log: Logger
}

const ownKeys = [metaKeys.version, metaKeys.clientCapabilities]
/** How long a session's server may take to exit by itself. */
const sessionGraceMs = 2000

export class HttpBridge implements McpEndpoint {
  readonly #options: HttpBridgeOptions
  readonly #sessions: SessionStore<BridgedSession>
  readonly #shared: SharedDownstream
  /** Sessions that are closing, and stateless requests in progress. */
  readonly #ending = new Set<Promise<void>>()
  readonly #requests = new Set<BridgedSession>()
  /** Messages of clients that wait for their answers; subscriptions, which have none, do not count. */
  #calls = 0

  constructor(options: HttpBridgeOptions) {
    this.#options = options
    this.#shared = new SharedDownstream(options.open)
    this.#sessions = new SessionStore({
      sessionsMax: options.sessionsMax,
      idleMs: options.sessionIdleMs,
      isBusy: (session) => session.isBusy,
      onEnd: (session) => this.#end(session)
    })
  }

  async handle(req: IncomingMessage, res: ServerResponse, body: Uint8Array): Promise<void> {
    const envelope = req.method === 'POST' ? readEnvelope(body) : undefined
    if (envelope === undefined || envelope.method === 'subscriptions/listen')
      return this.#answer(req, res, body, envelope)
    this.#calls++
    try {
      await this.#answer(req, res, body, envelope)
    } finally {
      this.#calls--
    }
  }

  /** Calls may continue for `graceMs`. */
  async close(graceMs: number): Promise<void> {
    const until = performance.now() + graceMs
    while (this.#calls > 0 && performance.now() < until) await sleep(20)
    this.#sessions.close()
    await Promise.all([...this.#requests].map((session) => session.close(0)))
    await Promise.all([...this.#ending, this.#shared.close(sessionGraceMs)])
  }

  /** @param envelope of a POST */
  async #answer(
    req: IncomingMessage,
    res: ServerResponse,
    body: Uint8Array,
    envelope: Envelope | undefined
  ): Promise<void> {
    if (envelope !== undefined && isStateless(req, body, envelope)) return this.#handleAlone(req, res, body, envelope)
    const id = req.headers[sessionHeader]
    if (typeof id !== 'string') {
      if (envelope === undefined)
        return refuse(res, 405, 'session_required', 'A stream belongs to a session.', { allow: 'POST' })
      if (envelope.method === 'initialize') return this.#begin(req, res, body, envelope)
      return refuse(res, 400, 'session_required', 'The Mcp-Session-Id header is missing: begin with initialize.')
    }
    const session = this.#sessions.get(id)
    if (session === undefined) return refuse(res, 404, 'session_unknown', 'This session is over: begin a new one.')
    if (req.method === 'DELETE') {
      this.#sessions.end(id)
      res.writeHead(200, { 'content-length': '0' }).end()
    } else if (req.method === 'GET') session.listen(res)
    else if (envelope) await session.post(req, new HttpAnswer(res, { [sessionHeader]: id }), body, envelope)
  }

  async #begin(req: IncomingMessage, res: ServerResponse, body: Uint8Array, envelope: Envelope): Promise<void> {
    if (this.#sessions.isFull && !this.#endOneIdle()) {
      const message = 'Too many sessions are open at once. SERVICE_MCP_SESSIONS_MAX sets the bound.'
      return refuse(res, 503, 'too_many_sessions', message, { 'retry-after': '5' })
    }
    const id = randomUUID()
    const session = this.#openSession(this.#options.open, false)
    this.#sessions.set(id, session)
    await session.post(req, new HttpAnswer(res, { [sessionHeader]: id }), body, envelope)
    // Nobody will use a session whose start the client did not receive.
    if (!session.isBegun) this.#sessions.end(id)
  }

  /** Ends an idle session to make room: a client that left without a DELETE leaves one behind. */
  #endOneIdle(): boolean {
    return this.#sessions.endOldest((session) => !session.isBusy && session.isIdleFor(10_000))
  }

  async #handleAlone(req: IncomingMessage, res: ServerResponse, body: Uint8Array, envelope: Envelope): Promise<void> {
    const problem = metaProblem(body, envelope)
    if (problem) return new HttpAnswer(res).finish(problem, 400)
    const session = this.#openSession((events) => this.#shared.open(events), true)
    this.#requests.add(session)
    res.once('close', () => void session.close(0))
    try {
      await session.post(req, new HttpAnswer(res), body, envelope)
    } finally {
      await session.close(0)
      this.#requests.delete(session)
    }
  }

  #openSession(open: OpenDownstream, isStateless: boolean): BridgedSession {
    const { gate, identity, log } = this.#options
    const notify = (message: Uint8Array): void => bridged.notify(message)
    const session = gate.open(identity, { transport: 'http', notify })
    const bridged: BridgedSession = new BridgedSession({ session, open, isStateless, log })
    return bridged
  }

  #end(session: BridgedSession): void {
    const ended = session.close(sessionGraceMs)
    this.#ending.add(ended)
    void ended.finally(() => this.#ending.delete(ended))
  }
}

/** Whether a request names a revision without sessions, in its header or in its body. */
function isStateless(req: IncomingMessage, body: Uint8Array, { method }: Envelope): boolean {
  if (ownKeys.some((key) => findMember(body, ['params', '_meta', key]) !== undefined)) return true
  const version = req.headers[versionHeader]
  return method !== 'initialize' && typeof version === 'string' && version >= statelessRevision
}

/**
 * A request of 2026-07-28 states its revision and the client's capabilities. One that does not must not reach the
 * shared server: a server that supports both kinds would treat it as an older client, and all later requests too.
 */
function metaProblem(body: Uint8Array, { kind, id }: Envelope): Uint8Array | undefined {
  const missing = kind === 'request' ? ownKeys.find((key) => !findMember(body, ['params', '_meta', key])) : undefined
  if (missing === undefined) return undefined
  const message = `The request lacks ${missing} in params._meta, which this revision wants.`
  return errorMessage(id, { code: errorCodes.invalidParams, message, name: 'meta_missing', retryable: false })
}
