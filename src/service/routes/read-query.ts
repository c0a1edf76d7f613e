/** Query strings of the reading endpoints: known names, each once, each with its rule. */
import { z } from 'zod'
import { nearestName } from '../../policy/lint/nearest-name.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { isUuid } from '../../protocol/headers.ts'
import type { Fault } from '../../protocol/problem.ts'
import { rowsMax } from '../../store/store.ts'

const spanMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const spanPattern = /^(\d{1,6})([smhd])$/
const timeRule = 'must be a time of RFC 3339 with a zone (2027-01-31T12:00:00Z) or a span back from now (15m, 24h, 7d)'

/**
 * A point in time as people write it.
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970, or undefined if it is invalid
 */
export function readTime(text: string, now: number): number | undefined {
  const span = spanPattern.exec(text)
  if (span) return now - Number(span[1]) * (spanMs[span[2] as string] as number)
  const parsed = z.iso.datetime({ offset: true }).safeParse(text)
  return parsed.success ? Date.parse(text) : undefined
}

const text = (lengthMax: number) =>
  z
    .string('must be given once')
    .min(1, 'must not be empty')
    .max(lengthMax, `must have at most ${lengthMax} characters`)
    // None is in what is asked for, and one store of two cannot even be asked.
    .regex(/^\P{Cc}*$/u, 'must have no control characters')

/** Rules that several endpoints share. */
export const queryRules = {
  text,
  time: z
    .string('must be given once')
    .refine((value) => readTime(value, 0) !== undefined, timeRule)
    .transform((value) => readTime(value, Date.now()) as number)
    .optional(),
  uuid: z
    .string('must be given once')
    .refine(isUuid, 'must be a UUID')
    .transform((value) => value.toLowerCase())
    .optional(),
  limit: z
    .string('must be given once')
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= rowsMax, `must be from 1 to ${rowsMax}`)
    .default(100),
  order: z.enum(['newest', 'oldest'], 'must be newest or oldest').optional(),
  cursor: text(200).optional()
}

/**
 * Reads a query string.
 * @throws Refused `invalid_value` that names each parameter and its rule, and the nearest known name for an unknown one
 */
export function readQuery<Shape extends z.ZodRawShape>(shape: Shape, query: unknown): z.output<z.ZodObject<Shape>> {
  const given = (query ?? {}) as Record<string, unknown>
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape, name))
  const parsed = z.object(shape).safeParse(given)
  if (parsed.success && unknown.length === 0 && !isBackwards(parsed.data)) return parsed.data
  const issues = parsed.error?.issues ?? []
  const faults = [
    ...unknown.map((name) => unknownParameter(name, Object.keys(shape))),
    ...issues.map(({ path, message }) => fault(String(path[0]), message)),
    ...(parsed.success && isBackwards(parsed.data) ? [fault('from', 'must not lie after to')] : [])
  ]
  throw new Refused('invalid_value', { faults })
}

/**
 * Whether a time range ends before it begins: nothing can be in it, and an empty page would suggest that nothing
 * happened.
 */
function isBackwards({ from, to }: { readonly from?: unknown; readonly to?: unknown }): boolean {
  return typeof from === 'number' && typeof to === 'number' && from > to
}

const fault = (name: string, rule: string): Fault => ({
  path: `/${name}`,
  code: 'invalid_value',
  message: `The query parameter ${name} ${rule}.`
})

function unknownParameter(name: string, known: readonly string[]): Fault {
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${nearest}?`
  return { path: '', code: 'invalid_value', message: `A query parameter is not known. ${hint}` }
}
