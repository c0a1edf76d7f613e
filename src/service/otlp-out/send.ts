/** One request to the collector, and the meaning of its answer by the rules of OTLP over HTTP. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { request, type Dispatcher } from 'undici'
import type { EventsOtlpConfig } from '../../config/config.ts'
import { readHeaderList } from '../../config/values.ts'
import { retryAfterMs } from '../../timing/backoff.ts'
import { readAtMost } from '../../upstream/read-bounded.ts'

/**
 * `taken`: the collector has the records, except those that it rejected permanently. `too_large`: fewer would be
 * accepted. `bad_data`: one of them is invalid. `later`: not now, or there was no answer. `refused`: not until somebody
 * corrects the URL, the headers or the collector.
 */
export type SendOutcome =
  | { readonly kind: 'taken'; readonly rejected: number }
  | { readonly kind: 'too_large' | 'bad_data'; readonly reason: string }
  | Postponed

/** Nothing was accepted, and the same is to be sent again. */
export interface Postponed {
  readonly kind: 'later' | 'refused'
  /** A status, or an error code of the runtime. */
  readonly reason: string
  /** The wait that the collector asked for. */
  readonly waitMs?: number
}

export interface Sender {
  /** Never rejects. */
  send(records: ReadableLogRecord[], signal: AbortSignal): Promise<SendOutcome>
}

/** Collectors accept no more than a few megabytes at once. */
const bytesMax = 4 * 1024 * 1024
const answerBytesMax = 65_536
const deflate = promisify(gzip)

export function createSender(config: EventsOtlpConfig, dispatcher: Dispatcher): Sender {
  const isJson = config.protocol === 'http/json'
  const serializer = isJson ? JsonLogsSerializer : ProtobufLogsSerializer
  const headers = {
    ...(config.headers ? readHeaderList(config.headers.reveal()) : {}),
    'content-type': isJson ? 'application/json' : 'application/x-protobuf',
    'content-encoding': 'gzip'
  }
  return {
    async send(records, signal) {
      const bytes = serializer.serializeRequest(records)
      if (bytes === undefined || bytes.length > bytesMax) return { kind: 'too_large', reason: 'size' }
      try {
        const body = await deflate(bytes)
        const bound = AbortSignal.any([signal, AbortSignal.timeout(config.timeoutMs)])
        const answer = await request(config.url, { method: 'POST', dispatcher, headers, body, signal: bound })
        const receipt = await readAtMost(answer.body, answerBytesMax)
        const rejected = answer.statusCode < 300 ? rejectedOf(serializer, receipt) : 0
        return outcomeOf(answer.statusCode, answer.headers['retry-after'], rejected)
      } catch (error) {
        return { kind: 'later', reason: signal.aborted ? 'stopped' : reasonOf(error) }
      }
    }
  }
}

/** How many records the collector says it rejected; 0 if the answer is too large or not OTLP. */
function rejectedOf(
  serializer: Pick<typeof JsonLogsSerializer, 'deserializeResponse'>,
  bytes: Buffer | undefined
): number {
  if (bytes === undefined) return 0
  try {
    // In JSON, a 64-bit number is a string.
    const said: unknown = serializer.deserializeResponse(bytes).partialSuccess?.rejectedLogRecords
    const rejected = Number(said ?? 0)
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0
  } catch {
    return 0
  }
}

/** An error code of the runtime: the message may contain addresses. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : name === 'TimeoutError' ? 'timeout' : 'failed'
}

/** Statuses that concern the records; by the standard these are dropped and not sent again. */
const dataStatuses = [400, 422]
const tooLargeStatus = 413
const laterStatuses = [408, 425, 429]

/** @param retryAfter the header, in seconds or as a date; of several, the first counts */
export function outcomeOf(status: number, retryAfter: string | string[] | undefined, rejected = 0): SendOutcome {
  const reason = String(status)
  if (status >= 200 && status < 300) return { kind: 'taken', rejected }
  if (status === tooLargeStatus) return { kind: 'too_large', reason }
  if (dataStatuses.includes(status)) return { kind: 'bad_data', reason }
  if (status < 500 && !laterStatuses.includes(status)) return { kind: 'refused', reason }
  const waitMs = retryAfterMs([retryAfter].flat()[0], Date.now())
  return { kind: 'later', reason, ...(waitMs === undefined ? {} : { waitMs }) }
}
