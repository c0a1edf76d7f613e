/** Decides which model API a request is for, or how to refuse it if there is none. */
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
 * Finds the call that a request makes.
 * @param path below the base, without a query
 * @param base the path that users set as base URL, for the error's advice
 */
export function findCall(req: IncomingMessage, path: string, base: string): FoundCall {
  const hasVersion = req.headers[requestHeaders.anthropicVersion] !== undefined
  const route = findIngressRoute(path, hasVersion)
  const method = req.method ?? ''
  if (route && method === route.method && !isUpgrade(req)) return { ok: true, route }
  const dialect = route?.dialect ?? dialectOfUnknownPath(path, hasVersion)
  return { ok: false, dialect, refused: refusalOf(req, path, route, base) }
}

/** Some agents try a WebSocket first; this answer makes them fall back to plain requests at once. */
const isUpgrade = (req: IncomingMessage): boolean => /\bwebsocket\b/i.test(req.headers.upgrade ?? '')

const served = [...Object.keys(ingressRoutes), modelsPath].map((path) => path.slice('/v1'.length))

/**
 * The error for a path that no model API has.
 * @param isMisplaced whether the client would get further with another base URL
 */
function noModelApi(base: string, isMisplaced: boolean): Refused {
  const advice = isMisplaced ? ` Set the base URL to ${base}.` : ''
  return new Refused('not_found', {
    sentence: `There is no model API at this path.${advice}`,
    remedy: `Served below ${isMisplaced ? 'it' : base}, and nothing else, are ${served.join(', ')}.`
  })
}

/**
 * The refusal of a model call outside the base path, as from an SDK whose base URL has only a host.
 * @param path the whole path, without a query
 * @returns `undefined` if it is not a model call
 */
export function findMissedCall(req: IncomingMessage, path: string, base: string): FoundCall | undefined {
  const hasVersion = req.headers[requestHeaders.anthropicVersion] !== undefined
  const below = path.startsWith('/api/') ? path.slice('/api'.length) : path
  const route = findIngressRoute(below, hasVersion)
  // A browser that asks for `/models` wants a page.
  if (route === undefined || req.method !== route.method || (route.method === 'GET' && !below.startsWith('/v1/'))) {
    return undefined
  }
  return { ok: false, dialect: route.dialect, refused: noModelApi(base, true) }
}

function refusalOf(req: IncomingMessage, path: string, route: IngressRoute | undefined, base: string): Refused {
  const isServed = (known: string): boolean => path.endsWith(known)
  if (route === undefined) return noModelApi(base, served.some(isServed))
  if (isUpgrade(req)) return new Refused('websocket_not_served')
  const fill = { method: req.method ?? '' }
  return new Refused('method_not_allowed', { fill, headers: { allow: route.method } })
}
