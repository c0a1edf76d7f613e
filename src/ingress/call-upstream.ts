/** Sends the redacted call to the upstream and judges its answer before any of it reaches the client. */
import type { Dispatcher } from 'undici'
import { certificateRemedy, connectionFault, isCertificateFault, trustRemedy } from '../protocol/connection-fault.ts'
import type { CallRecord } from '../telemetry/report.ts'
import { upstreamFailure, type UpstreamFailure } from '../upstream/client.ts'
import { startExchange, type ExchangeUnderWay, type UpstreamAnswer } from '../upstream/exchange.ts'
import type { UpstreamPlaces } from '../upstream/places.ts'
import type { UpstreamTarget } from '../upstream/targets.ts'
import { noBytes } from './body/let-go.ts'
import type { RedactedBody } from './body/redact-body.ts'
import type { Client } from './client.ts'
import { headersBesideBody, upstreamHeaders } from './headers/forward-headers.ts'
import { peekAnswer } from './answer/peek.ts'
import { decodedError, repeatsCredential } from './answer/repeats.ts'
import { ClientGone, Refused, type RefusedDetails } from './refusal/refused.ts'

/** The connections to upstreams, and how calls share them. */
export interface UpstreamWay {
  readonly dispatcher: Dispatcher
  /** Shares the connections fairly among tokens. */
  readonly places: UpstreamPlaces
  /** How long a call may wait for an upstream connection. */
  readonly startTimeoutMs: number
}

export interface UpstreamCall {
  readonly query: ReadonlyMap<string, string>
  readonly headers: ReadonlyMap<string, string>
  readonly body: RedactedBody
}

/**
 * Makes the call.
 * @param client ends the call if it is over
 * @returns the answer with its body unread; includes the upstream's own error answers
 * @throws Refused 502 or 504 if there is no answer that may be passed on, or an upstream's error status without its text
 * @throws Refused if the process ends the call
 * @throws ClientGone
 */
export async function callUpstream(
  way: UpstreamWay,
  target: UpstreamTarget,
  call: UpstreamCall,
  record: CallRecord,
  client: Client
): Promise<UpstreamAnswer> {
  const started = performance.now()
  const { answer: arriving, end } = send(way, target, call, record.tokenId)
  client.whenOver(end)
  const answer = await arriving.catch((error: unknown) => {
    if (client.isGone) throw new ClientGone()
    if (error instanceof Refused) throw error
    record.outcome = 'upstream_failed'
    record.upstreamFault = connectionFault(error)
    const failure = upstreamFailure(error)
    throw new Refused(failure, detailsOf(failure, target, record))
  })
  record.upstreamMs = performance.now() - started
  record.upstreamStatus = answer.status
  // A vendor's 401 is about our credential and may repeat part of it; a redirect would lead to a host outside the
  // target table.
  if (answer.status === 401 && !target.isService) return refuse(answer, record, 'upstream_credentials')
  if (answer.status >= 300 && answer.status < 400)
    return refuse(answer, record, 'upstream_failed', { sentence: redirected(target, record.requestId) })
  return answer.status < 400 ? answer : await withoutCredential(answer, target, record)
}

function detailsOf(
  failure: UpstreamFailure,
  { isService }: UpstreamTarget,
  { requestId, upstreamFault }: CallRecord
): RefusedDetails {
  const remedy = isCertificateFault(upstreamFault) ? `Operator: ${certificateRemedy(upstreamFault)}.` : undefined
  if (isService) return { sentence: serviceFailure(failure, remedy, requestId) }
  // The catalogue's own message has more detail on private authorities.
  return remedy === undefined || remedy.includes(trustRemedy) ? {} : { remedy }
}

/** The sidecar's error if the service did not answer. */
function serviceFailure(failure: UpstreamFailure, remedy: string | undefined, requestId: string): string {
  const ways: Readonly<Record<UpstreamFailure, string>> = {
    upstream_unreachable: 'cannot be reached',
    upstream_untrusted: 'has a certificate that is not trusted here',
    upstream_timeout: 'did not answer in time',
    upstream_failed: 'broke off, or sent an answer that cannot be passed on',
    overloaded: 'has no free connection for this call'
  }
  const sentence = `The service that this sidecar forwards to ${ways[failure]}.`
  return [sentence, ...(remedy === undefined ? [] : [remedy]), `Request ID ${requestId}.`].join(' ')
}

/** A redirect is most often one from http to https, which stays until the address is changed. */
function redirected({ isService }: UpstreamTarget, requestId: string): string {
  const [who, setting] = isService
    ? ['The service that this sidecar forwards to', 'SERVICE_INGRESS_TARGET']
    : ['The upstream', 'its base address']
  return `${who} redirects elsewhere, which is not followed. Operator: set ${setting} to where it leads. Request ID ${requestId}.`
}

function refuse(
  answer: UpstreamAnswer,
  record: CallRecord,
  code: 'upstream_credentials' | 'upstream_failed',
  details: RefusedDetails = {}
): never {
  answer.dismiss()
  record.outcome = 'upstream_failed'
  throw new Refused(code, details)
}

/** Error bodies are short, and what a vendor says about a key is near their beginning. */
const errorBytesMax = 65_536

/** Passes an upstream's error on. If it repeats our credential, or may do so unseen, its text is replaced. */
async function withoutCredential(
  answer: UpstreamAnswer,
  target: UpstreamTarget,
  record: CallRecord
): Promise<UpstreamAnswer> {
  if (!target.credential) return answer
  const peeked = await peekAnswer(answer, errorBytesMax)
  const said = decodedError(peeked.beginning, answer.headers['content-encoding'])
  const isRepeated = said !== undefined && repeatsCredential(said, target.credential.secret.reveal())
  if (said && !isRepeated) return peeked.answer
  // The service never does: whatever is at its address is something else.
  if (target.isService) {
    return refuse(peeked.answer, record, 'upstream_failed', detailsOf('upstream_failed', target, record))
  }
  const { status, headers } = answer
  if (isRepeated && status === 403) return refuse(peeked.answer, record, 'upstream_credentials')
  // A client decides by the status and these headers whether and when to call again.
  return refuse(peeked.answer, record, 'upstream_failed', {
    status,
    headers: headersBesideBody(headers),
    sentence: `The upstream answered with status ${status}. Its text is withheld, since it repeats the API key of the call or cannot be read. Request ID ${record.requestId}.`
  })
}

/** Takes the bytes out of the body, so that nothing that waits for the answer keeps them alive. */
function send(
  { dispatcher, places, startTimeoutMs }: UpstreamWay,
  target: UpstreamTarget,
  { query, headers, body }: UpstreamCall,
  tokenId: string
): ExchangeUnderWay {
  const { bytes, stream } = body
  body.bytes = noBytes
  const request = {
    origin: target.origin,
    path: query.size > 0 ? `${target.path}?${new URLSearchParams([...query])}` : target.path,
    method: target.method,
    headers: upstreamHeaders(target, headers, { length: bytes.length, stream }),
    body: target.method === 'POST' ? bytes : null
  }
  return startExchange(dispatcher, request, startTimeoutMs, (start) => places.enter(target.origin, tokenId, start))
}
