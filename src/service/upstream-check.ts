/** Asks each upstream for its models, which is free, and describes the result. */
import type { Dispatcher } from 'undici'
import { modelsPath } from '../protocol/ingress-routes.ts'
import type { UpstreamCheckBody, UpstreamState } from '../protocol/api/system-schema.ts'
import { certificateRemedy, connectionFault, isCertificateFault } from '../protocol/connection-fault.ts'
import { proxyRemedy } from '../config/web-proxy.ts'
import { upstreamFailure } from '../upstream/client.ts'
import { credentialValue, type UpstreamTarget, type UpstreamTargets } from '../upstream/targets.ts'

type Checked = UpstreamCheckBody['upstreams'][number]

export const checkedUpstreams = ['chat', 'messages'] as const

const timeoutMs = 10_000
const keyOf = { chat: 'UPSTREAM_CHAT_API_KEY', messages: 'UPSTREAM_MESSAGES_API_KEY' } as const
const baseOf = { chat: 'UPSTREAM_CHAT_API_BASE', messages: 'UPSTREAM_MESSAGES_API_BASE' } as const
type Name = (typeof checkedUpstreams)[number]

/** Never rejects: the upstream's answer, or its absence, is the result. Times in milliseconds. */
export async function checkUpstreams(targetOf: UpstreamTargets, dispatcher: Dispatcher): Promise<Checked[]> {
  return await Promise.all(
    checkedUpstreams.map(async (dialect) => {
      const target = targetOf({ route: modelsPath, method: 'GET', upstream: dialect })
      const about = describeUpstream(dialect, target)
      if (!target.configured) {
        const message = `No key is set: its routes answer 503. Set ${keyOf[dialect]}.`
        return { ...about, state: 'not_configured', status: null, ms: null, message } as const
      }
      const startedAt = performance.now()
      const { status, failure, fault } = await ask(target, dispatcher)
      const ms = status === null ? null : Math.round(performance.now() - startedAt)
      const state = failure ?? stateOf(status)
      return { ...about, state, status, ms, message: sentence(state, status, target, fault) }
    })
  )
}

/** What may be said about a target: never the key, only whether there is one. */
export const describeUpstream = (dialect: Name, target: UpstreamTarget) => ({
  dialect,
  origin: target.origin,
  hasKey: target.credential !== undefined
})

async function ask(
  { origin, path, credential }: UpstreamTarget,
  dispatcher: Dispatcher
): Promise<{ readonly status: number | null; readonly failure?: UpstreamState; readonly fault?: string | undefined }> {
  try {
    const answer = await dispatcher.request({
      origin,
      path,
      method: 'GET',
      headers: {
        accept: 'application/json',
        'anthropic-version': '2023-06-01',
        ...(credential ? { [credential.header]: credentialValue(credential) } : {})
      },
      signal: AbortSignal.timeout(timeoutMs)
    })
    await answer.body.dump({ limit: 65_536 }).catch(() => {})
    return { status: answer.statusCode }
  } catch (error) {
    const isLate =
      (error as { name?: unknown }).name === 'TimeoutError' || upstreamFailure(error) === 'upstream_timeout'
    const isAway = upstreamFailure(error) === 'upstream_unreachable'
    const fault = connectionFault(error)
    return { status: null, fault, failure: isLate ? 'timeout' : isAway ? 'unreachable' : 'failed' }
  }
}

function stateOf(status: number | null): UpstreamState {
  if (status === 401 || status === 403) return 'credentials'
  // Private deployments often list no models; all that matters is that they answer.
  return status !== null && (status < 400 || status === 404 || status === 405) ? 'ok' : 'failed'
}

function sentence(
  state: UpstreamState,
  status: number | null,
  { upstream, origin }: UpstreamTarget,
  fault: string | undefined
): string {
  const viaProxy = proxyRemedy(process.env, origin)
  const reason = fault === undefined ? '' : ` (${fault})`
  switch (state) {
    case 'ok':
      return status !== null && status >= 400
        ? 'It responds but lists no models, so the key was not tested.'
        : 'It responds and accepts the key.'
    case 'credentials':
      return `It responds but rejects the key. Check ${keyOf[upstream]}.`
    case 'unreachable':
      return `It cannot be reached${reason}. Check ${baseOf[upstream]}, DNS and the network${viaProxy}.`
    case 'timeout':
      return `It did not answer within ${timeoutMs / 1000} seconds. Check ${baseOf[upstream]} and the network${viaProxy}.`
    case 'not_configured':
    case 'untried':
      return 'It was not checked.'
    case 'failed':
      if (status !== null) return `It responds with status ${status}.`
      return isCertificateFault(fault)
        ? `Its certificate is not trusted${reason}: ${certificateRemedy(fault)}.`
        : `The connection broke off${reason}. Check ${baseOf[upstream]}${viaProxy}.`
  }
}
