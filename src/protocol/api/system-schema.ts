/** The state of the installation for the dashboard: settings, health, softened rules, tools. */
import { z } from 'zod'
import { timeText } from './session-schema.ts'

/** `GET /api/settings` */
export const settingsBody = z.object({
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  retention: z.object({
    eventDays: z.int(),
    auditDays: z.int(),
    minuteRollupDays: z.int(),
    /** Limit on the size of the database in bytes; null for none. */
    bytesMax: z.int().nullable()
  }),
  store: z.object({
    /** When size and oldest day were last measured, which happens every ten minutes; null before the first time. */
    measuredAt: timeText.nullable(),
    /** Size at that time. */
    bytes: z.int().nullable(),
    /** Size divided by the limit, from 0; null if there is no limit or no size yet. */
    fill: z.number().nullable(),
    oldestEventAt: timeText.nullable(),
    /** Whether sensors' events are refused because the limit is exceeded. */
    isFull: z.boolean()
  }),
  /** Every configuration variable, in the order of the documentation. */
  variables: z.array(
    z.object({
      name: z.string(),
      section: z.string(),
      description: z.string(),
      /** The effective value as text; null if a variable without default is unset, or for a secret. */
      value: z.string().nullable(),
      /** All that is said about a secret. */
      isSet: z.boolean(),
      isSecret: z.boolean()
    })
  )
})

/** The state of an upstream. `untried`: neither called nor checked since the start. */
const upstreamStates = ['ok', 'untried', 'not_configured', 'credentials', 'unreachable', 'timeout', 'failed'] as const

const upstreamBody = z.object({
  /** Which routes it serves: `chat` or `messages`. */
  dialect: z.enum(['chat', 'messages']),
  /** URL without path, query or credentials. */
  origin: z.string(),
  hasKey: z.boolean()
})

/** `GET /api/system/health` */
export const healthBody = z.object({
  ok: z.boolean(),
  version: z.string(),
  startedAt: timeText,
  store: z.object({
    engine: z.enum(['sqlite', 'postgres']),
    ok: z.boolean(),
    /** Duration of one small read, in milliseconds; null if the store did not answer. */
    readMs: z.number().nullable(),
    isFull: z.boolean()
  }),
  recording: z.object({
    ok: z.boolean(),
    /** Records waiting for the disk, and the most that may wait. */
    queued: z.int(),
    queueMax: z.int(),
    /** Records lost since the start; each loss is part of a `gap` row in the audit trail. */
    lost: z.int()
  }),
  sealing: z.object({
    ok: z.boolean(),
    /** The newest signed audit root; null before the first. */
    sequence: z.int().nullable(),
    sealedAt: timeText.nullable()
  }),
  upstreams: z.array(upstreamBody),
  /** Instances that write to this store, and those that were lost within the last day. */
  instances: z.array(
    z.object({
      writerId: z.string(),
      isThis: z.boolean(),
      startedAt: timeText,
      /** The last heartbeat. */
      lastAt: timeText,
      /**
       * `silent`: it missed a heartbeat, and counts as lost at `lostAt` unless it returns. `lost`: it ended without
       * notice, and the audit trail has a `writer_lost` row for it.
       */
      state: z.enum(['open', 'silent', 'lost']),
      lostAt: timeText.nullable(),
      /** Whether a signed root covers everything that a lost instance wrote. */
      isSealed: z.boolean().nullable()
    })
  )
})

/** `POST /api/system/upstream-check`: one small authenticated request to each upstream. */
export const upstreamCheckBody = z.object({
  upstreams: z.array(
    upstreamBody.extend({
      state: z.enum(upstreamStates),
      /** The status of the upstream's answer; null if there was none. */
      status: z.int().nullable(),
      ms: z.number().nullable(),
      /** A full sentence for people. */
      message: z.string()
    })
  )
})

/** `GET /api/warnings`: settings that soften the default rules. Ideally empty. */
export const warningsBody = z.object({
  warnings: z.array(
    z.object({
      /** `blocking_off`, or a lint code. */
      code: z.string(),
      /** JSON pointer into the policy, such as `/redactionProfile/mode`; null for a setting of the server. */
      path: z.string().nullable(),
      /** The variable that causes it, if any. */
      variable: z.string().nullable(),
      message: z.string()
    })
  ),
  revision: z.string()
})

/** A definition that changed, according to the newest report of a sensor. */
const toolDrift = z.object({
  at: timeText,
  /** What changed: the sensor's reason code. */
  reasonCode: z.string().nullable(),
  /** SHA-256 of the trusted definition, and of the current one; null if it did not or does not exist. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  sensorId: z.string().nullable()
})

const toolCalls = z.object({ allow: z.int(), mask: z.int(), block: z.int() })

/** `GET /api/tools?from=&to=`: the tools that agents called or that servers listed, from events. */
export const toolsBody = z.object({
  from: timeText,
  to: timeText,
  servers: z.array(
    z.object({
      /** Id of the server in the policy; `unknown` if the policy does not list it, or no sensor reported it. */
      server: z.string(),
      /** Its name for people, if a sensor reported one. */
      label: z.string().nullable(),
      /** When a sensor last listed its tools. */
      listedAt: timeText.nullable(),
      tools: z.array(
        z.object({
          tool: z.string(),
          calls: toolCalls,
          /**
           * The same by deciding rule, most calls first; null if no rule decided. The sum may be less than `calls`: an
           * hour keeps apart 1000 combinations of server, tool and rule.
           */
          rules: z.array(z.object({ ruleId: z.string().nullable(), calls: toolCalls })),
          /**
           * The minimum effect of a call, as judged by a sensor when it listed the tool. If none did, as the policy in
           * force judges the tool by its name and server, for an unknown agent.
           */
          effect: z.enum(['allow', 'ask', 'deny']),
          /** Whether a call may have a stricter effect, depending on its arguments. */
          isConditional: z.boolean(),
          lastAt: timeText.nullable(),
          /** From the newest event that names a rule. */
          lastRuleId: z.string().nullable(),
          lastReasonCode: z.string().nullable(),
          lastRequestId: z.string().nullable(),
          /** Whether the policy in force has a pin for the tool. */
          isPinned: z.boolean(),
          /** Changes that no pin of the policy accepts, newest first. */
          drifts: z.array(toolDrift)
        })
      )
    })
  ),
  /** Whether there were more events than are examined; the newest were examined. */
  isCut: z.boolean()
})

export type SettingsBody = z.output<typeof settingsBody>
export type HealthBody = z.output<typeof healthBody>
export type UpstreamBody = z.output<typeof upstreamBody>
export type UpstreamState = (typeof upstreamStates)[number]
export type UpstreamCheckBody = z.output<typeof upstreamCheckBody>
export type WarningsBody = z.output<typeof warningsBody>
export type ToolsBody = z.output<typeof toolsBody>
