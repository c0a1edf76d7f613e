/**
 * Validates one sensor event. The result is either an event that can be stored, or all of its faults at once. The
 * events of arrays and NDJSON are validated one by one with the same function.
 */
import { entriesMax, findContentKey } from './content-keys.ts'
import { errorMessage, isErrorCode, type ErrorCode } from '../error-catalogue.ts'
import {
  eventFields,
  eventSchema,
  reservedKinds,
  scrubbedFields,
  toolCallKind,
  type SensorEvent
} from './event-schema.ts'
import { readPlainEvent } from './plain-event.ts'
import type { Fault } from '../problem.ts'
import { platformPattern, resolveLabel, unknownLabel, type Vocabularies } from '../vocabularies.ts'

export type { SensorEvent } from './event-schema.ts'

export interface EventRules {
  readonly vocabularies: Vocabularies
  /** Replaces what a scan finds in a text by its kind. Must return the same text if nothing is found. */
  readonly scrub: (text: string) => string
  /** Values of the request's headers, for fields that the event lacks. */
  readonly fallback?: Partial<Pick<SensorEvent, 'clientSurface' | 'modelProvider' | 'modelId' | 'requestId'>>
}

type JudgedEvent =
  | { readonly ok: true; readonly event: SensorEvent; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** Most unknown fields that warnings and pointers name individually. */
const namedMax = 10

/**
 * Validates an event.
 * @param body one parsed JSON value
 * @returns the event with its warnings, or its faults with JSON pointers that start at the event
 */
export function judgeEvent(body: unknown, rules: EventRules): JudgedEvent {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse([{ path: '', code: 'invalid_body', message: 'An event must be a JSON object.' }])
  }
  const content = findContentKey(body, eventFields)
  if (content.found) {
    const path = pointer(content.found, rules.scrub)
    return refuse([{ path, code: 'content_not_accepted', message: errorMessage('content_not_accepted') }])
  }
  if (content.isTooLarge) {
    const message = `An event has at most ${entriesMax} keys and list entries.`
    return refuse([{ path: '', code: 'too_many_values', message }])
  }
  const judged = readPlainEvent(body as Readonly<Record<string, unknown>>, rules.fallback ?? {})
  const fields = judged ? {} : knownFields(body, rules.fallback)
  const parsed = judged ? { success: true as const, data: judged } : eventSchema.safeParse(fields)
  if (!parsed.success) return refuse(parsed.error.issues.map((issue) => toFault(issue, fields)))
  // Created for this call, so it can be scrubbed in place.
  const event = parsed.data
  if (reservedKinds.has(event.kind)) {
    return refuse([{ path: '/kind', code: 'reserved_kind', message: errorMessage('reserved_kind') }])
  }
  if (rules.scrub(event.kind) !== event.kind) {
    return refuse([
      { path: '/kind', code: 'invalid_value', message: '/kind must name a kind of event and hold no value.' }
    ])
  }
  const warnings = [...unknownFieldWarnings(body, rules.scrub), ...kindWarnings(event)]
  scrub(event, rules.scrub)
  settleLabels(event, rules.vocabularies, warnings)
  return { ok: true, event, warnings }
}

function refuse(faults: readonly Fault[]): JudgedEvent {
  return { ok: false, faults }
}

/**
 * The allowed fields of a body, which take precedence over the headers. Many serialisers write `null` for an absent
 * field.
 */
function knownFields(body: object, fallback: EventRules['fallback'] = {}): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fallback)) if (value !== undefined) fields[key] = value
  for (const [key, value] of Object.entries(body))
    if (value !== null && value !== undefined && eventFields.has(key)) fields[key] = value
  return fields
}

