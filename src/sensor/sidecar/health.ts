/** `/livez` says that the process answers; `/readyz` says whether it has a policy to enforce, and which. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SubscriberStatus } from '../../policy-stream/subscriber.ts'

export interface SidecarHealth {
  readonly status: SubscriberStatus
  readonly isDraining: boolean
}

/**
 * Answers the two addresses of health. They spend no token, so whoever asks may know: a probe names the host as it likes.
 * @returns false where the request is for neither
 */
export function answerHealth(req: IncomingMessage, res: ServerResponse, path: string, health: SidecarHealth): boolean {
  if ((path !== '/livez' && path !== '/readyz') || (req.method !== 'GET' && req.method !== 'HEAD')) return false
  const { code, body } = path === '/livez' ? { code: 200, body: { status: 'ok' } } : readiness(health)
  const text = JSON.stringify(body)
  res.writeHead(code, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text) })
  res.end(req.method === 'HEAD' ? undefined : text)
  return true
}

/** A stale policy is enforced, so a sidecar that lost the service for a while stays in use. */
function readiness({ status, isDraining }: SidecarHealth) {
  const { state, problem, revision, ageMs } = status
  const hasPolicy = state === 'fresh' || state === 'stale'
  const isReady = hasPolicy && !isDraining
  const word = isReady ? (state === 'fresh' ? 'ok' : 'degraded') : 'unavailable'
  const checks = { draining: isDraining ? 'stopping' : 'ok', policy: { state, problem, revision, ageMs } }
  return { code: isReady ? 200 : 503, body: { status: word, checks } }
}
