/** JSON bodies of the administrative endpoints. */
import type { FastifyRequest } from 'fastify'
import type { ByteBudget } from '../../ingress/body/byte-budget.ts'
import { atLeisure } from '../../ingress/cooperative.ts'
import { readBody, type BodyLimits } from '../../ingress/body/read-body.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { policyBounds } from '../../policy/bounds.ts'
import { isUtf8 } from '../../protocol/charset.ts'
import { hasMoreValues } from '../../protocol/json-size.ts'

export interface JsonReader {
  readonly limits: BodyLimits
  readonly budget: ByteBudget
}

/** A body that is parsed in a fraction of a millisecond is parsed at once. */
const atOnceBytesMax = 32_768
/** Two documents at their limits, and a few other values. */
const valuesMax = 2 * policyBounds.valuesMax + 100

/**
 * Reads a body as a JSON object.
 * @throws Refused 400, 408, 413, 415, 503
 */
export async function readJsonObject(request: FastifyRequest, to: JsonReader): Promise<Record<string, unknown>> {
  const contentType = request.headers['content-type'] ?? ''
  const isJson = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(contentType) && isUtf8(contentType)
  if (!isJson) throw new Refused('unsupported_media_type')
  const held = await readBody(request.raw, to.limits, to.budget)
  try {
    if (held.bytes.length > atOnceBytesMax) await atLeisure()
    if (hasMoreValues(held.bytes, valuesMax)) throw new Refused('too_many_values', { fill: { max: valuesMax } })
    const value = parsed(held.bytes)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refused('invalid_body')
    return value as Record<string, unknown>
  } finally {
    held.release()
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Refused('invalid_json')
  }
}
