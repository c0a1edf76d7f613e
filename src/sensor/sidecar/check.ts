/** `sluice sidecar --check`: tries a sidecar's configuration against the service. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Check } from '../../config/check.ts'
import { fileHint } from '../../config/file-hint.ts'
import { makeFolder } from '../../config/make-folder.ts'
import type { Dispatcher } from 'undici'
import type { SidecarConfig } from '../../config/sidecar.ts'
import { proxyRemedy } from '../../config/web-proxy.ts'
import { verifyRevision } from '../../policy-stream/judge.ts'
import type { PolicyFrame } from '../../policy-stream/subscriber.ts'
import { serviceBase } from '../../policy-stream/service-base.ts'
import { trafficDetectors } from '../../detection/detectors/traffic.ts'
import { certificateRemedy, connectionFault, isCertificateFault } from '../../protocol/connection-fault.ts'
import { requestHeaders } from '../../protocol/headers.ts'
import { formatSidecarHeader } from '../../protocol/sidecar-header.ts'
import { createUpstreamDispatcher } from '../../upstream/client.ts'
import { readBounded } from '../../upstream/read-bounded.ts'
import { placeholderDigest } from '../placeholder-digest.ts'
import { compileFrame } from './policy.ts'

const answerTimeoutMs = 10_000
const answerBytesMax = 8 * 1024 * 1024

interface Answered {
  readonly status: number
  readonly body: unknown
}

/** No answer in time, or no connection. */
interface Unanswered {
  readonly status: undefined
  readonly body: undefined
  /** The cause, as named by the system or TLS: `ECONNREFUSED`. */
  readonly fault: string | undefined
}

/** Checks everything that a sidecar needs. Never rejects; stores nothing at the service. */
export async function checkSidecar(config: SidecarConfig): Promise<readonly Check[]> {
  const dispatcher = createUpstreamDispatcher(config)
  try {
    const ask = asking(config, dispatcher)
    const data = await checkDataDir(config.dataDir)
    const target = checkTarget(config.target, await ask('GET', '/livez', { [requestHeaders.sidecar]: probe }))
    if (!target.isGood) return [data, target]
    const policy = await ask('GET', '/api/workspace/policy', withToken(config))
    const token = checkToken(policy)
    if (!token.isGood) return [data, target, token]
    const events = checkEvents(
      await ask('POST', '/api/events?validate=1', withToken(config), { kind: 'sidecar_check' })
    )
    return [data, target, token, events, checkPolicy(policy, config)]
  } finally {
    await dispatcher.destroy()
  }
}

/** A sidecar at the target recognises another sidecar by this header, and refuses. */
const probe = formatSidecarHeader({ action: 'allow', riskTier: 'none', entitiesMasked: 0, entityCounts: {} })

const withToken = ({ token }: SidecarConfig): Record<string, string> => ({
  [requestHeaders.workspaceToken]: token.reveal()
})

type Ask = (
  method: 'GET' | 'POST',
  path: string,
  headers: Record<string, string>,
  body?: object
) => Promise<Answered | Unanswered>

function asking(config: SidecarConfig, dispatcher: Dispatcher): Ask {
  const { origin, pathname } = new URL(serviceBase(config.target))
  const base = pathname.replace(/\/$/, '')
  return async (method, path, headers, body) => {
    try {
      const answer = await dispatcher.request({
        origin,
        path: base + path,
        method,
        headers: { ...headers, ...(body ? { [requestHeaders.contentType]: 'application/json' } : {}) },
        body: body ? JSON.stringify(body) : null,
        headersTimeout: answerTimeoutMs,
        bodyTimeout: answerTimeoutMs,
        signal: AbortSignal.timeout(answerTimeoutMs)
      })
      return { status: answer.statusCode, body: parsed(String(await readBounded(answer.body, answerBytesMax))) }
    } catch (error) {
      return { status: undefined, body: undefined, fault: connectionFault(error) }
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unreached(fault: string | undefined, target: string): string {
  const reason = fault === undefined ? '' : ` (${fault})`
  if (fault === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return `what listens there does not speak TLS${reason}: set SERVICE_INGRESS_TARGET to an http address`
  return isCertificateFault(fault)
    ? `the certificate of the service is not trusted${reason}: ${certificateRemedy(fault)}`
    : `the service cannot be reached${reason}: check SERVICE_INGRESS_TARGET and whether it runs${proxyRemedy(process.env, target)}`
}

function checkTarget(target: string, answered: Answered | Unanswered): Check {
  const name = 'target'
  if (answered.status === undefined) return { name, isGood: false, sentence: unreached(answered.fault, target) }
  if (answered.status === 508)
    return { name, isGood: false, sentence: 'this is a sidecar; use the address of the service' }
  if (answered.status >= 300 && answered.status < 400)
    return {
      name,
      isGood: false,
      sentence: `it redirects elsewhere (${answered.status}); use the address where it leads`
    }
  const isService = answered.status === 200 && (answered.body as { status?: unknown } | undefined)?.status === 'ok'
  return isService
    ? { name, isGood: true, sentence: 'the service is reachable' }
    : {
        name,
        isGood: false,
        sentence: `the answer is not from the service, or the service is failing (${answered.status}): check SERVICE_INGRESS_TARGET`
      }
}

function checkToken(answered: Answered | Unanswered): Check {
  const name = 'token'
  const code = (answered.body as { code?: unknown } | undefined)?.code
  const sentences: Readonly<Record<string, string>> = {
    expired_token: 'the token has expired',
    revoked_token: 'the token has been revoked',
    invalid_token: 'the service does not know the token',
    missing_scope: 'the token lacks the scope policy:read'
  }
  if (answered.status === 200) return { name, isGood: true, sentence: 'the service accepts the token' }
  const known = typeof code === 'string' ? sentences[code] : undefined
  const status = answered.status ?? 'no answer'
  return { name, isGood: false, sentence: known ?? `the service returns no policy for the token (${status})` }
}

function checkEvents(answered: Answered | Unanswered): Check {
  return answered.status === 200
    ? { name: 'events', isGood: true, sentence: 'events are accepted' }
    : { name: 'events', isGood: false, sentence: 'events are not accepted; the token needs the scope events:write' }
}

function checkPolicy(answered: Answered | Unanswered, config: SidecarConfig): Check {
  const name = 'policy'
  const frame = answered.body as PolicyFrame
  try {
    if (!verifyRevision(frame)) return { name, isGood: false, sentence: 'the revision does not match its documents' }
    const { profile, restore } = compileFrame(frame, {
      digest: placeholderDigest(config.token.reveal()),
      detectors: trafficDetectors
    })
    const restores = restore === undefined ? 'answers are not restored' : 'answers are restored here'
    const answers = profile.blockAs === 'refusal' ? 'a block is sent as an answer' : 'a block is a 403'
    return { name, isGood: true, sentence: `revision ${frame.revision} would be enforced; ${restores}; ${answers}` }
  } catch {
    return { name, isGood: false, sentence: 'this version cannot use the policy of the service' }
  }
}

async function checkDataDir(dataDir: string): Promise<Check> {
  const name = 'data'
  try {
    await makeFolder(dataDir)
    await access(dataDir, constants.W_OK)
    return { name, isGood: true, sentence: `${dataDir} is writable` }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return {
      name,
      isGood: false,
      sentence: `${dataDir} is not writable (${code}): the policy is lost at a restart.${fileHint(code)}`
    }
  }
}
