/** The ingress below `/api/ingress`: finds the call and hands it to the hot path. */
import { dialects } from '../../dialects/index.ts'
import { writeRefusal } from '../../ingress/refusal/answer.ts'
import { findCall } from '../../ingress/find-call.ts'
import { handleCall, type IngressDependencies } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { ingressBase } from '../../ingress/routes.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { requestIdOf, type Taker } from '../server.ts'

/**
 * Makes the ingress. The hot path works on Node's own request and response: bodies are read with its bounds, and
 * answers are written in the vendors' shapes.
 */
export function createIngress(to: IngressDependencies, lifecycle: Lifecycle): Taker {
  return (req, res) => {
    const path = pathBelowBase(req.url ?? '/')
    if (path === undefined) return false
    const id = requestIdOf(req)
    const found = findCall(req, path, `${ingressBase}/v1`)
    if (!found.ok) writeRefusal(req, res, dialects[found.dialect], found.refused, id)
    else if (lifecycle.isDraining) writeRefusal(req, res, dialects[found.route.dialect], new Refused('draining'), id)
    else void lifecycle.track(handleCall(req, res, found.route, id, to))
    return true
  }
}

function pathBelowBase(url: string): string | undefined {
  if (!url.startsWith(ingressBase)) return undefined
  const path = url.split('?', 1)[0] ?? ''
  if (path === ingressBase) return ''
  return path.startsWith(`${ingressBase}/`) ? path.slice(ingressBase.length) : undefined
}
