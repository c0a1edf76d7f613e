/** Passes the upstream's answer to the client and notes in the record how that went. */
import type { ServerResponse } from 'node:http'
import type { Dialect } from '../dialects/dialect.ts'
import { errorEntry, errorMessage } from '../protocol/error-catalogue.ts'
import type { CallRecord } from '../telemetry/report.ts'
import { upstreamFailure } from '../upstream/client.ts'
import type { UpstreamAnswer } from '../upstream/exchange.ts'
import { requestIdHeaders } from './answer.ts'
import type { Client } from './client.ts'
import { clientHeaders } from './forward-headers.ts'
import { relayAnswer } from './relay.ts'

export interface AnswerTo {
  readonly res: ServerResponse
  readonly requestId: string
  /** Headers of ours that the answer carries. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Relays `answer`. Never rejects.
 * @param stallTimeoutMs how long a client may leave a full socket unread before it counts as gone
 */
export async function passOn(
  answer: UpstreamAnswer,
  { res, requestId, headers }: AnswerTo,
  dialect: Dialect,
  record: CallRecord,
  client: Client,
  stallTimeoutMs: number
): Promise<void> {
  const isEncoded = ![undefined, 'identity'].includes(firstOf(answer.headers['content-encoding']))
  // An encoded stream cannot be looked into: it passes as bytes.
  const isEventStream = !isEncoded && /^text\/event-stream\b/i.test(firstOf(answer.headers['content-type']) ?? '')
  const usage = dialect.createUsageReader(isEventStream)
  const head = { ...requestIdHeaders(requestId), ...clientHeaders(answer.headers), ...headers }
  // A stream may end in an error frame of ours, so no length that the upstream announced holds.
  if (isEventStream) delete head['content-length']
  res.writeHead(answer.status, head)
  if (isEventStream) res.flushHeaders()
  const { bytes, complete } = await relayAnswer(answer, res, {
    events: isEventStream,
    stallTimeoutMs,
    onChunk: (chunk) => {
      if (!isEncoded) usage.push(chunk)
    },
    errorFrame: (error) => {
      const code = upstreamFailure(error) === 'upstream_timeout' ? 'upstream_timeout' : 'upstream_failed'
      record.errorCode = code
      return dialect.streamError({ status: errorEntry(code).status, code, message: errorMessage(code), requestId })
    }
  })
  record.responseBytes = bytes
  if (!isEncoded) record.usage = usage.result()
  record.outcome = complete ? 'forwarded' : client.isGone ? 'abandoned' : 'upstream_failed'
}

/** A header that came twice is a list; the first one counts. */
function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
