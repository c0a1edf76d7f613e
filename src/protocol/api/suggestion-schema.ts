/** Suggests rules that end a false alarm: `POST /api/workspace/policy/allow-suggestions`. */
import { z } from 'zod'
import { dryRunChange, lintFinding } from './policy-schema.ts'
import { timeText } from './session-schema.ts'

export const suggestionRequest = z.strictObject({
  /** `sequence` of the event, unique in its workspace. */
  sequence: z.int('must be a whole number').min(1, 'must be the sequence of an event'),
  /**
   * The value that was found, pasted by someone who knows that it is harmless. Used for this answer only and never
   * kept.
   */
  value: z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(10_000, 'must have at most 10000 characters')
    .optional(),
  /** How many days of records the previews examine. */
  days: z.int('must be a whole number').min(1, 'must be from 1 to 30').max(30, 'must be from 1 to 30').default(7)
})

/** What a rule matches by, from the narrowest to the widest. */
const suggestionKinds = ['hmac', 'value', 'emailDomain', 'pattern', 'kindMask', 'kind', 'tool'] as const

/** An edit of the policy: `add` appends `value` to the list at `path`, `set` writes it there. */
const policyEdit = z.object({
  op: z.enum(['add', 'set']),
  path: z.string().describe('JSON pointer into `{mcpToolPolicy, redactionProfile}`.'),
  value: z.json()
})

const suggestion = z.object({
  by: z.enum(suggestionKinds),
  title: z.string(),
  /** What else it lets pass, as a sentence. */
  explanation: z.string(),
  edits: z.array(policyEdit),
  /** Both documents with the edits applied, ready to be published. */
  policy: z.object({ mcpToolPolicy: z.record(z.string(), z.json()), redactionProfile: z.record(z.string(), z.json()) }),
  /** Lint findings that the edits cause. */
  findings: z.array(lintFinding),
  isPublishable: z.boolean(),
  /** A replay of recorded days, or null if records cannot answer that: they hold kinds but no values. */
  preview: z
    .object({
      from: timeText,
      to: timeText,
      /** Events examined, and those that would have been decided differently. */
      events: z.int(),
      changed: z.int(),
      isCut: z.boolean(),
      changes: z.array(dryRunChange)
    })
    .nullable()
})

export const suggestionsBody = z.object({
  sequence: z.int(),
  /** Kinds that the event counts and, if a value was sent, those that the policy in force finds in it. */
  kinds: z.array(z.string()),
  /** The policy on which the suggestions are based; for `if-match`. */
  revision: z.string(),
  suggestions: z.array(suggestion)
})

export type Suggestion = z.output<typeof suggestion>
export type SuggestionsBody = z.output<typeof suggestionsBody>
