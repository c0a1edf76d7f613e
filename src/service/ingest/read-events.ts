/** From a request to the candidates that its body holds. */
import type { FastifyRequest } from 'fastify'
import type { ByteBudget } from '../../ingress/byte-budget.ts'
import { header } from '../../ingress/labels.ts'
import { readBody, type BodyLimits } from '../../ingress/read-body.ts'
import { Refused } from '../../ingress/refused.ts'
import { eventFormat, readEventBatch, type EventBatch } from '../../protocol/event-batch.ts'
import type { EventRules } from '../../protocol/event.ts'
import { entriesMax } from '../../protocol/content-keys.ts'
import { hasMoreValues } from '../../protocol/json-size.ts'
import { parseModelId, requestHeaders } from '../../protocol/headers.ts'

export interface EventLimits extends BodyLimits {
  /** Most events in one request. */
  readonly batchMax: number
}

/** More than an event with all of its fields and kinds has; one event alone may have more, which are dropped. */
const valuesPerEvent = 100

/**
 * Reads a request's events.
 * @throws Refused 400, 408, 413, 415 or 503
 * @throws ClientGone
 */
export async function readEvents(
  request: FastifyRequest,
  limits: EventLimits,
  budget: ByteBudget
): Promise<EventBatch & { readonly ok: true }> {
  const format = eventFormat(request.headers['content-type'] ?? '')
  if (format === undefined) throw new Refused('unsupported_media_type')
  const held = await readBody(request.raw, limits, budget)
  try {
    const valuesMax = entriesMax + limits.batchMax * valuesPerEvent
    if (hasMoreValues(held.bytes, valuesMax)) throw new Refused('too_many_values', { fill: { max: valuesMax } })
    const batch = readEventBatch(held.bytes.toString('utf8'), format, limits.batchMax)
    if (batch.ok) return batch
    if ('tooMany' in batch) throw new Refused('too_many_events', { fill: { max: limits.batchMax } })
    throw new Refused(batch.fault.code, { faults: [batch.fault] })
  } finally {
    held.release()
  }
}

/**
 * What the headers say, for the fields that an event lacks.
 * @throws Refused for an over-long model id
 */
export function readFallback(request: FastifyRequest): NonNullable<EventRules['fallback']> {
  const clientSurface = header(request.raw, requestHeaders.clientSurface)
  const modelProvider = header(request.raw, requestHeaders.modelProvider)
  const modelId = parseModelId(header(request.raw, requestHeaders.modelId))
  if (!modelId.ok) throw new Refused(modelId.code)
  return {
    requestId: request.id,
    ...(clientSurface ? { clientSurface } : {}),
    ...(modelProvider ? { modelProvider } : {}),
    ...(modelId.modelId === undefined ? {} : { modelId: modelId.modelId })
  }
}

/**
 * Whether the request asks for a judgement alone.
 * @throws Refused for any other parameter, since a misspelt `validate` would store what was only to be judged
 */
export function readValidate(query: unknown): boolean {
  const { validate, ...rest } = (query ?? {}) as Readonly<Record<string, unknown>>
  const isKnown = validate === undefined || ['1', 'true', '0', 'false'].includes(validate as string)
  if (isKnown && Object.keys(rest).length === 0) return validate === '1' || validate === 'true'
  const message = 'The only query parameter is validate, given once: 1 or true to judge and store nothing, 0 or false.'
  throw new Refused('invalid_value', { faults: [{ path: '', code: 'invalid_value', message }] })
}
