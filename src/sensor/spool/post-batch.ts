/** One request with events to `POST /api/events`, and the meaning of its answer. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { Attempt } from '../../policy-stream/attempt.ts'
import { retryAfterMs } from '../../timing/backoff.ts'
import { connectionFault, isCertificateFault } from '../../protocol/connection-fault.ts'
import { requestHeaders } from '../../protocol/headers.ts'
import { readAtMost } from '../../upstream/read-bounded.ts'

/**
 * The outcome for a batch. `taken`: the service has every event, except those that it will never accept. `too_large`:
 * it (or, if `isOwn` is false, something in front of it) wants less at once. `not_compressed`: it wants no compression.
 * `refused`: the token is not valid. `not_found`: there is no such service. `later`: overloaded, stopping or failing.
 * `garbage`: the answer is not from the service. `unreachable`: no answer. `untrusted`: no answer, because of a
 * certificate. `stopped`: by the caller.
 */
export type PostOutcome =
  | { readonly kind: 'taken'; readonly rejected: readonly number[] }
  | { readonly kind: 'refused'; readonly status: 401 | 403 }
  | { readonly kind: 'too_large'; readonly isOwn: boolean }
  | { readonly kind: 'later'; readonly retryAfterMs: number | undefined }
  | {
      readonly kind: 'not_compressed' | 'not_found' | 'garbage' | 'unreachable' | 'untrusted' | 'stopped'
    }

interface PostOptions {
  /** The service's URL without a trailing slash. */
  readonly base: string
  readonly token: string
  readonly dispatcher: Dispatcher
  /** Timeout of a request, from its first byte to the last of the answer. */
  readonly timeoutMs: number
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly wallMs: () => number
}

/** A smaller body is not worth compressing. */
const gzipBytesMin = 1024
/** Far larger than any receipt for a batch. */
const answerBytesMax = 8 * 1024 * 1024

const compress = promisify(gzip)

/** Sends events. Never rejects. */
export async function postBatch(
  events: readonly string[],
  options: PostOptions & { readonly signal: AbortSignal; readonly isCompressed: boolean }
): Promise<PostOutcome> {
  const { base, token, dispatcher, timeoutMs, signal, wallMs } = options
  const attempt = new Attempt(signal, timeoutMs)
  try {
    const text = Buffer.from(events.join('\n') + '\n')
    const isCompressed = options.isCompressed && text.length >= gzipBytesMin
    const url = new URL(`${base}/api/events`)
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname,
      method: 'POST',
      signal: attempt.signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      headers: {
        ...options.headers,
        [requestHeaders.workspaceToken]: token,
        [requestHeaders.contentType]: 'application/x-ndjson',
        ...(isCompressed ? { [requestHeaders.contentEncoding]: 'gzip' } : {}),
        accept: 'application/json',
        'accept-encoding': 'identity'
      },
      body: isCompressed ? await compress(text) : text
    })
    const receipt = await readAtMost(answer.body, answerBytesMax)
    return judge(answer, events.length, receipt?.toString(), wallMs)
  } catch (error) {
    // The error's text could hold addresses; all that matters is that there was no answer.
    if (signal.aborted) return { kind: 'stopped' }
    return { kind: isCertificateFault(connectionFault(error)) ? 'untrusted' : 'unreachable' }
  } finally {
    attempt.end()
  }
}

function judge(
  { statusCode: status, headers }: Dispatcher.ResponseData,
  count: number,
  text: string | undefined,
  wallMs: () => number
): PostOutcome {
  const waitMs = retryAfterMs(headers['retry-after'], wallMs())
  if (status === 401 || status === 403) return { kind: 'refused', status }
  if (status === 413) return { kind: 'too_large', isOwn: typeof parsed(text)?.['code'] === 'string' }
  if (status === 415) return { kind: 'not_compressed' }
  if (status === 202 || status === 207 || status === 400) {
    const rejected = rejectedOf(text, count)
    return rejected === undefined ? { kind: 'garbage' } : { kind: 'taken', rejected }
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { kind: 'later', retryAfterMs: waitMs }
  return { kind: status >= 300 ? 'not_found' : 'garbage' }
}

/** An answer counts only if it lists every event of the batch: a proxy can also answer 202. */
function rejectedOf(text: string | undefined, count: number): number[] | undefined {
  const results = parsed(text)?.['results']
  if (!Array.isArray(results) || results.length !== count) return undefined
  const rejected: number[] = []
  for (const [place, result] of results.entries()) {
    const { index, status } = (result ?? {}) as { readonly index?: unknown; readonly status?: unknown }
    if (index !== place) return undefined
    if (status === 'rejected') rejected.push(place)
    else if (status !== 'accepted' && status !== 'duplicate') return undefined
  }
  return rejected
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text ?? '') as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
