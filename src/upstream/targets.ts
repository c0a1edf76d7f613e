/**
 * Where calls go. Upstream paths come from a table, never from the client; the base URLs come from the configuration.
 * Each base follows the convention of its vendor's SDK: the chat-completions base includes the version segment, the
 * messages base does not.
 */
import type { Config } from '../config/config.ts'
import type { Secret } from '../config/secret.ts'
import { ingressRoutes, modelsPath, type RoutePath, type UpstreamName } from '../protocol/ingress-routes.ts'

/** One upstream API as the proxy calls it. */
export interface UpstreamTarget {
  readonly upstream: UpstreamName
  readonly method: 'POST' | 'GET'
  /** Scheme, host and port. */
  readonly origin: string
  /** Path of the call, without a query. */
  readonly path: string
  /** The credential header, or `undefined` if the upstream takes none. */
  readonly credential: UpstreamCredential | undefined
  /** False if calls cannot succeed: the vendor's own base without a key. */
  readonly configured: boolean
  /** The vendor behind the default base; `undefined` for a base that the operator set. */
  readonly vendor: 'openai' | 'anthropic' | undefined
  /**
   * Whether the upstream is the service itself, called by a sidecar: its refusals, including a 401, are meant for the
   * client.
   */
  readonly isService?: boolean
}

interface UpstreamCredential {
  readonly header: 'authorization' | 'x-api-key' | 'x-service-workspace-token'
  readonly secret: Secret
}

const upstreams = {
  chat: { header: 'authorization', vendor: 'openai', withVersion: false },
  messages: { header: 'x-api-key', vendor: 'anthropic', withVersion: true }
} as const

/** The value of the credential header. Call it when sending, and do not store the result. */
export function credentialValue(credential: UpstreamCredential): string {
  return credential.header === 'authorization' ? `Bearer ${credential.secret.reveal()}` : credential.secret.reveal()
}

/** What decides where a call goes. */
export interface TargetedRoute {
  readonly route: RoutePath
  readonly method: 'POST' | 'GET'
  readonly upstream: UpstreamName
  readonly modelId?: string
}

export type UpstreamTargets = (route: TargetedRoute) => UpstreamTarget

/** The API key of an upstream at this moment. */
export type UpstreamKeys = (upstream: UpstreamName) => Secret | undefined

/**
 * Joins the configured bases with the paths of the table, once at start.
 * @param keyOf asked at each call; the keys of the configuration by default
 */
export function upstreamTargets(
  config: Pick<Config, 'upstream'>,
  keyOf: UpstreamKeys = (upstream) => config.upstream[upstream].key
): UpstreamTargets {
  const make = ({ route, method, upstream }: TargetedRoute): Omit<UpstreamTarget, 'credential'> => {
    const settings = config.upstream[upstream]
    const { vendor, withVersion } = upstreams[upstream]
    const url = new URL(settings.base + (withVersion ? route : route.slice('/v1'.length)))
    return {
      upstream,
      method,
      origin: url.origin,
      path: url.pathname,
      configured: settings.key !== undefined || !settings.isDefaultBase,
      vendor: settings.isDefaultBase ? vendor : undefined
    }
  }
  const calls = new Map(
    Object.entries(ingressRoutes).map(
      ([route, entry]) => [route, make({ route: route as RoutePath, ...entry })] as const
    )
  )
  const models = {
    chat: make({ route: modelsPath, method: 'GET', upstream: 'chat' }),
    messages: make({ route: modelsPath, method: 'GET', upstream: 'messages' })
  }
  return ({ route, upstream, modelId }) => {
    const target = calls.get(route) ?? models[upstream]
    const path = modelId === undefined ? target.path : `${target.path}/${encodeURIComponent(modelId)}`
    const secret = keyOf(upstream)
    return { ...target, path, credential: secret && { header: upstreams[upstream].header, secret } }
  }
}
