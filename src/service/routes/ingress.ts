/** The ingress below `/api/ingress`: finds the call and hands it to the hot path. */
import type { FastifyRequest } from 'fastify'
import { dialects } from '../../dialects/index.ts'
import { writeRefusal } from '../../ingress/answer.ts'
import { handleCall, type IngressDependencies } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refused.ts'
import { dialectOfUnknownPath, findIngressRoute, ingressBase } from '../../ingress/routes.ts'
import { requestHeaders } from '../../protocol/headers.ts'
import type { AppOptions } from '../app.ts'
import type { Lifecycle } from '../lifecycle.ts'

/**
 * Makes the ingress. The hot path works on Node's own request and response: bodies are read with its bounds, and
 * answers are written in the vendors' shapes.
 */
export function createIngress(to: IngressDependencies, lifecycle: Lifecycle): AppOptions['ingress'] {
  return (request, reply) => {
    const path = pathBelowBase(request.raw.url ?? '/')
    if (path === undefined) return false
    reply.hijack()
    const route = findIngressRoute(path)
    const isPost = request.method === 'POST'
    if (route && isPost && !lifecycle.isDraining) {
      void lifecycle.track(handleCall(request.raw, reply.raw, route, request.id, to))
      return true
    }
    const hasVersion = request.headers[requestHeaders.anthropicVersion] !== undefined
    const dialect = dialects[route?.dialect ?? dialectOfUnknownPath(path, hasVersion)]
    const refused = route === undefined ? unknownPath() : isPost ? new Refused('draining') : wrongMethod(request)
    writeRefusal(request.raw, reply.raw, dialect, refused, request.id)
    return true
  }
}

function pathBelowBase(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? ''
  if (path === ingressBase) return ''
  return path.startsWith(`${ingressBase}/`) ? path.slice(ingressBase.length) : undefined
}

function unknownPath(): Refused {
  const sentence = 'There is no model API at this path; POST /chat/completions and POST /messages are served.'
  return new Refused('not_found', { sentence })
}

function wrongMethod(request: FastifyRequest): Refused {
  return new Refused('method_not_allowed', { fill: { method: request.method }, headers: { allow: 'POST' } })
}
