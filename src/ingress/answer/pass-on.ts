/** Passes the upstream's answer to the client and records the outcome. */
import type { ServerResponse } from 'node:http'
import type { Dialect } from '../../dialects/dialect.ts'
import { Refused } from '../refusal/refused.ts'
import { errorEntry } from '../../protocol/error-catalogue.ts'
import type { CallRecord } from '../../telemetry/report.ts'
import { upstreamFailure } from '../../upstream/client.ts'
import type { UpstreamAnswer } from '../../upstream/exchange.ts'
import { requestIdHeaders } from '../refusal/answer.ts'
import type { ModelReader } from './model.ts'
import type { Client } from '../client.ts'
import { clientHeaders } from '../headers/forward-headers.ts'
import { relayAnswer } from './relay.ts'
import { restoreAnswer } from '../restore/answer.ts'
import { StreamRestorer } from '../restore/stream.ts'
import type { RestorePlan } from '../restore/text.ts'

interface AnswerTo {
  readonly res: ServerResponse
  readonly requestId: string
  /** Sluice's own headers for the answer. */
  readonly headers: Readonly<Record<string, string>>
}

/** How to pass an answer on. */
interface PassOnOptions {
  /** How long a client may leave a full socket unread before it counts as gone. */
  readonly stallTimeoutMs: number
  /** How long a stream may be silent before a keep-alive frame is sent. */
  readonly keepAliveMs: number
  /** Set if masked values are restored in the answer. */
  readonly restore?: RestorePlan | undefined
  /** Set if someone wants to know which model answered. */
  readonly modelReader?: ModelReader | undefined
}

/** Relays `answer` to the client. @throws ClientGone if the client leaves before any of it was passed on */
export async function passOn(
  upstreamAnswer: UpstreamAnswer,
  { res, requestId, headers }: AnswerTo,
  dialect: Dialect,
  record: CallRecord,
  client: Client,
  options: PassOnOptions
): Promise<void> {
  const isEncoded = ![undefined, 'identity'].includes(firstOf(upstreamAnswer.headers['content-encoding']))
  const contentType = firstOf(upstreamAnswer.headers['content-type']) ?? ''
  // A compressed stream cannot be parsed: it passes as bytes.
  const isEventStream = !isEncoded && /^text\/event-stream\b/i.test(contentType)
  const usage = dialect.createUsageReader(isEventStream)
  const restoring = isEncoded ? undefined : restoringOf(dialect, options.restore)
  const isRestored = !isEventStream && restoring !== undefined && /^application\/json\b/i.test(contentType)
  const answer = isRestored
    ? await restoreAnswer(upstreamAnswer, restoring.reader, restoring.plan, restoring.counts, () => client.isGone)
    : upstreamAnswer
  const head = { ...requestIdHeaders(requestId), ...clientHeaders(answer.headers), ...headers }
  // Our own error frame may end the stream, and restored values differ in length: the announced length no longer holds.
  if (isEventStream || isRestored) delete head['content-length']
  res.writeHead(answer.status, head)
  const restorer =
    isEventStream && restoring ? new StreamRestorer(restoring.reader, restoring.plan, restoring.counts) : undefined
  const events = isEventStream
    ? {
        errorFrame: (error: unknown) => brokenStream(error, dialect, requestId),
        keepAlive: { frame: dialect.keepAlive, afterMs: options.keepAliveMs },
        restorer
      }
    : undefined
  const { bytes, end, error } = await relayAnswer(answer, res, {
    events,
    stallTimeoutMs: options.stallTimeoutMs,
    onChunk: (chunk) => {
      if (isEncoded) return
      usage.push(chunk)
      options.modelReader?.push(chunk)
    }
  })
  record.responseBytes = bytes
  if (restoring) {
    restorer?.catchUp()
    record.entitiesRestored = restoring.counts.restored
    record.placeholdersLeft = restoring.counts.left
  }
  if (!isEncoded) record.usage = usage.result()
  const responseModel = options.modelReader?.result()
  if (responseModel !== undefined) record.responseModel = responseModel
  record.outcome = end === 'broken' && error instanceof Refused ? 'refused' : outcomes[end]
  if (end === 'broken') record.errorCode = breakOf(error).code
}

const outcomes = { complete: 'forwarded', broken: 'upstream_failed', left: 'abandoned' } as const

/** Why an answer is not complete that has begun: the upstream broke off, or this process ended the call. */
function breakOf(error: unknown): Refused {
  if (error instanceof Refused) return error
  return new Refused(upstreamFailure(error) === 'upstream_timeout' ? 'upstream_timeout' : 'upstream_failed')
}

/** The last frame of a stream that broke off. */
function brokenStream(error: unknown, dialect: Dialect, requestId: string): string {
  const refused = breakOf(error)
  const { code } = refused
  return dialect.streamError({ status: errorEntry(code).status, code, message: refused.sentence(requestId), requestId })
}

function restoringOf(dialect: Dialect, plan: RestorePlan | undefined) {
  const reader = plan && dialect.createAnswerReader?.()
  return reader && plan ? { reader, plan, counts: { restored: 0, left: 0 } } : undefined
}

/** The first value of a header that may have been sent more than once. */
function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
