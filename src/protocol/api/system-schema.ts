/** The state of the installation as the dashboard shows it: settings, health, what softens the rules, tools. */
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
    /** Cap on the bytes of the database; null for none. */
    bytesMax: z.int().nullable()
  }),
  store: z.object({
    /** When size and oldest day were looked at last, which is done every ten minutes; null before the first time. */
    measuredAt: timeText.nullable(),
    /** Size at that time. */
    bytes: z.int().nullable(),
    /** Bytes over their cap, from 0; null where there is no cap or no size yet. */
    fill: z.number().nullable(),
    oldestEventAt: timeText.nullable(),
    /** Whether events of sensors are refused, because the cap is passed. */
    isFull: z.boolean()
  }),
  /** Every variable of the configuration in the order of its documentation. */
  variables: z.array(
    z.object({
      name: z.string(),
      section: z.string(),
      description: z.string(),
      /** What holds, as one would write it; null where a variable without default is unset, or for a secret. */
      value: z.string().nullable(),
      /** Of a secret only this is said. */
      isSet: z.boolean(),
      isSecret: z.boolean()
    })
  )
})

/** Where an upstream stands. `untried`: no call and no check since the start. */
const upstreamStates = ['ok', 'untried', 'not_configured', 'credentials', 'unreachable', 'timeout', 'failed'] as const

const upstreamBody = z.object({
  /** Which routes it serves: `chat` or `messages`. */
  dialect: z.enum(['chat', 'messages']),
  /** Address without path, query or credentials. */
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
    /** Time of one small read, in milliseconds; null where the store did not answer. */
    readMs: z.number().nullable(),
    isFull: z.boolean()
  }),
  recording: z.object({
    ok: z.boolean(),
    /** Records that wait for the disk, and most that may. */
    queued: z.int(),
    queueMax: z.int(),
    /** Records that were lost since the start; each loss is a `gap` row of the audit. */
    lost: z.int()
  }),
  sealing: z.object({
    ok: z.boolean(),
    /** The newest signed root of the audit; null before the first. */
    sequence: z.int().nullable(),
    sealedAt: timeText.nullable()
  }),
  upstreams: z.array(upstreamBody),
  /** Instances that write to this store, and those that were lost in the last day. */
  instances: z.array(
    z.object({
      writerId: z.string(),
      isThis: z.boolean(),
      startedAt: timeText,
      /** The last sign of life. */
      lastAt: timeText,
      /**
       * `silent`: it missed a sign of life, and is taken for lost at `lostAt` unless it comes back. `lost`: it ended
       * without a word, and the audit has a `writer_lost` row of it.
       */
      state: z.enum(['open', 'silent', 'lost']),
      lostAt: timeText.nullable(),
      /** Whether a signed root names all that a lost one had written. */
      isSealed: z.boolean().nullable()
    })
  )
})

/** `POST /api/system/upstream-check`: one small authenticated request to each upstream. */
export const upstreamCheckBody = z.object({
  upstreams: z.array(
    upstreamBody.extend({
      state: z.enum(upstreamStates),
      /** What the upstream answered; null where it did not. */
      status: z.int().nullable(),
      ms: z.number().nullable(),
      /** A full sentence for people. */
      message: z.string()
    })
  )
})

/** `GET /api/warnings`: what softens the rules that hold out of the box. Empty is good. */
export const warningsBody = z.object({
  warnings: z.array(
    z.object({
      /** `blocking_off`, or the code of the lint. */
      code: z.string(),
      /** JSON pointer into the policy, such as `/redactionProfile/mode`; null for what the server was started with. */
      path: z.string().nullable(),
      /** The variable that does it, where it is one. */
      variable: z.string().nullable(),
      message: z.string()
    })
  ),
  revision: z.string()
})

/** A definition that changed, by what the newest word of a sensor says. */
const toolDrift = z.object({
  at: timeText,
  /** What changed: the reason that the sensor gave. */
  reasonCode: z.string().nullable(),
  /** SHA-256 of what was trusted, and of what is there now; null where it was not there, or is no more. */
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
      /** Id of the server in the policy; `unknown` where the policy does not list it, or no sensor said. */
      server: z.string(),
      /** What people know it by, where a sensor said. */
      label: z.string().nullable(),
      /** When a sensor last listed its tools. */
      listedAt: timeText.nullable(),
      tools: z.array(
        z.object({
          tool: z.string(),
          calls: toolCalls,
          /**
           * The same by the rule that decided, those with most calls first; null where none did. They may be fewer than
           * `calls`: an hour tells 1000 of server, tool and rule apart.
           */
          rules: z.array(z.object({ ruleId: z.string().nullable(), calls: toolCalls })),
          /** What a call leads to at least, as a sensor judged it when it listed the tool. */
          effect: z.enum(['allow', 'ask', 'deny']).nullable(),
          /** Whether a call may lead to more, depending on its arguments. */
          isConditional: z.boolean(),
          lastAt: timeText.nullable(),
          /** Of the newest event that names one. */
          lastRuleId: z.string().nullable(),
          lastReasonCode: z.string().nullable(),
          lastRequestId: z.string().nullable(),
          /** Whether the policy in force has a pin for the tool. */
          isPinned: z.boolean(),
          /** Changes that no pin of the policy says are fine, the newest first. */
          drifts: z.array(toolDrift)
        })
      )
    })
  ),
  /** Whether there were more events than are looked at; the newest were. */
  isCut: z.boolean()
})

export type SettingsBody = z.output<typeof settingsBody>
export type HealthBody = z.output<typeof healthBody>
export type UpstreamBody = z.output<typeof upstreamBody>
export type UpstreamState = (typeof upstreamStates)[number]
export type UpstreamCheckBody = z.output<typeof upstreamCheckBody>
export type WarningsBody = z.output<typeof warningsBody>
export type ToolsBody = z.output<typeof toolsBody>
