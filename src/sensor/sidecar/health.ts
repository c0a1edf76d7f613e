/**
 * `/livez`: whether the process answers; `/readyz`: whether it has a policy to enforce, and which; `/metrics`:
 * counters.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { metricsType } from './metrics.ts'
import type { Standing } from './policy.ts'

export interface SidecarHealth {
  readonly status: Standing
  readonly isDraining: boolean
  metrics(): string
}

const paths = ['/livez', '/readyz', '/metrics']
const json = 'application/json; charset=utf-8'

/**
 * Answers health requests. They use no token, so anyone may ask, and under any host name: probes use whatever name they
 * like.
 * @returns false if the request is for another path
 */
export function answerHealth(req: IncomingMessage, res: ServerResponse, path: string, health: SidecarHealth): boolean {
  if (!paths.includes(path) || (req.method !== 'GET' && req.method !== 'HEAD')) return false
  const { code, type = json, text } = answerOf(path, health)
  res.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  res.end(req.method === 'HEAD' ? undefined : text)
  return true
}

function answerOf(
  path: string,
  health: SidecarHealth
): { readonly code: number; readonly type?: string; readonly text: string } {
  if (path === '/metrics') return { code: 200, type: metricsType, text: health.metrics() }
  if (path === '/livez') return { code: 200, text: JSON.stringify({ status: 'ok' }) }
  const { code, body } = readiness(health)
  return { code, text: JSON.stringify(body) }
}

/** A stale policy or a baseline is still enforced; such a sidecar is ready, but reports the problem. */
function readiness({ status, isDraining }: SidecarHealth) {
  const { state, problem, fault, revision, ageMs } = status
  const hasPolicy = state !== 'unresolved' && state !== 'expired'
  const isReady = hasPolicy && !isDraining
  const word = isReady ? (state === 'fresh' ? 'ok' : 'degraded') : 'unavailable'
  const checks = { draining: isDraining ? 'stopping' : 'ok', policy: { state, problem, fault, revision, ageMs } }
  return { code: isReady ? 200 : 503, body: { status: word, checks } }
}
