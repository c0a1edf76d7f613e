/**
 * The ingress routes. The base URL that users are told ends in `/v1`; some SDKs append `/v1/...` themselves and others
 * append the bare path, so each call is reachable with no, one or two version segments.
 */
import type { DialectName } from '../dialects/dialect.ts'

export interface IngressRoute {
  /** The canonical path below the ingress base, as events and audit rows name it. */
  readonly route: '/v1/chat/completions' | '/v1/messages'
  readonly dialect: DialectName
}

export const ingressBase = '/api/ingress'

const routes: readonly IngressRoute[] = [
  { route: '/v1/chat/completions', dialect: 'chat-completions' },
  { route: '/v1/messages', dialect: 'messages' }
]

const byPath = new Map(
  routes.flatMap((route) => {
    const bare = route.route.slice('/v1'.length)
    return ['', '/v1', '/v1/v1'].map((version) => [version + bare, route] as const)
  })
)

/** The route of a path below the ingress base, aliases included. */
export function findIngressRoute(pathBelowBase: string): IngressRoute | undefined {
  return byPath.get(
    pathBelowBase.length > 1 && pathBelowBase.endsWith('/') ? pathBelowBase.slice(0, -1) : pathBelowBase
  )
}

/** Which vendor's shape an answer to an unknown path takes. */
export function dialectOfUnknownPath(path: string, hasAnthropicVersion: boolean): DialectName {
  return hasAnthropicVersion || path.includes('/messages') ? 'messages' : 'chat-completions'
}
