/** The policy API: the bodies of the routes under `/api/workspace/policy` and `/api/workspace/scan`. */
import { z } from 'zod'
import { timeText } from './session-schema.ts'

const json = z.record(z.string(), z.unknown())
const action = z.enum(['block', 'mask', 'allow'])

/** Maximum length of a note, in characters. */
export const noteLengthMax = 500

/** Why a revision is published, on one line. Kept in the history and the audit trail. */
export const revisionNote = z
  .string('must be a string')
  .trim()
  .max(noteLengthMax, `must have at most ${noteLengthMax} characters`)
  .regex(/^\P{Cc}*$/u, 'must be one line')

/** Both documents of a revision, as they were published. */
const documents = { mcpToolPolicy: json, redactionProfile: json }

export const revisionHead = z.object({
  sequence: z.int(),
  revision: z.string(),
  /** `user:<name>`, `token:<id>` or an administrative surface such as `cli`. */
  author: z.string(),
  note: z.string(),
  publishedAt: timeText
})

/** `GET /api/workspace/policy/revisions`: newest first. `next` is the `before` of the next page. */
export const revisionsBody = z.object({ revisions: z.array(revisionHead), next: z.string().nullable() })

/** `GET /api/workspace/policy/revisions/:revision`: by its id, its sequence, or `current` for the newest. */
export const revisionBody = revisionHead.extend(documents)

export const lintFinding = z.object({
  severity: z.enum(['error', 'warning', 'info']),
  /** JSON pointer into the object with both documents. */
  path: z.string(),
  code: z.string(),
  message: z.string()
})

/** `POST /api/workspace/policy/lint` */
export const lintBody = z.object({
  findings: z.array(lintFinding),
  leftOut: z.int(),
  isPublishable: z.boolean(),
  needsConfirm: z.boolean()
})

/** `PUT /api/workspace/policy` and `POST /api/workspace/policy/rollback` */
export const publishedBody = revisionHead.extend({ unchanged: z.boolean(), findings: z.array(lintFinding) })

/** Events that would have been decided differently. */
export const dryRunChange = z.object({
  was: z.string(),
  wouldBe: z.string(),
  events: z.int(),
  by: z.record(z.string(), z.int()),
  examples: z.array(z.string())
})

/** `POST /api/workspace/policy/dry-run` */
export const dryRunBody = z.object({
  from: timeText,
  to: timeText,
  events: z.int(),
  unchanged: z.int(),
  isCut: z.boolean(),
  changes: z.array(z.object({ of: z.enum(['model_calls', 'tool_calls']), ...dryRunChange.shape }))
})

/** Why a value is never a finding, with a description. */
export const sampleReasons = {
  published_sample: 'a sample that a vendor or standard publishes',
  documentation_domain: 'an address at a domain reserved for documentation'
} as const

/** `POST /api/workspace/scan` */
export const scanBody = z.object({
  action,
  findings: z.array(
    z.object({
      kind: z.string(),
      group: z.string(),
      tier: z.string(),
      confidence: z.string(),
      /** UTF-16 code units of the text, half-open. */
      start: z.int(),
      end: z.int(),
      action
    })
  ),
  /** Number of findings beyond the first 1000, which are listed. */
  leftOut: z.int(),
  /** The first 20 values that are never findings because they are well known. */
  samples: z.array(
    z.object({
      start: z.int(),
      end: z.int(),
      reason: z.enum(Object.keys(sampleReasons) as (keyof typeof sampleReasons)[])
    })
  ),
  masked: z.string()
})

const acknowledgement = z.object({ revision: z.string().nullable(), reasonCode: z.string().nullable(), at: timeText })

/** `GET /api/workspace/policy/sensors` */
export const policySensorsBody = z.object({
  /** The policy in force. */
  revision: z.string(),
  from: timeText,
  sensors: z.array(
    z.object({
      sensorId: z.string().nullable(),
      tokenId: z.string().nullable(),
      platform: z.string().nullable(),
      sensorVersion: z.string().nullable(),
      isCurrent: z.boolean(),
      applied: acknowledgement.nullable(),
      rejected: acknowledgement.nullable()
    })
  ),
  isCut: z.boolean()
})

export type RevisionHead = z.output<typeof revisionHead>
export type RevisionBody = z.output<typeof revisionBody>
export type PolicyLintFinding = z.output<typeof lintFinding>
export type PolicyLintBody = z.output<typeof lintBody>
export type DryRunBody = z.output<typeof dryRunBody>
export type ScanBody = z.output<typeof scanBody>
export type PolicySensorsBody = z.output<typeof policySensorsBody>
