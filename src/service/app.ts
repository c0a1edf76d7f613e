/** The HTTP application: routes, and the rules that hold for all of them. */
import { timeOrderedId } from '../telemetry/time-ordered-id.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { asRefused, Refused } from '../ingress/refused.ts'
import { parseRequestId, requestHeaders } from '../protocol/headers.ts'
import { sendProblem } from './problem-answer.ts'

/** Longer than the idle time of common load balancers (60 s), so that it is never we who close a connection first. */
const keepAliveTimeoutMs = 75_000
const headerBytesMax = 65_536
const pathLengthMax = 256

/**
 * Makes the application without its routes. Bodies are left unread: each route reads its own with its own bounds.
 * @param options.uploadTimeoutMs the longest that any request may take to arrive; the server's own limit lies above it
 */
export function createApp(options: { readonly log: Logger; readonly uploadTimeoutMs: number }): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: (req) => parseRequestId(String(req.headers[requestHeaders.requestId] ?? '')) ?? timeOrderedId(),
    requestTimeout: Math.min(options.uploadTimeoutMs + 30_000, 2_147_483_647),
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: pathLengthMax },
    http: { maxHeaderSize: headerBytesMax }
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, new Refused('not_found')))
  app.setErrorHandler((error, request, reply) => {
    const refused = asRefused(error)
    if (refused.code === 'internal_error') {
      options.log.error(
        { requestId: request.id, error: error instanceof Error ? error.name : typeof error },
        'request failed'
      )
    }
    return sendProblem(request, reply, refused)
  })
  return app
}