/** Names the field and the rule. The path ends at the field, since deeper keys are the sender's own words. */
function toFault(
  issue: { path: readonly PropertyKey[]; message: string; params?: object | undefined },
  fields: object
): Fault {
  const [field = ''] = issue.path
  const path = `/${String(field)}`
  if (!Object.hasOwn(fields, field)) return { path, code: 'missing_field', message: `${path} is missing.` }
  const wanted = issue.params && 'code' in issue.params ? issue.params.code : undefined
  const code: ErrorCode = typeof wanted === 'string' && isErrorCode(wanted) ? wanted : 'invalid_value'
  return { path, code, message: `${path} ${issue.message}.` }
}

function kindWarnings(event: SensorEvent): string[] {
  if (event.kind !== toolCallKind) return []
  return (['action', 'mcpToolName'] as const)
    .filter((field) => event[field] === undefined)
    .map((field) => `An event of kind ${toolCallKind} should have ${field}.`)
}

function unknownFieldWarnings(body: object, scrub: EventRules['scrub']): string[] {
  const unknown = Object.keys(body).filter((key) => !eventFields.has(key))
  if (unknown.length === 0) return unknown
  const named = unknown.slice(0, namedMax).filter((key) => isSpeakable(key, scrub))
  const rest = unknown.length - named.length
  return [
    ...named.map((key) => `The field ${key} is not known and was dropped.`),
    ...(rest > 0 ? [`Fields that are not known were dropped: ${rest}${named.length > 0 ? ' more' : ''}.`] : [])
  ]
}

/** Whether a key may be repeated to its sender: only if it looks like a field name and a scan finds nothing in it. */
function isSpeakable(key: string, scrub: EventRules['scrub']): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(key) && scrub(key) === key
}

/**
 * A JSON pointer in which keys that may not be repeated are written as `*`, and the middle of a long path is omitted.
 */
function pointer(keys: readonly string[], scrub: EventRules['scrub']): string {
  const shown = keys.length <= namedMax ? keys : [...keys.slice(0, namedMax - 2), '*', keys.at(-1) as string]
  return shown.map((key) => `/${/^[0-9]{1,9}$/.test(key) || isSpeakable(key, scrub) ? key : '*'}`).join('')
}

function scrub(event: SensorEvent, clean: EventRules['scrub']): void {
  for (const field of scrubbedFields) {
    const text = event[field]
    if (text !== undefined) event[field] = clean(text)
  }
  if (event.tools) event.tools = event.tools.map((tool) => ({ ...tool, name: clean(tool.name) }))
  if (event.entityCounts) event.entityCounts = mergeCounts(event.entityCounts, clean)
  for (const field of ['eventId', 'requestId', 'traceId'] as const) {
    const id = event[field]
    if (id !== undefined) event[field] = id.toLowerCase()
  }
}

/** Kinds are the sender's words as well. Two that scrub to the same name become one, and their counts are added. */
function mergeCounts(counts: Readonly<Record<string, number>>, scrub: EventRules['scrub']): Record<string, number> {
  const merged = new Map<string, number>()
  for (const [kind, count] of Object.entries(counts)) {
    const name = scrub(kind)
    merged.set(name, (merged.get(name) ?? 0) + count)
  }
  return Object.fromEntries(merged)
}

const labelFields = [
  ['clientSurface', 'surfaces'],
  ['modelProvider', 'providers'],
  ['downstreamServer', 'sandboxes']
] as const

/** Checks every label against its vocabulary; any other value becomes `unknown` and adds a warning. */
function settleLabels(event: SensorEvent, vocabularies: Vocabularies, warnings: string[]): void {
  for (const [field, vocabulary] of labelFields) {
    const value = event[field]
    if (value === undefined) continue
    const { label, warning } = resolveLabel(value, vocabularies[vocabulary], field)
    event[field] = label
    if (warning !== undefined) warnings.push(warning)
  }
  if (event.platform !== undefined && !platformPattern.test(event.platform)) {
    event.platform = unknownLabel
    warnings.push(`platform is not of the form ${platformPattern.source} and is recorded as unknown.`)
  }
}
