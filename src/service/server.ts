/** The HTTP server below the application: what is asked most often is answered before the framework sees it. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Logger } from 'pino'
import { timerMsMax } from '../config/milliseconds.ts'
import { inTurn } from '../ingress/in-turn.ts'
import { joinAuthorization } from '../ingress/headers/credentials.ts'
import { readTarget, refuseTunnels } from '../ingress/refusal/not-a-proxy.ts'
import { ingressBase } from '../ingress/routes.ts'
import { noteAnswer, refuseSeveralHosts } from '../ingress/refusal/unread-request.ts'
import { parseRequestId, requestHeaders } from '../protocol/headers.ts'
import { timeOrderedId } from '../telemetry/time-ordered-id.ts'
import type { TlsCredentials } from './tls.ts'

/** Longer than the idle time of common load balancers (60 s), so that it is never we who close a connection first. */
const keepAliveTimeoutMs = 75_000
const headerBytesMax = 65_536
/** As the documentation writes the address of a service. */
export const modelBase = `{base_url}${ingressBase}/v1`

/** Takes a request over and answers it, or gives false where it is none of its own. */
export type Taker = (req: IncomingMessage, res: ServerResponse) => boolean

export interface ServerOptions {
  readonly log: Pick<Logger, 'error'>
  /** Asked in their order. */
  readonly ahead: readonly Taker[]
  /** The longest that any request may take to arrive; the server's own limit lies above it. */
  readonly uploadTimeoutMs: number
  /** Certificate and key, where the server speaks HTTPS. */
  readonly tls?: TlsCredentials | undefined
}

/** The id that a request brings, where it is one, else a fresh one. */
export const requestIdOf = (req: IncomingMessage): string =>
  parseRequestId(String(req.headers[requestHeaders.requestId] ?? '')) ?? timeOrderedId()

const withHosts = new WeakSet<IncomingMessage>()

/** Whether the request line named a host, as clients write it to a proxy. */
export const namedHost = (req: IncomingMessage): boolean => withHosts.has(req)

/**
 * A target in absolute form (RFC 9112, 3.2.2) means its path: a server must take it, and this one has no list of its own
 * names. Where it has no such path, the client is told what it took it for.
 */
function takeWholeAddress(req: IncomingMessage, url: string): void {
  const { authority, path } = readTarget(url)
  req.url = path
  if (authority !== undefined) withHosts.add(req)
}

/** @param handler the framework's, for all that nobody takes */
export function createHttpServer(handler: RequestListener, to: ServerOptions): Server {
  const { ahead, uploadTimeoutMs, tls } = to
  const listener = inTurn((req, res) => {
    const url = req.url ?? '/'
    if (!url.startsWith('/')) takeWholeAddress(req, url)
    joinAuthorization(req)
    noteAnswer(req, res)
    if (refuseSeveralHosts(req, res)) return
    try {
      if (ahead.some((take) => take(req, res))) return
    } catch (error) {
      // A fault of the program in one request must not end the others.
      to.log.error({ error: error instanceof Error ? error.name : typeof error }, 'request failed')
      res.destroy()
      return
    }
    handler(req, res)
  })
  const options = {
    maxHeaderSize: headerBytesMax,
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: Math.min(uploadTimeoutMs + 30_000, timerMsMax)
  }
  const server = tls ? createTlsServer({ ...options, ...tls }, listener) : createServer(options, listener)
  refuseTunnels(server, () => modelBase)
  return server
}
