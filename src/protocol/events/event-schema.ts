/**
 * The schema of a sensor event: an allow-list of fields, each with its type and its limit. It contains the sentences
 * that a refusal quotes; none of them can hold a value.
 */
import { z } from 'zod'
import { tiers } from '../../detection/findings.ts'
import { isModelIdTooLong, isUuid } from '../headers.ts'
import { isTraceId } from '../trace-context.ts'

/**
 * Kinds that only the service writes, as an event or as the action of an audit row. A sensor that sends one is refused,
 * so that nobody can forge a call's record or an administrative action.
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
  'user_created',
  'user_changed',
  'user_removed',
  'link_created',
  'password_set',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'records_expired',
  'writer_lost'
])

/** Outcomes of enforcement. */
export const actions = ['mask', 'block', 'allow'] as const

/** The kind that the specification defines for a decision about a tool call. */
export const toolCallKind = 'tool_call_enforcement'

/** The kind of a sensor's heartbeat: the service keeps the latest of each sensor, and stores no event. */
export const sensorHeartbeatKind = 'sensor_heartbeat'
/** Time between two heartbeats, give or take a fifth. */
export const sensorHeartbeatMs = 30_000

/** The state of a sensor's policy. `baseline`: it never had one and enforces its configured baseline. */
export const policyStates = ['unresolved', 'baseline', 'fresh', 'stale', 'expired'] as const

/**
 * Why a sensor's events are not kept on its disk. `in_use`: another process owns the folder. `gone`: the folder was
 * removed, or another file system was mounted in its place; it is created again. `full`, `read_only`, `denied`: file
 * system errors. `failed`: anything else.
 */
export const spoolProblems = ['in_use', 'gone', 'full', 'read_only', 'denied', 'failed'] as const

/** The kind that reports how many events a sensor dropped. */
export const lossKind = 'events_dropped'

/** The kind that reports what the service itself could not record. */
export const gapKind = 'recording_gap'

export const kindPattern = /^[a-z][a-z0-9_]{0,47}$/
export const entityKindPattern = /^[a-z][a-z0-9_]{0,63}$/
export const entityKindsMax = 64
export const durationMsMax = 86_400_000
export const countMax = 1_000_000_000
/**
 * Limit of labels, which are checked against their vocabularies afterwards. In UTF-16 code units, like all lengths
 * here.
 */
export const labelLengthMax = 256
export const textLengthMax = {
  mcpToolName: 128,
  mcpServer: 64,
  mcpServerLabel: 128,
  sensorId: 128,
  sensorVersion: 64,
  policyRevision: 64,
  ruleId: 128,
  reasonCode: 64
} as const
export const ageMsMax = 10 * 365 * 86_400_000

const count = z
  .int('must be a whole number')
  .min(0, 'must not be negative')
  .max(countMax, `must be at most ${countMax}`)
const duration = z
  .number('must be a number of milliseconds')
  .min(0, 'must not be negative')
  .max(durationMsMax, `must be at most ${durationMsMax}`)
const label = z.string('must be a string').max(labelLengthMax, `must have at most ${labelLengthMax} characters`)
/** Half a surrogate pair is not text, and not every store can keep control characters (NUL above all). */
const isPlainText = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)
const plainTextRule = 'must not hold control characters or halves of surrogate pairs'
const string = (lengthMax: number) =>
  z
    .string('must be a string')
    .max(lengthMax, `must have at most ${lengthMax} characters`)
    .refine(isPlainText, plainTextRule)
const uuid = z.string('must be a string').refine(isUuid, 'must be a UUID')

export const sha256Pattern = /^[0-9a-f]{64}$/
const sha256 = z.string('must be a string').regex(sha256Pattern, 'must be a SHA-256 in hex')

/** The effects of a policy, as a listed tool is judged before it is called. */
export const toolEffects = ['allow', 'ask', 'deny'] as const
const toolEffect = z.enum(toolEffects, `must be one of ${toolEffects.join(', ')}`)

/** Most tools that one event lists, and most events that a sensor sends for one list. */
export const toolListMax = 100
export const toolListTimesMax = 5

const listedTool = z.object(
  {
    name: string(128),
    effect: toolEffect,
    isConditional: z.boolean('must be true or false').optional(),
    digest: sha256.optional()
  },
  'must be an object with `name` and `effect`'
)

const tooLong = { error: 'must have at most 80 characters', params: { code: 'model_id_too_long' } }

/**
 * Every field that an event may have. Any other is dropped with a warning, or refused if it could hold text. The
 * descriptions are what the documentation says about a field besides its type and its limits.
 */
