/**
 * The sensor event as it may be sent: an allow-list of fields, each with its type and its bound. The table carries the
 * sentences that a refusal quotes; none of them can hold a value.
 */
import { z } from 'zod'
import { tiers } from '../detection/findings.ts'
import { isModelIdTooLong, isUuid } from './headers.ts'

/**
 * Kinds that only the service writes, as an event or as the action of an audit row. A sensor that sends one is refused,
 * so that nobody can forge a call's record or an act of administration.
 */
export const reservedKinds: ReadonlySet<string> = new Set([
  'ingress_proxy',
  'ingress_decision',
  'recording_gap',
  'gap',
  'workspace_created',
  'token_created',
  'token_revoked',
  'token_rotated',
  'policy_published',
  'records_expired',
  'writer_lost'
])

/** Outcomes of enforcement. */
export const actions = ['mask', 'block', 'allow'] as const

/** The kind that the specification gives to a decision about a tool call. */
export const toolCallKind = 'tool_call_enforcement'

/** The kind that says what the service itself could not record. */
export const gapKind = 'recording_gap'

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
/** A label is judged against its vocabulary afterwards; here only its size matters. */
const label = z.string('must be a string').max(256, 'must have at most 256 characters')
/** Half a surrogate pair is no text, and a control character (NUL above all) is none that every store can keep. */
const isPlainText = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)
const plainTextRule = 'must not hold control characters or halves of surrogate pairs'
const string = (lengthMax: number) =>
  z
    .string('must be a string')
    .max(lengthMax, `must have at most ${lengthMax} characters`)
    .refine(isPlainText, plainTextRule)
const uuid = z.string('must be a string').refine(isUuid, 'must be a UUID')

const tooLong = { error: 'must have at most 80 characters', params: { code: 'model_id_too_long' } }

/**
 * Every field that an event may have. What is not here is dropped with a warning, or refused if it could hold text. The
 * descriptions are what the documentation says of a field beyond its type and its bounds.
 */
export const eventSchema = z.object({
  kind: z
    .string('must be a string')
    .regex(kindPattern, `must be of the form ${kindPattern.source}`)
    .describe(`What happened; the only field that must be there. A decision about a tool call is \`${toolCallKind}\`.`),
  platform: label.optional().describe('Kind of sensor: `sidecar`, `mcp-proxy`, `sdk`, or a name of its own.'),
  entitiesMasked: count.optional().describe('How many entities were masked.'),
  riskTier: z
    .enum(tiers, `must be one of ${tiers.join(', ')}`)
    .optional()
    .describe('The highest tier of what was found.'),
  action: z
    .enum(actions, `must be one of ${actions.join(', ')}`)
    .optional()
    .describe('Outcome of enforcement. An event that has one stands in the audit as well.'),
  clientSurface: label.optional().describe('The agent or tool, as in `x-service-client-surface`.'),
  modelProvider: label.optional().describe('The vendor of the model, as in `x-service-model-provider`.'),
  modelId: z
    .string('must be a string')
    .refine((value) => !isModelIdTooLong(value), tooLong)
    .refine(isPlainText, plainTextRule)
    .optional()
    .describe('The model; 80 characters at most, as in `x-service-model-id`.'),
  mcpToolName: string(128).optional().describe('The tool that was called.'),
  downstreamServer: label.optional().describe('The sandbox behind the proxy.'),
  eventId: uuid
    .optional()
    .describe('UUID that makes a repeated event a duplicate for 7 days, among all tokens of one lineage.'),
  requestId: uuid
    .optional()
    .describe('UUID of the call that it belongs to. Where it is left out, the `x-request-id` of the request.'),
  occurredAt: z.iso
    .datetime({ offset: true, error: 'must be a date and time of RFC 3339 with an offset' })
    .max(64, 'must have at most 64 characters')
    .optional()
    .describe('When it happened; the time of arrival where it is left out.'),
  sensorId: string(128).optional().describe('Which sensor, in words of its operator.'),
  sensorVersion: string(64).optional().describe('Version of the sensor.'),
  policyRevision: string(64).optional().describe('The revision of the policy that decided.'),
  ruleId: string(128).optional().describe('The rule that decided.'),
  reasonCode: string(64).optional().describe('Why, as a code of the sensor.'),
  entityCounts: z
    .record(z.string(), count, 'must be an object of counts by kind')
    .refine((counts) => Object.keys(counts).length <= entityKindsMax, `must have at most ${entityKindsMax} kinds`)
    .refine(
      (counts) => Object.keys(counts).every((key) => entityKindPattern.test(key)),
      `must have keys of the form ${entityKindPattern.source}`
    )
    .optional()
    .describe(`Entities by kind, ${entityKindsMax} kinds at most.`),
  decisionMs: duration.optional().describe('How long the decision took.'),
  durationMs: duration.optional().describe('How long the whole took.'),
  dropped: count.optional().describe('Events that the sensor had to drop since its last report.')
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
