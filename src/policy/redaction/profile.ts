/** The redaction profile: what a workspace wants done about what a scan finds. The document, and what each part means. */
import { z } from 'zod'
import { groups, tiers } from '../../detection/findings.ts'
import { policyBounds } from '../bounds.ts'
import { globSchema } from '../glob.ts'
import { textOrigins } from './text-place.ts'

/** What can be done about a finding. `allow` leaves the text as it is and counts it. */
export const findingActions = ['block', 'mask', 'allow'] as const
export type FindingAction = (typeof findingActions)[number]

export const presets = ['standard', 'coding-agents'] as const

const { listedMax, listedUnitsMax, patternUnitsMax, customPatternsMax, allowPatternsMax, globsMax } = policyBounds

const action = z.enum(findingActions)
const kindId = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)
const listed = z.string().min(1).max(listedUnitsMax)
const testText = z.string().min(1).max(10_000)

const actions = z.strictObject({
  groups: z.partialRecord(z.enum(groups), action).default({}).describe('Action by group of kinds.'),
  kinds: z
    .record(kindId, action)
    .default({})
    .describe(
      'Action by kind; it wins over its group. The kinds are those of detectors.md, of `custom`, and `deny_word`.'
    )
})

const customPattern = z.strictObject({
  id: kindId.describe(
    'The kind that the pattern finds, as events and `actions.kinds` name it. No id of a built-in kind.'
  ),
  label: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/)
    .optional()
    .describe('What its placeholders begin with. Default: the id in capitals.'),
  title: z.string().min(1).max(80).optional().describe('What a person reads in an error, such as "ticket number".'),
  pattern: z
    .string()
    .min(1)
    .max(patternUnitsMax)
    .describe(
      'RE2 syntax: no look-around, no back-references. Fastest with a fixed text of two letters or more in it.'
    ),
  group: z.enum(groups).default('secret').describe('Group of the kind.'),
  tier: z.enum(tiers).exclude(['none']).default('medium').describe('How bad a leak would be.'),
  tests: z
    .strictObject({
      match: z.array(testText).min(1).max(50).describe('Texts in which the pattern finds something.'),
      noMatch: z.array(testText).max(50).default([]).describe('Texts in which it finds nothing.')
    })
    .describe('A pattern that fails one of its tests cannot be published.')
})

const allow = z.strictObject({
  values: z.array(listed).max(listedMax).default([]).describe('Values that stand as they are, letter by letter.'),
  hmacs: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .max(listedMax)
    .default([])
    .describe(
      'The same for values that the document must not show: their HMAC-SHA-256 under the key of the workspace, in hex.'
    ),
  emailDomains: z
    .array(
      z
        .string()
        .max(253)
        .regex(/^(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)*[a-z0-9-]{1,63}$/i)
    )
    .max(listedMax)
    .default([])
    .describe('E-mail addresses of these domains and their subdomains stand as they are.'),
  patterns: z
    .array(z.string().min(1).max(patternUnitsMax))
    .max(allowPatternsMax)
    .default([])
    .describe('RE2 patterns that match a whole value. One that would let a built-in high-risk kind pass is refused.')
})

/** The document as it is published and streamed. Unknown keys are refused. */
export const redactionProfileSchema = z.strictObject({
  version: z.literal(1).describe('Version of this document format.'),
  preset: z
    .enum(presets)
    .default('standard')
    .describe(
      'The rules that hold where this document says nothing. `standard`: high blocks, medium masks, low is left alone. ' +
        '`coding-agents`: the same, but only the newest user text blocks; tool results, documents and history are ' +
        'masked instead, because an agent sends them again and a block there would end its session. Restore is on.'
    ),
  mode: z
    .enum(['enforce', 'observe'])
    .default('enforce')
    .describe(
      '`observe` counts medium and low finds and leaves them alone. High-risk finds are acted on all the same.'
    ),
  blockHighRisk: z
    .boolean()
    .default(true)
    .describe('Whether a request can be refused for what it carries. `false` turns every block into a mask.'),
  actions: actions.prefault({}).describe('What is done about a finding, where it differs from the preset.'),
  scopes: z
    .partialRecord(z.enum(textOrigins), z.enum(['masked', 'watched']))
    .default({})
    .describe(
      'By part of a request: `masked` acts on every find, `watched` on high-risk ones alone. Default: system, user, ' +
        'document and tool_result are masked, assistant as well where restore is on, everything else is watched. ' +
        'Signatures, thinking, ids and media are never changed.'
    ),
  custom: z.array(customPattern).max(customPatternsMax).default([]).describe('Patterns of your own.'),
  deny: z
    .array(z.string().trim().min(2).max(200))
    .max(listedMax)
    .default([])
    .describe('Words that are masked wherever they stand whole, in any case: names of customers, code names.'),
  allow: allow.prefault({}).describe('Values that are left alone whatever finds them.'),
  placeholder: z
    .enum(['keyed', 'typed'])
    .default('keyed')
    .describe(
      '`keyed`: the kind and ten characters that are the same wherever the value is the same. `typed`: the kind alone.'
    ),
  restore: z
    .strictObject({
      enabled: z.boolean().optional().describe('Default: on with the preset `coding-agents`, else off.'),
      tools: z.array(globSchema).max(globsMax).default(['*']).describe('Tools whose arguments are restored as well.')
    })
    .prefault({})
    .describe('Puts masked values back into the answer for the client that sent them. Never values of the high tier.'),
  blockAs: z
    .enum(['error', 'refusal'])
    .default('error')
    .describe(
      "How a block is answered: by a 403, or by an answer of the model's form that says why, for agents that hide errors."
    ),
  limits: z
    .strictObject({
      bodyBytesMax: z
        .int()
        .min(1024)
        .max(1_073_741_824)
        .optional()
        .describe('Largest body of a model call, decoded, in bytes. It can only lower the limit of the server.')
    })
    .prefault({})
    .describe('Bounds of this workspace.')
})

export type RedactionProfile = z.output<typeof redactionProfileSchema>

/** The profile that a fresh workspace starts with, as revision 1. */
export const standardProfile: RedactionProfile = redactionProfileSchema.parse({ version: 1 })

/**
 * Whether masked values are put back into answers; where the document says nothing, the preset does. A typed
 * placeholder stands for many values and is never put back.
 */
export function restores({ restore, preset, placeholder }: RedactionProfile): boolean {
  return (restore.enabled ?? preset === 'coding-agents') && placeholder === 'keyed'
}
