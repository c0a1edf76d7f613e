/** The ingress below `/api/ingress`: finds the call and passes it to the hot path. */
import type { IncomingMessage } from 'node:http'
import { dialects } from '../../dialects/index.ts'
import { writeRefusal } from '../../ingress/refusal/answer.ts'
import { findCall, findMissedCall, type FoundCall } from '../../ingress/find-call.ts'
import { handleCall, type IngressDependencies } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { ingressBase } from '../../ingress/routes.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { namedHost, requestIdOf, type Taker } from '../server.ts'

/**
 * Creates the ingress. The hot path works on Node's own request and response: bodies are read within its limits, and
 * answers are written in the vendors' formats.
 */
export function createIngress(to: IngressDependencies, lifecycle: Lifecycle): Taker {
  return (req, res) => {
    const found = find(req)
    if (found === undefined) return false
    const id = requestIdOf(req)
    if (!found.ok) writeRefusal(req, res, dialects[found.dialect], found.refused, id)
    else if (lifecycle.isDraining) writeRefusal(req, res, dialects[found.route.dialect], new Refused('draining'), id)
    else void lifecycle.track(handleCall(req, res, found.route, id, to))
    return true
  }
}

/** @returns undefined if it is not a model call, not even one outside the base path */
function find(req: IncomingMessage): FoundCall | undefined {
  const path = (req.url ?? '/').split('?', 1)[0] ?? ''
  const base = `${ingressBase}/v1`
  if (path === ingressBase || path.startsWith(`${ingressBase}/`)) {
    return findCall(req, path.slice(ingressBase.length), base)
  }
  // A URL with a host is meant for a proxy; its sender gets that answer elsewhere.
  return namedHost(req) ? undefined : findMissedCall(req, path, base)
}
