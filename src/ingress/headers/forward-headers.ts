/**
 * Headers pass by allow-list in both directions, so that a workspace token never reaches an upstream and an upstream's
 * account details never reach a client.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { requestHeaders, responseHeaders } from '../../protocol/headers.ts'
import type { UpstreamName } from '../../protocol/ingress-routes.ts'
import { credentialValue, type UpstreamTarget } from '../../upstream/targets.ts'

/** Request headers that are forwarded: those that change what the call means. */
const forwardedNames: Readonly<Record<UpstreamName, readonly string[]>> = {
  chat: [
    requestHeaders.openaiOrganization,
    requestHeaders.openaiProject,
    requestHeaders.openaiBeta,
    requestHeaders.idempotencyKey,
    'x-client-request-id'
  ],
  messages: [
    requestHeaders.anthropicVersion,
    requestHeaders.anthropicBeta,
    // On whose behalf the call is made: a `billing_policy` in the body needs it. `anthropic-workspace-id` belongs to a
    // credential, and SDKs send the one of the client's own, which is not forwarded either.
    requestHeaders.anthropicUserProfile,
    requestHeaders.idempotencyKey
  ]
}

/** Ten times longer than the longest beta list seen in clients. */
export const forwardedLengthMax = 4096

/** What a body of ours has of its own. */
const ofBody = [requestHeaders.contentType, 'content-length', requestHeaders.contentEncoding]
const returned = new Set<string>([
  ...ofBody,
  'cache-control',
  responseHeaders.retryAfter,
  'retry-after-ms',
  responseHeaders.shouldRetry,
  'openai-processing-ms',
  'openai-version'
])
const returnedPrefixes = ['x-ratelimit-', 'anthropic-ratelimit-', 'anthropic-priority-']

/** The client's headers that are to be forwarded, by name. */
export function forwardableHeaders(upstream: UpstreamName, headers: IncomingHttpHeaders): Map<string, string> {
  const out = new Map<string, string>()
  for (const name of forwardedNames[upstream]) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') out.set(name, value)
  }
  return out
}

/** All headers of an upstream call. It asks for an uncompressed answer, because usage is read from it in passing. */
export function upstreamHeaders(
  target: UpstreamTarget,
  forwarded: ReadonlyMap<string, string>,
  body: { readonly length: number; readonly stream: boolean }
): Record<string, string> {
  const described = { [requestHeaders.contentType]: 'application/json', 'content-length': String(body.length) }
  const headers: Record<string, string> = {
    ...(target.method === 'POST' ? described : {}),
    accept: body.stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity',
    [requestHeaders.userAgent]: 'sluice'
  }
  if (target.upstream === 'messages') headers[requestHeaders.anthropicVersion] = '2023-06-01'
  for (const [name, value] of forwarded) headers[name] = value
  if (target.credential) headers[target.credential.header] = credentialValue(target.credential)
  return headers
}

/** The upstream's headers that a client may see. Its request ID is returned under the name that SDKs read. */
export function clientHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    if (returned.has(name) || returnedPrefixes.some((prefix) => name.startsWith(prefix))) out[name] = value
  }
  const upstreamId = headers[responseHeaders.upstreamRequestId] ?? headers[responseHeaders.requestId]
  if (typeof upstreamId === 'string' && /^[\w.:-]{1,128}$/.test(upstreamId))
    out[responseHeaders.upstreamRequestId] = upstreamId
  return out
}

/** The same for a body of our own in place of the upstream's: when to retry, what is left of limits, its request ID. */
export function headersBesideBody(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const out = clientHeaders(headers)
  for (const name of ofBody) delete out[name]
  return out
}

const queryParameters = new Set(['beta', 'api-version', 'limit', 'order', 'after', 'before', 'after_id', 'before_id'])

/** The client's query parameters that are to be forwarded, by name. */
export function forwardableQuery(url: string): Map<string, string> {
  const at = url.indexOf('?')
  if (at < 0) return new Map()
  const kept = [...new URLSearchParams(url.slice(at + 1))].filter(
    ([name, value]) => queryParameters.has(name) && /^[\w.-]{1,64}$/.test(value)
  )
  return new Map(kept)
}
