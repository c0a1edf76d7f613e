/** The ingress routes below `/api/ingress`: finds the call and hands it to the hot path. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dialects } from '../../dialects/index.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { writeRefusal } from '../../ingress/answer.ts'
import { handleCall, type IngressDependencies } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refused.ts'
import { dialectOfUnknownPath, findIngressRoute, ingressBase } from '../../ingress/routes.ts'
import type { Lifecycle } from '../lifecycle.ts'

/**
 * Registers the routes. The hot path works on Node's own request and response: bodies are read with its bounds, and
 * answers are written in the vendors' shapes.
 */
export function registerIngress(app: FastifyInstance, to: IngressDependencies, lifecycle: Lifecycle): void {
  const handle = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack()
    const path = request.raw.url?.slice(ingressBase.length).split('?', 1)[0] ?? '/'
    const route = findIngressRoute(path)
    const isPost = request.method === 'POST'
    if (route && isPost && !lifecycle.isDraining) {
      void lifecycle.track(handleCall(request.raw, reply.raw, route, request.id, to))
      return
    }
    const dialect =
      dialects[route?.dialect ?? dialectOfUnknownPath(path, request.headers['anthropic-version'] !== undefined)]
    const refused = route === undefined ? unknownPath(request) : isPost ? new Refused('draining') : wrongMethod(request)
    refuse(request, reply.raw, dialect, refused)
  }
  app.all(ingressBase, handle)
  app.all(`${ingressBase}/*`, handle)
}

function refuse(
  request: FastifyRequest,
  res: Parameters<typeof writeRefusal>[1],
  dialect: Dialect,
  refused: Refused
): void {
  writeRefusal(request.raw, res, dialect, refused, request.id)
}

function unknownPath(request: FastifyRequest): Refused {
  const base = `${request.protocol}://<this host>${ingressBase}/v1`
  const sentence =
    `There is no model API at this path. Set the base URL of your SDK to ${base}; ` +
    'it serves POST /chat/completions and POST /messages.'
  return new Refused('not_found', { sentence })
}

function wrongMethod(request: FastifyRequest): Refused {
  return new Refused('method_not_allowed', { fill: { method: request.method }, headers: { allow: 'POST' } })
}
