/** The hop from a sidecar to the service: the URLs of calls, their token, and additional headers. */
import type { IncomingHttpHeaders } from 'node:http'
import { Secret } from '../../config/secret.ts'
import { tiers } from '../../detection/findings.ts'
import { presentedToken } from '../../ingress/headers/credentials.ts'
import type { IngressDependencies, IngressPrincipal } from '../../ingress/handle-call.ts'
import type { Hop } from '../../ingress/hop.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { ingressBase } from '../../ingress/routes.ts'
import { serviceBase } from '../../policy-stream/service-base.ts'
import { findingActions } from '../../policy/redaction/profile.ts'
import { modelIdLengthMax, requestHeaders, responseHeaders } from '../../protocol/headers.ts'
import { formatSidecarHeader } from '../../protocol/sidecar-header.ts'
import { parseToken } from '../../protocol/token-format.ts'

/**
 * The token for a call: the caller's, or the sidecar's own if the call has none.
 * @throws Refused for two different tokens, and for a malformed one; whether it is valid is for the service to say
 */
function tokenOf(headers: IncomingHttpHeaders, own: Secret): Secret {
  const presented = presentedToken(headers)
  if (!presented.ok && presented.code === 'token_conflict') throw new Refused(presented.code)
  if (!presented.ok) return own
  if (!parseToken(presented.token).ok) throw new Refused('invalid_token')
  return new Secret(presented.token)
}

/** Who calls, as far as a sidecar can know: the id in the token. */
export function callerOf(headers: IncomingHttpHeaders, own: Secret): IngressPrincipal {
  const parsed = parseToken(tokenOf(headers, own).reveal())
  return { tokenId: parsed.ok ? parsed.id : '', workspaceId: '', mayCall: true }
}

/**
 * Joins the service's URL with the table of routes.
 * @param target as configured; see {@link serviceBase}
 * @param own the sidecar's token
 */
export function serviceTargets(target: string, own: Secret): IngressDependencies['targetOf'] {
  const base = new URL(serviceBase(target))
  const path = base.pathname.replace(/\/$/, '') + ingressBase
  return ({ route, method, upstream, modelId }, headers) => ({
    upstream,
    method,
    origin: base.origin,
    path: path + route + (modelId === undefined ? '' : `/${encodeURIComponent(modelId)}`),
    credential: { header: requestHeaders.workspaceToken, secret: tokenOf(headers, own) },
    configured: true,
    vendor: undefined,
    isService: true
  })
}

/** @param onReached called for each answer of the service */
export function createHop(onReached: () => void): Hop {
  return {
    headersOf(record, headers) {
      const said: [string, string][] = [
        [requestHeaders.requestId, record.requestId],
        [requestHeaders.clientSurface, record.clientSurface],
        [requestHeaders.sidecar, formatSidecarHeader({ action: 'allow', ...record })]
      ]
      // If the client said nothing, the service knows better: it has the upstream's name and the body's model.
      if (headers[requestHeaders.modelProvider] !== undefined)
        said.push([requestHeaders.modelProvider, record.modelProvider])
      if (headers[requestHeaders.modelId] !== undefined && isModelHeader(record.modelId))
        said.push([requestHeaders.modelId, record.modelId])
      return said
    },
    takeOver(answer, headers) {
      onReached()
      mergeDecision(answer, headers)
    }
  }
}

/** Masking part of a name may have made it too long. */
const isModelHeader = (modelId: string | undefined): modelId is string =>
  modelId !== undefined && /^[\x20-\x7e]+$/.test(modelId) && modelId.length <= modelIdLengthMax

/** Merges two scans of one call: the stronger action, the higher tier, and the sum of what was masked. */
function mergeDecision(answer: IncomingHttpHeaders, headers: Record<string, string>): void {
  const pick = (name: string, order: readonly string[]): void => {
    const theirs = answer[name]
    if (typeof theirs !== 'string' || !order.includes(theirs)) return
    if (order.indexOf(theirs) < order.indexOf(headers[name] ?? '') || headers[name] === undefined)
      headers[name] = theirs
  }
  pick(responseHeaders.action, findingActions)
  pick(responseHeaders.riskTier, tiers.toReversed())
  const masked = Number(answer[responseHeaders.entitiesMasked] ?? 0)
  if (Number.isSafeInteger(masked) && masked > 0)
    headers[responseHeaders.entitiesMasked] = String(Number(headers[responseHeaders.entitiesMasked] ?? 0) + masked)
}