export const eventSchema = z.object({
  kind: z
    .string('must be a string')
    .regex(kindPattern, `must be of the form ${kindPattern.source}`)
    .describe(`What happened; the only required field. \`${toolCallKind}\` is a decision about a tool call.`),
  platform: label.optional().describe('Kind of sensor: `sidecar`, `mcp-proxy`, `sdk`, or a name of your own.'),
  entitiesMasked: count.optional().describe('How many entities were masked.'),
  riskTier: z
    .enum(tiers, `must be one of ${tiers.join(', ')}`)
    .optional()
    .describe('Highest tier among the findings.'),
  action: z
    .enum(actions, `must be one of ${actions.join(', ')}`)
    .optional()
    .describe('Outcome of enforcement. An event with an action also gets an audit row.'),
  clientSurface: label.optional().describe('The agent or tool, as in `x-service-client-surface`.'),
  modelProvider: label.optional().describe('The vendor of the model, as in `x-service-model-provider`.'),
  modelId: z
    .string('must be a string')
    .refine((value) => !isModelIdTooLong(value), tooLong)
    .refine(isPlainText, plainTextRule)
    .optional()
    .describe('The model; 80 characters at most, as in `x-service-model-id`.'),
  mcpToolName: string(textLengthMax.mcpToolName).optional().describe('The tool that was called.'),
  mcpServer: string(textLengthMax.mcpServer)
    .optional()
    .describe('Id of the tool server in the policy; `unknown` if the policy does not list it.'),
  mcpServerLabel: string(textLengthMax.mcpServerLabel)
    .optional()
    .describe('Readable name of the tool server: its name in a configuration, its host, or its program.'),
  toolEffect: toolEffect.optional().describe('Minimum effect of a call to the tool.'),
  toolCount: count.optional().describe('How many tools a server has.'),
  tools: z
    .array(listedTool, 'must be an array of tools')
    .max(toolListMax, `must have at most ${toolListMax} tools`)
    .optional()
    .describe(
      'Tools of a server: `name`, `effect` (`allow`, `ask`, `deny`: the minimum effect of a call), `isConditional` if the effect of a call can be stricter, `digest` of the definition.'
    ),
  inventoryDigest: sha256.optional().describe('SHA-256 of one list of tools, the same in all of its events.'),
  digestBefore: sha256.optional().describe('SHA-256 of the trusted definition of a tool.'),
  digestAfter: sha256.optional().describe('SHA-256 of its definition now.'),
  downstreamServer: label.optional().describe('The sandbox behind the proxy.'),
  eventId: uuid
    .optional()
    .describe(
      'UUID by which a repeated event is recognised as a duplicate, for 7 days and among all tokens of one lineage.'
    ),
  requestId: uuid
    .optional()
    .describe('UUID of the call that it belongs to. Default: the `x-request-id` of the request.'),
  traceId: z
    .string('must be a string')
    .refine(isTraceId, 'must be a trace ID: 32 hexadecimal digits, not all zero')
    .optional()
    .describe('The OpenTelemetry trace that it belongs to: 32 hexadecimal digits.'),
  occurredAt: z.iso
    .datetime({ offset: true, error: 'must be a date and time of RFC 3339 with an offset' })
    .max(64, 'must have at most 64 characters')
    .optional()
    .describe('When it happened. Default: the time of arrival.'),
  sensorId: string(textLengthMax.sensorId).optional().describe('Name of the sensor, chosen by its operator.'),
  sensorVersion: string(textLengthMax.sensorVersion).optional().describe('Version of the sensor.'),
  policyRevision: string(textLengthMax.policyRevision).optional().describe('The revision of the policy that decided.'),
  ruleId: string(textLengthMax.ruleId).optional().describe('The rule that decided.'),
  reasonCode: string(textLengthMax.reasonCode).optional().describe('Reason, as a code that the sensor defines.'),
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
  dropped: count
    .optional()
    .describe('Events that the sensor had to drop: since its last report or, in a heartbeat, since its start.'),
  policyState: z
    .enum(policyStates, `must be one of ${policyStates.join(', ')}`)
    .optional()
    .describe("State of the sensor's policy."),
  policyAgeMs: z
    .number('must be a number of milliseconds')
    .min(0, 'must not be negative')
    .max(ageMsMax, `must be at most ${ageMsMax}`)
    .optional()
    .describe("How long ago the service last confirmed the sensor's policy."),
  spooled: count.optional().describe('Events waiting in the sensor.'),
  spoolProblem: z
    .enum(spoolProblems, `must be one of ${spoolProblems.join(', ')}`)
    .optional()
    .describe('Why waiting events are not on the disk of the sensor; absent if they are.')
})

/** A validated event: every string limited and scrubbed, every label from its vocabulary. */
export type SensorEvent = z.output<typeof eventSchema>
export type EventField = keyof SensorEvent

export const eventFields: ReadonlySet<string> = new Set(Object.keys(eventSchema.shape))

/** Fields whose text the sender chooses, which are therefore scanned before they are stored. */
export const scrubbedFields = [
  'platform',
  'modelId',
  'mcpToolName',
  'mcpServer',
  'mcpServerLabel',
  'sensorId',
  'sensorVersion',
  'policyRevision',
  'ruleId',
  'reasonCode'
] as const satisfies readonly EventField[]
