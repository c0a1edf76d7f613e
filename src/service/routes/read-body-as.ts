/** Small JSON bodies, validated by their schemas. */
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Refused } from '../../ingress/refusal/refused.ts'
import type { Fault } from '../../protocol/problem.ts'
import { readJsonObject, type JsonReader } from './read-json.ts'

/**
 * Reads and validates a body.
 * @throws Refused `invalid_value` with the places and the rules, and what {@link readJsonObject} throws
 */
export async function readBodyAs<Schema extends z.ZodType>(
  schema: Schema,
  request: FastifyRequest,
  to: JsonReader
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await readJsonObject(request, to))
  if (parsed.success) return parsed.data
  throw new Refused('invalid_value', { faults: parsed.error.issues.map(fault) })
}

/** The schema's own sentences name rules, except the one about unknown keys, which would repeat the client's text. */
function fault({ code, path, message }: z.core.$ZodIssue): Fault<string> {
  const pointer = path.map((step) => `/${String(step)}`).join('')
  if (code === 'unrecognized_keys') {
    return { path: pointer, code: 'unknown_key', message: 'The body has a key that this endpoint does not take.' }
  }
  const rule = message.replace(/\.$/, '')
  return { path: pointer, code: 'invalid_value', message: `${pointer === '' ? 'The body' : pointer} ${rule}.` }
}
