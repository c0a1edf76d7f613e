/** The HTTP application: routes, and the rules that apply to all of them. */
import fastifyCookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { notAProxy } from '../ingress/refusal/not-a-proxy.ts'
import { asRefused, Refused } from '../ingress/refusal/refused.ts'
import { apiHeaders, type Dashboard } from './dashboard.ts'
import { answerUnread } from '../ingress/refusal/unread-request.ts'
import { accessOf } from './route-access.ts'
import { sendProblem } from './problem-answer.ts'
import { createHttpServer, modelBase, namedHost, requestIdOf, type ServerOptions } from './server.ts'

const pathLengthMax = 256

/**
 * For a stream. The framework answers HEAD by running the route and reading its whole body: of an export all rows, beside
 * the limits of exports, and of a stream forever.
 */
export const withoutHead = { exposeHeadRoute: false } as const

interface AppOptions extends ServerOptions {
  /** Proxies that are trusted to say where a request comes from. Default: none. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Serves pages on paths without a route. */
  readonly dashboard?: Dashboard
}

/**
 * Creates the application without its own routes. Bodies are left unread: each route reads its own within its own
 * limits.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    genReqId: requestIdOf,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // The framework's own answer to a path that it cannot decode would repeat the path.
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, refusedBy(error)),
    clientErrorHandler: answerUnread,
    trustProxy: options.trustedProxies && options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { maxParamLength: pathLengthMax },
    serverFactory: (handler) => createHttpServer(handler, options)
  }) as FastifyInstance
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(apiHeaders)
    // Nothing has such a name; a store that cannot be asked for it would pass for one that is away.
    const isNameless = Object.values((request.params ?? {}) as Record<string, string>).some((name) =>
      /\p{Cc}/u.test(name)
    )
    done(isNameless ? new Refused('not_found') : undefined)
  })
  void app.register(fastifyCookie)
  refuseUnlistedRoutes(app)
  options.dashboard?.register(app)
  answerUnknownAddresses(app, options.dashboard)
  app.setErrorHandler((error, request, reply) => {
    const refused = refusedBy(error)
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

/** Fails at start if a route is missing from the access table. */
function refuseUnlistedRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', ({ url, method }) => {
    for (const one of [method].flat()) {
      if (accessOf(one, url) === undefined) throw new TypeError(`${one} ${url} is missing from the access table`)
    }
  })
}

/**
 * Answers paths without a route: with a page if there is one, with 405 and the methods if only the method is wrong,
 * otherwise with 404.
 */
function answerUnknownAddresses(app: FastifyInstance, dashboard: Dashboard | undefined): void {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    methodsOf.set(url, new Set([...(methodsOf.get(url) ?? []), ...[method].flat()]))
  })
  app.setNotFoundHandler((request, reply) => {
    const page = dashboard?.answer(request, reply)
    if (page !== undefined) return page
    const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
    const routes = [...methodsOf].filter(([url]) => isAt(url, path))
    if (routes.length === 0) {
      const refused = namedHost(request.raw) ? notAProxy(modelBase) : new Refused('not_found')
      return sendProblem(request, reply, refused)
    }
    // A literal segment in one route is not a parameter value in another.
    const methods = routes.find(([url]) => url === path)?.[1] ?? new Set(routes.flatMap(([, all]) => [...all]))
    const details = { fill: { method: request.method }, headers: { allow: [...methods].toSorted().join(', ') } }
    return sendProblem(request, reply, new Refused('method_not_allowed', details))
  })
}

/** Whether a path matches a route, in which `:names` stand for one segment each. */
function isAt(url: string, path: string): boolean {
  if (!url.includes(':')) return url === path
  const wanted = url.split('/')
  const steps = path.split('/')
  return (
    wanted.length === steps.length &&
    wanted.every((step, at) => step === steps[at] || (step.startsWith(':') && steps[at] !== ''))
  )
}

/** What an error means for the client. The status of the framework's own errors says whose fault they are. */
function refusedBy(error: unknown): Refused {
  const { statusCode, code } = error as { readonly statusCode?: unknown; readonly code?: unknown }
  // Files that a static folder does not serve do not exist for clients.
  if (!(error instanceof Refused) && (statusCode === 403 || statusCode === 404)) return new Refused('not_found')
  if (typeof code !== 'string' || !code.startsWith('FST_') || typeof statusCode !== 'number') return asRefused(error)
  if (statusCode >= 500) return new Refused('internal_error')
  if (statusCode === 415) return new Refused('unsupported_media_type')
  if (statusCode === 413) return new Refused('body_too_large')
  const isAboutThePath = ['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH'].includes(code) || statusCode === 404
  return new Refused(isAboutThePath ? 'not_found' : 'invalid_header')
}
