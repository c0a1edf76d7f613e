/**
 * Finds the route of a path. The documented base URL ends in `/v1`. Some SDKs append `/v1/...` themselves and others
 * only the path, so each call is reachable with no, one or two version segments.
 */
import type { DialectName } from '../dialects/dialect.ts'
import { ingressRoutes, modelRoutes, modelsPath, type RouteEntry, type RoutePath } from '../protocol/ingress-routes.ts'

export interface IngressRoute extends RouteEntry {
  readonly route: RoutePath
  /** The model named by a path below `/models`, decoded. */
  readonly modelId?: string
}

export const ingressBase = '/api/ingress'

const versions = ['', '/v1', '/v1/v1']
const bare = (path: string): string => path.slice('/v1'.length)

const byPath = new Map(
  Object.entries(ingressRoutes).flatMap(([route, entry]) =>
    versions.map((version): [string, IngressRoute] => [
      version + bare(route),
      { route: route as keyof typeof ingressRoutes, ...entry }
    ])
  )
)

const modelPaths = versions.map((version) => version + bare(modelsPath))
/** Model names, including those of fine-tuned models and of model hosts. */
const modelIdPattern = /^[A-Za-z0-9][\w.:@/-]{0,127}$/

/**
 * The route of a path below the ingress base, aliases included.
 * @param hasAnthropicVersion whether the request has that header, which decides on paths that both vendors have
 */
export function findIngressRoute(pathBelowBase: string, hasAnthropicVersion: boolean): IngressRoute | undefined {
  const path = pathBelowBase.length > 1 && pathBelowBase.endsWith('/') ? pathBelowBase.slice(0, -1) : pathBelowBase
  return byPath.get(path) ?? findModels(path, hasAnthropicVersion ? modelRoutes.messages : modelRoutes.chat)
}

function findModels(path: string, entry: RouteEntry): IngressRoute | undefined {
  if (modelPaths.includes(path)) return { route: modelsPath, ...entry }
  const base = modelPaths.find((known) => path.startsWith(`${known}/`))
  if (base === undefined) return undefined
  const modelId = decodedModelId(path.slice(base.length + 1))
  return modelId === undefined ? undefined : { route: modelsPath, ...entry, modelId }
}

/** One decoded segment of a path. It is encoded again for the upstream, so that only a name can pass. */
function decodedModelId(segment: string): string | undefined {
  if (segment.includes('/') || segment.length > 512) return undefined
  try {
    const modelId = decodeURIComponent(segment)
    return modelIdPattern.test(modelId) && !modelId.includes('..') ? modelId : undefined
  } catch {
    return undefined
  }
}

/** Whose error shape the answer to an unknown path has. */
export function dialectOfUnknownPath(path: string, hasAnthropicVersion: boolean): DialectName {
  return hasAnthropicVersion || path.includes('/messages') ? 'messages' : 'chat-completions'
}
