/**
 * A fast path for the great majority of events: one pass that accepts what is obviously valid and builds nothing but
 * the event. Anything else is validated by the schema, which alone refuses and names faults. It may be stricter than
 * the schema but never laxer; a test compares the two.
 */
import { tiers } from '../../detection/findings.ts'
import {
  actions,
  countMax,
  durationMsMax,
  entityKindPattern,
  entityKindsMax,
  eventSchema,
  kindPattern,
  ageMsMax,
  labelLengthMax,
  policyStates,
  sha256Pattern,
  spoolProblems,
  textLengthMax,
  toolEffects,
  type EventField,
  type SensorEvent
} from './event-schema.ts'
import { isUuid, modelIdLengthMax } from '../headers.ts'
import { isTraceId } from '../trace-context.ts'

type Test = (value: unknown) => boolean

const isText =
  (lengthMax: number, pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && value.length <= lengthMax && pattern.test(value)

/** Printable ASCII: neither control characters nor half a surrogate pair. */
const printable = /^[ -~]*$/
const isLabel = isText(labelLengthMax, printable)
const isId: Test = (value) => typeof value === 'string' && isUuid(value)
const isTrace: Test = (value) => typeof value === 'string' && isTraceId(value)
const isCount: Test = (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= countMax
const isDuration: Test = (value) => typeof value === 'number' && value >= 0 && value <= durationMsMax
const isOneOf = (words: readonly string[]): Test => {
  const known = new Set<unknown>(words)
  return (value) => known.has(value)
}

/** A UTC time on a day that exists in every year: any but 29 February. */
const utcTime =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/

function isCounts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const counts = Object.entries(value)
  return (
    counts.length <= entityKindsMax && counts.every(([kind, count]) => entityKindPattern.test(kind) && isCount(count))
  )
}

const tests: Readonly<Record<EventField, Test>> = {
  kind: isText(labelLengthMax, kindPattern),
  platform: isLabel,
  entitiesMasked: isCount,
  riskTier: isOneOf(tiers),
  action: isOneOf(actions),
  clientSurface: isLabel,
  modelProvider: isLabel,
  modelId: isText(modelIdLengthMax, printable),
  mcpToolName: isText(textLengthMax.mcpToolName, printable),
  mcpServer: isText(textLengthMax.mcpServer, printable),
  mcpServerLabel: isText(textLengthMax.mcpServerLabel, printable),
  toolEffect: isOneOf(toolEffects),
  toolCount: isCount,
  // A list has rules of its own, and occurs once for many calls.
  tools: () => false,
  inventoryDigest: isText(64, sha256Pattern),
  digestBefore: isText(64, sha256Pattern),
  digestAfter: isText(64, sha256Pattern),
  downstreamServer: isLabel,
  eventId: isId,
  requestId: isId,
  traceId: isTrace,
  occurredAt: isText(64, utcTime),
  sensorId: isText(textLengthMax.sensorId, printable),
  sensorVersion: isText(textLengthMax.sensorVersion, printable),
  policyRevision: isText(textLengthMax.policyRevision, printable),
  ruleId: isText(textLengthMax.ruleId, printable),
  reasonCode: isText(textLengthMax.reasonCode, printable),
  entityCounts: isCounts,
  decisionMs: isDuration,
  durationMs: isDuration,
  dropped: isCount,
  policyState: isOneOf(policyStates),
  policyAgeMs: (value) => typeof value === 'number' && value >= 0 && value <= ageMsMax,
  spooled: isCount,
  spoolProblem: isOneOf(spoolProblems)
}

/** In the order of the schema, so that the fields of an event are in one order whichever way it was validated. */
const fields = (Object.keys(eventSchema.shape) as EventField[]).map((field) => [field, tests[field]] as const)

/**
 * Accepts an event of which every known field is obviously valid.
 * @param body a parsed JSON object; unknown fields are omitted, `null` is like an absent field
 * @param fallback for fields that the body lacks
 * @returns a new object, or undefined if the schema has to decide
 */
export function readPlainEvent(
  body: Readonly<Record<string, unknown>>,
  fallback: Readonly<Partial<Record<EventField, unknown>>>
): SensorEvent | undefined {
  const event: Partial<Record<EventField, unknown>> = {}
  for (const [field, isGood] of fields) {
    const value = body[field] ?? fallback[field]
    if (value === undefined) continue
    if (!isGood(value)) return undefined
    event[field] = value
  }
  return event.kind === undefined ? undefined : (event as SensorEvent)
}
