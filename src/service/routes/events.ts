/** `POST /api/events`: accepts metadata-only events of sensors, one or many, and answers once they are on disk. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { ByteBudget } from '../../ingress/body/byte-budget.ts'
import { runInSteps } from '../../ingress/cooperative.ts'
import { asRefused, ClientGone, Refused } from '../../ingress/refusal/refused.ts'
import { errorEntry } from '../../protocol/error-catalogue.ts'
import type { EventRules } from '../../protocol/events/event.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { problem } from '../../protocol/problem.ts'
import { StoreError, type AppendBatch, type EventOutcome } from '../../store/store.ts'
import type { EventWriter } from '../../telemetry/event-writer.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { authenticate } from '../access.ts'
import { judgeBatch, type JudgedBatch } from '../ingest/judge-batch.ts'
import type { RateLimit } from '../ingest/rate-limit.ts'
import { readEvents, readFallback, readValidate, type EventLimits } from '../ingest/read-events.ts'
import { allFaults, codeOf, makeReceipt, type Receipt } from '../ingest/receipt.ts'
import { apiHeaders } from '../dashboard.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { problemTextType, writeProblem } from '../problem-answer.ts'
import type { SensorRegistry } from '../readings/sensors.ts'
import { requestIdOf, type Taker } from '../server.ts'
import type { Principal, TokenService } from '../tokens/tokens.ts'

export interface EventsDependencies {
  readonly tokens: TokenService
  readonly events: Pick<EventWriter, 'recordDurably'>
  readonly metrics: Pick<Metrics, 'add'>
  readonly lifecycle: Lifecycle
  readonly log: Pick<Logger, 'error'>
  readonly limits: EventLimits
  readonly rate: RateLimit
  readonly sensors: Pick<SensorRegistry, 'note'>
  /** Whether the database exceeds its size limit, with nothing left that may be dropped. */
  isStoreFull(): boolean
  readonly budget: ByteBudget
  readonly rules: Pick<EventRules, 'vocabularies' | 'scrub'>
}

const eventsPath = '/api/events'

/**
 * Handles sensors' requests on Node's own request and response. Most hold a single event, and a framework's work per
 * request would cost as much as everything that is done for the event.
 */
export function createEventIntake(to: EventsDependencies): Taker {
  return (req, res) => {
    if (req.method !== 'POST' || !isEventsUrl(req.url ?? '')) return false
    void answerEvents(req, res, requestIdOf(req), to)
    return true
  }
}

const isEventsUrl = (url: string): boolean =>
  url.startsWith(eventsPath) && (url.length === eventsPath.length || url[eventsPath.length] === '?')

/** Registers the route, and serves it if its path is written with escapes. */
export function registerEvents(app: FastifyInstance, to: EventsDependencies): void {
  app.post(eventsPath, (request, reply) => {
    reply.hijack()
    void answerEvents(request.raw, reply.raw, request.id, to)
  })
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** Never rejects. */
async function answerEvents(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  to: EventsDependencies
): Promise<void> {
  try {
    if (to.lifecycle.isDraining) throw new Refused('draining')
    void to.lifecycle.track(new Promise((resolve) => res.once('close', resolve)))
    const { status, headers, body } = await takeEvents(req, requestId, to)
    const text = JSON.stringify(body)
    res.writeHead(status, {
      ...apiHeaders,
      [responseHeaders.requestId]: requestId,
      ...headers,
      'content-length': Buffer.byteLength(text)
    })
    res.end(text)
  } catch (error) {
    if (error instanceof ClientGone) return
    const refused = asRefused(error)
    if (refused.code === 'internal_error') {
      to.log.error({ requestId, error: error instanceof Error ? error.name : typeof error }, 'request failed')
    }
    writeProblem(req, res, withJitter(refused), requestId)
  }
}

/** The cost of validating an event, in bytes of a body to scan. */
const bytesOfAnEvent = 512

async function takeEvents(req: IncomingMessage, requestId: string, to: EventsDependencies): Promise<Answer> {
  const principal = await authenticate(to.tokens, req.headers, 'events:write')
  const validate = readValidate(req.url ?? '')
  if (!validate && to.isStoreFull()) throw new Refused('store_full')
  const fallback = readFallback(req, requestId)
  // Checked before the body is read, so that sending too much is cheap to refuse, and again when the number of events
  // is known.
  take(principal, 0, to)
  const { candidates, base } = await readEvents(req, to.limits, to.budget, principal.tokenId)
  take(principal, candidates.length, to)
  const context = { principal, requestId, now: Date.now(), rules: { ...to.rules, fallback } }
  const judged = await runInSteps(
    judgeBatch(candidates, context),
    candidates.length * bytesOfAnEvent,
    () => req.destroyed && !req.complete,
    () => new ClientGone()
  )
  const outcomes = validate ? undefined : await store(judged.records, to)
  if (!validate) for (const heartbeat of judged.heartbeats) to.sensors.note(heartbeat, principal, context.now)
  const receipt = makeReceipt(judged.verdicts, outcomes)
  if (!validate) countEvents(receipt, to.metrics)
  if (judged.records.events.length + judged.heartbeats.length === 0) return refuseAll(requestId, judged, base, receipt)
  const { accepted, duplicates, rejected, results } = receipt
  const counts = validate ? { valid: results.length - rejected } : { accepted, duplicates }
  const status = rejected > 0 ? 207 : validate ? 200 : 202
  return { status, headers: jsonHeaders, body: { ...counts, rejected, results } }
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }

function take({ tokenId }: Principal, count: number, { rate }: EventsDependencies): void {
  const waitMs = rate.take(tokenId, count)
  if (waitMs === 0) return
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) }
  throw new Refused('rate_limited', { fill: { max: rate.perSecondMax }, headers })
}

async function store(records: AppendBatch, { events, metrics }: EventsDependencies): Promise<EventOutcome[]> {
  if (records.events.length === 0) return []
  try {
    return await events.recordDurably(records)
  } catch (error) {
    metrics.add('events', records.events.length, { outcome: 'refused' })
    if (!(error instanceof StoreError)) throw error
    if (error.code === 'overloaded') throw new Refused('overloaded')
    if (error.code === 'closed') throw new Refused('draining')
    throw new Refused('store_unavailable')
  }
}

function countEvents({ accepted, duplicates, rejected }: Receipt, metrics: EventsDependencies['metrics']): void {
  for (const [outcome, count] of Object.entries({ accepted, duplicate: duplicates, rejected })) {
    if (count > 0) metrics.add('events', count, { outcome })
  }
}

/** No event of the request is valid: a problem, with the receipt in it. */
function refuseAll(requestId: string, { verdicts }: JudgedBatch, base: string | undefined, receipt: Receipt): Answer {
  const errors = allFaults(verdicts, base)
  const { status, headers, body } = problem(codeOf(errors), { requestId, errors })
  return { status, headers: { ...headers, 'content-type': problemTextType }, body: { ...body, ...receipt } }
}

/** Senders refused together must not return together. */
function withJitter(refused: Refused): Refused {
  const { retryable, retryAfterS } = errorEntry(refused.code)
  if (!retryable || retryAfterS === undefined) return refused
  const given = Number(refused.details.headers?.['retry-after'] ?? retryAfterS)
  const headers = { ...refused.details.headers, 'retry-after': String(given + Math.floor(Math.random() * 4)) }
  return new Refused(refused.code, { ...refused.details, headers })
}
