/** The HTTP server below the application: the most frequent requests are answered before the framework sees them. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Logger } from 'pino'
import { timerMsMax } from '../config/milliseconds.ts'
import { takeExpectations } from '../ingress/body/expectation.ts'
import { inTurn } from '../ingress/in-turn.ts'
import { joinAuthorization } from '../ingress/headers/credentials.ts'
import { readTarget, refuseTunnels } from '../ingress/refusal/not-a-proxy.ts'
import { ingressBase } from '../ingress/routes.ts'
import { noteAnswer, refuseUnclearHost, unrefused } from '../ingress/refusal/unread-request.ts'
import { parseRequestId, requestHeaders } from '../protocol/headers.ts'
import { timeOrderedId } from '../telemetry/time-ordered-id.ts'
import type { TlsCredentials } from './tls.ts'

/**
 * Longer than the idle timeout of common load balancers (60 s), so that the service is never the first to close a
 * connection.
 */
const keepAliveTimeoutMs = 75_000
const headerBytesMax = 65_536
/** The URL of a service as written in the documentation. */
export const modelBase = `{base_url}${ingressBase}/v1`

/** Handles a request, or returns false if it is not for it. */
export type Taker = (req: IncomingMessage, res: ServerResponse) => boolean

export interface ServerOptions {
  readonly log: Pick<Logger, 'error'>
  /** Asked in this order. */
  readonly ahead: readonly Taker[]
  /** The longest time that a request may take to arrive; the server's own limit is higher. */
  readonly uploadTimeoutMs: number
  /** Certificate and key, if the server uses HTTPS. */
  readonly tls?: TlsCredentials | undefined
}

/** The request's own id if it is valid, otherwise a new one. */
export const requestIdOf = (req: IncomingMessage): string =>
  parseRequestId(String(req.headers[requestHeaders.requestId] ?? '')) ?? timeOrderedId()

const withHosts = new WeakSet<IncomingMessage>()

/** Whether the request line named a host, as clients do with a proxy. */
export const namedHost = (req: IncomingMessage): boolean => withHosts.has(req)

/**
 * A target in absolute form (RFC 9112, 3.2.2) means its path: a server must accept it, and this one has no list of its
 * own host names. If the path does not exist, the client is told that this is not a proxy.
 */
function takeWholeAddress(req: IncomingMessage, url: string): void {
  const { authority, path } = readTarget(url)
  req.url = path
  if (authority !== undefined) withHosts.add(req)
}

/** @param handler the framework's, for everything else */
export function createHttpServer(handler: RequestListener, to: ServerOptions): Server {
  const { ahead, uploadTimeoutMs, tls } = to
  const listener = inTurn((req, res) => {
    const url = req.url ?? '/'
    if (!url.startsWith('/')) takeWholeAddress(req, url)
    joinAuthorization(req)
    noteAnswer(req, res)
    if (refuseUnclearHost(req, res)) return
    try {
      if (ahead.some((take) => take(req, res))) return
    } catch (error) {
      // A bug that affects one request must not end the others.
      to.log.error({ error: error instanceof Error ? error.name : typeof error }, 'request failed')
      res.destroy()
      return
    }
    handler(req, res)
  })
  const options = {
    ...unrefused,
    maxHeaderSize: headerBytesMax,
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: Math.min(uploadTimeoutMs + 30_000, timerMsMax)
  }
  const server = tls ? createTlsServer({ ...options, ...tls }, listener) : createServer(options, listener)
  refuseTunnels(server, () => modelBase)
  takeExpectations(server, listener)
  return server
}
