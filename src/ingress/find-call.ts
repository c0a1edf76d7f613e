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

/** What a client is told whose path is none of a model API. */
function noModelApi(base: string): Refused {
  const sentence = `There is no model API at this path. Set the base URL to ${base}.`
  return new Refused('not_found', { sentence, remedy: `Served below it, and nothing else, are ${served}.` })
}

/**
 * The refusal of a model call that misses the base, as one of an SDK whose base URL has a host alone.
 * @param path the whole path, without a query
 * @returns undefined where it is no model call
 */
export function findMissedCall(req: IncomingMessage, path: string, base: string): FoundCall | undefined {
  const hasVersion = req.headers[requestHeaders.anthropicVersion] !== undefined
  const below = path.startsWith('/api/') ? path.slice('/api'.length) : path
  const route = findIngressRoute(below, hasVersion)
  // A browser that asks for `/models` asks for a page.
  if (route === undefined || req.method !== route.method || (route.method === 'GET' && !below.startsWith('/v1/'))) {
    return undefined
  }
  return { ok: false, dialect: route.dialect, refused: noModelApi(base) }
}

function refusalOf(req: IncomingMessage, route: IngressRoute | undefined, base: string): Refused {
  if (route === undefined) return noModelApi(base)
  if (isUpgrade(req)) return new Refused('websocket_not_served')
  const fill = { method: req.method ?? '' }
  return new Refused('method_not_allowed', { fill, headers: { allow: route.method } })
}
