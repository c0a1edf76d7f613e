/** Sends the redacted call up and judges what comes back before any of it reaches the client. */
import type { Dispatcher } from 'undici'
import type { CallRecord } from '../telemetry/report.ts'
import { upstreamFailure } from '../upstream/client.ts'
import type { UpstreamTarget } from '../upstream/targets.ts'
import { upstreamHeaders } from './forward-headers.ts'
import { ClientGone, Refused } from './refused.ts'

export interface UpstreamCall {
  readonly query: ReadonlyMap<string, string>
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: Uint8Array
  readonly stream: boolean
}

/**
 * Makes the call.
 * @param gone ends the call when the client leaves
 * @returns the answer, its body not yet read; the upstream's own refusals included
 * @throws Refused 502 or 504 when there is no answer that may be passed on
 * @throws ClientGone
 */
export async function callUpstream(
  dispatcher: Dispatcher,
  target: UpstreamTarget,
  call: UpstreamCall,
  record: CallRecord,
  gone: AbortSignal
): Promise<Dispatcher.ResponseData> {
  const started = performance.now()
  const answer = await send(dispatcher, target, call, gone).catch((error: unknown) => {
    if (gone.aborted) throw new ClientGone()
    record.outcome = 'upstream_failed'
    throw new Refused(upstreamFailure(error))
  })
  record.upstreamMs = performance.now() - started
  record.upstreamStatus = answer.statusCode
  // A vendor's 401 speaks of our credential and may echo a part of it; a redirect would lead past the target table.
  const isUnusable = answer.statusCode === 401 || (answer.statusCode >= 300 && answer.statusCode < 400)
  if (!isUnusable) return answer
  answer.body.dump().catch(() => undefined)
  record.outcome = 'upstream_failed'
  throw new Refused(answer.statusCode === 401 ? 'upstream_credentials' : 'upstream_failed')
}

function send(
  dispatcher: Dispatcher,
  target: UpstreamTarget,
  { query, headers, bytes, stream }: UpstreamCall,
  gone: AbortSignal
): Promise<Dispatcher.ResponseData> {
  return dispatcher.request({
    origin: target.origin,
    path: query.size > 0 ? `${target.path}?${new URLSearchParams([...query])}` : target.path,
    method: 'POST',
    headers: upstreamHeaders(target, headers, { length: bytes.length, stream }),
    body: bytes,
    signal: gone
  })
}
