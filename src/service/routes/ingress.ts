/** The ingress below `/api/ingress`: finds the call and hands it to the hot path. */
import type { FastifyRequest } from 'fastify'
import { dialects } from '../../dialects/index.ts'
import { writeRefusal } from '../../ingress/answer.ts'
import { handleCall, type IngressDependencies } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refused.ts'
import { dialectOfUnknownPath, findIngressRoute, ingressBase, type IngressRoute } from '../../ingress/routes.ts'
import { requestHeaders } from '../../protocol/headers.ts'
import { ingressRoutes, modelsPath } from '../../protocol/ingress-routes.ts'
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
    const hasVersion = request.headers[requestHeaders.anthropicVersion] !== undefined
    const route = findIngressRoute(path, hasVersion)
    const isServed = route !== undefined && request.method === route.method && !isUpgrade(request)
    if (isServed && !lifecycle.isDraining) {
      void lifecycle.track(handleCall(request.raw, reply.raw, route, request.id, to))
      return true
    }
    const dialect = dialects[route?.dialect ?? dialectOfUnknownPath(path, hasVersion)]
    writeRefusal(request.raw, reply.raw, dialect, refusalOf(request, route, isServed), request.id)
    return true
  }
}

function pathBelowBase(url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? ''
  if (path === ingressBase) return ''
  return path.startsWith(`${ingressBase}/`) ? path.slice(ingressBase.length) : undefined
}

/** Some agents try a WebSocket first; this answer makes them go on with plain requests at once. */
const isUpgrade = (request: FastifyRequest): boolean => /\bwebsocket\b/i.test(request.headers.upgrade ?? '')

function refusalOf(request: FastifyRequest, route: IngressRoute | undefined, isServed: boolean): Refused {
  if (route === undefined) return new Refused('not_found', { sentence: unknownPath })
  if (isServed) return new Refused('draining')
  if (isUpgrade(request)) return new Refused('websocket_not_served')
  return new Refused('method_not_allowed', { fill: { method: request.method }, headers: { allow: route.method } })
}

const served = [...Object.keys(ingressRoutes), modelsPath].map((path) => path.slice('/v1'.length)).join(', ')
const unknownPath = `There is no model API at this path. Set the base URL to /api/ingress/v1; below it are served ${served}.`
