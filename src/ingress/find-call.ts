/** Tells which model API a request is for, or how to refuse one that is for none. */
import type { IncomingMessage } from 'node:http'
import type { DialectName } from '../dialects/dialect.ts'
import { requestHeaders } from '../protocol/headers.ts'
import { ingressRoutes, modelsPath } from '../protocol/ingress-routes.ts'
import { Refused } from './refusal/refused.ts'
import { dialectOfUnknownPath, findIngressRoute, type IngressRoute } from './routes.ts'

export type FoundCall =
  | { readonly ok: true; readonly route: IngressRoute }
  | { readonly ok: false; readonly dialect: DialectName; readonly refused: Refused }

/**
 * Finds the call that a request is.
 * @param path below the base, without a query
 * @param base the path that users set as base URL, named to whoever misses it
 */
export function findCall(req: IncomingMessage, path: string, base: string): FoundCall {
  const hasVersion = req.headers[requestHeaders.anthropicVersion] !== undefined
  const route = findIngressRoute(path, hasVersion)
  const method = req.method ?? ''
  if (route && method === route.method && !isUpgrade(req)) return { ok: true, route }
  const dialect = route?.dialect ?? dialectOfUnknownPath(path, hasVersion)
  return { ok: false, dialect, refused: refusalOf(req, route, base) }
}

/** Some agents try a WebSocket first; this answer makes them go on with plain requests at once. */
const isUpgrade = (req: IncomingMessage): boolean => /\bwebsocket\b/i.test(req.headers.upgrade ?? '')

const served = [...Object.keys(ingressRoutes), modelsPath].map((path) => path.slice('/v1'.length)).join(', ')

function refusalOf(req: IncomingMessage, route: IngressRoute | undefined, base: string): Refused {
  if (route === undefined) {
    const sentence = `There is no model API at this path. Set the base URL to ${base}; below it are served ${served}.`
    return new Refused('not_found', { sentence })
  }
  if (isUpgrade(req)) return new Refused('websocket_not_served')
  const fill = { method: req.method ?? '' }
  return new Refused('method_not_allowed', { fill, headers: { allow: route.method } })
}
