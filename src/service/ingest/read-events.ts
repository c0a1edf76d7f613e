/** Reads the candidates in a request's body. */
import type { IncomingMessage } from 'node:http'
import type { ByteBudget } from '../../ingress/body/byte-budget.ts'
import { header } from '../../ingress/headers/labels.ts'
import { readBody, type BodyLimits } from '../../ingress/body/read-body.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { eventFormat, readEventBatch, type EventBatch } from '../../protocol/events/event-batch.ts'
import type { EventRules } from '../../protocol/events/event.ts'
import { entriesMax } from '../../protocol/events/content-keys.ts'
import { hasMoreValues } from '../../protocol/json-size.ts'
import { parseModelId, requestHeaders } from '../../protocol/headers.ts'

export interface EventLimits extends BodyLimits {
  /** Most events in one request. */
  readonly batchMax: number
}

/** More values than an event with all its fields and kinds has; a single event may have more, which are dropped. */
const valuesPerEvent = 100

/**
 * Reads a request's events.
 * @param holder whose share of the byte budget they take
 * @throws Refused 400, 408, 413, 415 or 503
 * @throws ClientGone
 */
export async function readEvents(
  req: IncomingMessage,
  limits: EventLimits,
  budget: ByteBudget,
  holder: string
): Promise<EventBatch & { readonly ok: true }> {
  const format = eventFormat(req.headers['content-type'] ?? '')
  if (format === undefined) throw new Refused('unsupported_media_type')
  const held = await readBody(req, limits, budget, holder)
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
 * Values from the headers, for fields that an event lacks.
 * @throws Refused for an over-long model id
 */
export function readFallback(req: IncomingMessage, requestId: string): NonNullable<EventRules['fallback']> {
  const clientSurface = header(req, requestHeaders.clientSurface)
  const modelProvider = header(req, requestHeaders.modelProvider)
  const modelId = parseModelId(header(req, requestHeaders.modelId))
  if (!modelId.ok) throw new Refused(modelId.code)
  return {
    requestId,
    ...(clientSurface ? { clientSurface } : {}),
    ...(modelProvider ? { modelProvider } : {}),
    ...(modelId.modelId === undefined ? {} : { modelId: modelId.modelId })
  }
}

/**
 * Whether the request only asks for validation.
 * @param url of the request
 * @throws Refused for any other parameter, since a misspelt `validate` would store what was only to be validated
 */
export function readValidate(url: string): boolean {
  // A fragment does not belong in a request; it is not a parameter either.
  const start = url.search(/[?#]/)
  if (start < 0) return false
  const [only, ...others] = new URLSearchParams(url.slice(start + 1))
  if (only === undefined) return false
  const [name, value] = only
  const isKnown = name === 'validate' && ['1', 'true', '0', 'false'].includes(value)
  if (isKnown && others.length === 0) return value === '1' || value === 'true'
  const message = 'The only query parameter is validate, given once: 1 or true to judge and store nothing, 0 or false.'
  throw new Refused('invalid_value', { faults: [{ path: '', code: 'invalid_value', message }] })
}
