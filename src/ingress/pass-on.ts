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

/** Relays `answer`. Never rejects. */
export async function passOn(
  answer: UpstreamAnswer,
  { res, requestId, headers }: AnswerTo,
  dialect: Dialect,
  record: CallRecord,
  client: Client
): Promise<void> {
  const isEventStream = (answer.headers['content-type'] ?? '').startsWith('text/event-stream')
  const usage = dialect.createUsageReader(isEventStream)
  res.writeHead(answer.status, {
    ...requestIdHeaders(requestId),
    ...clientHeaders(answer.headers),
    ...headers
  })
  if (isEventStream) res.flushHeaders()
  const { bytes, complete } = await relayAnswer(answer, res, {
    events: isEventStream,
    onChunk: (chunk) => usage.push(chunk),
    errorFrame: (error) => {
      const code = upstreamFailure(error)
      record.errorCode = code
      return dialect.streamError({ status: errorEntry(code).status, code, message: errorMessage(code), requestId })
    }
  })
  record.responseBytes = bytes
  record.usage = usage.result()
  record.outcome = complete ? 'forwarded' : client.isGone ? 'abandoned' : 'upstream_failed'
}
