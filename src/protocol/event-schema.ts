/**
 * The sensor event as it may be sent: an allow-list of fields, each with its type and its bound. The table carries the
 * sentences that a refusal quotes; none of them can hold a value.
 */
import { z } from 'zod'
import { tiers } from '../detection/findings.ts'
import { isModelIdTooLong, isUuid } from './headers.ts'

/** Kinds that only the service writes. A sensor that sends one is refused, so that nobody can forge a call's record. */
export const reservedKinds: ReadonlySet<string> = new Set(['ingress_proxy'])

/** Outcomes of enforcement. */
const actions = ['mask', 'block', 'allow'] as const

/** The kind that the specification gives to a decision about a tool call. */
export const toolCallKind = 'tool_call_enforcement'

export const kindPattern = /^[a-z][a-z0-9_]{0,47}$/
const entityKindPattern = /^[a-z][a-z0-9_]{0,63}$/
const entityKindsMax = 64
const durationMsMax = 86_400_000

const count = z
  .int('must be a whole number')
  .min(0, 'must not be negative')
  .max(1_000_000_000, 'must be at most 1000000000')
const duration = z
  .number('must be a number of milliseconds')
  .min(0, 'must not be negative')
  .max(durationMsMax, `must be at most ${durationMsMax}`)
const string = (lengthMax: number) =>
  z.string('must be a string').max(lengthMax, `must have at most ${lengthMax} characters`)
/** A label is judged against its vocabulary afterwards; here only its size matters. */
const label = string(256)
const uuid = z.string('must be a string').refine(isUuid, 'must be a UUID')

/** Every field that an event may have. What is not here is dropped with a warning, or refused if it could hold text. */
export const eventSchema = z.object({
  kind: z.string('must be a string').regex(kindPattern, `must be of the form ${kindPattern.source}`),
  platform: label.optional(),
  entitiesMasked: count.optional(),
  riskTier: z.enum(tiers, `must be one of ${tiers.join(', ')}`).optional(),
  action: z.enum(actions, `must be one of ${actions.join(', ')}`).optional(),
  clientSurface: label.optional(),
  modelProvider: label.optional(),
  modelId: z
    .string('must be a string')
    .refine((value) => !isModelIdTooLong(value), {
      error: 'must have at most 80 characters',
      params: { code: 'model_id_too_long' }
    })
    .optional(),
  mcpToolName: string(128).optional(),
  downstreamServer: label.optional(),
  eventId: uuid.optional(),
  requestId: uuid.optional(),
  occurredAt: z.iso
    .datetime({ offset: true, error: 'must be a date and time of RFC 3339 with an offset' })
    .max(64, 'must have at most 64 characters')
    .optional(),
  sensorId: string(128).optional(),
  sensorVersion: string(64).optional(),
  policyRevision: string(64).optional(),
  ruleId: string(128).optional(),
  reasonCode: string(64).optional(),
  entityCounts: z
    .record(z.string(), count, 'must be an object of counts by kind')
    .refine((counts) => Object.keys(counts).length <= entityKindsMax, `must have at most ${entityKindsMax} kinds`)
    .refine(
      (counts) => Object.keys(counts).every((key) => entityKindPattern.test(key)),
      `must have keys of the form ${entityKindPattern.source}`
    )
    .optional(),
  decisionMs: duration.optional(),
  durationMs: duration.optional(),
  dropped: count.optional()
})

/** An event that was judged: every string bounded and scrubbed, every label a word of its vocabulary. */
export type SensorEvent = z.output<typeof eventSchema>
export type EventField = keyof SensorEvent

export const eventFields: ReadonlySet<string> = new Set(Object.keys(eventSchema.shape))

/** Fields whose text is the sender's own choice, and which a scan therefore reads before they are stored. */
export const scrubbedFields = [
  'platform',
  'modelId',
  'mcpToolName',
  'sensorId',
  'sensorVersion',
  'policyRevision',
  'ruleId',
  'reasonCode'
] as const satisfies readonly EventField[]
