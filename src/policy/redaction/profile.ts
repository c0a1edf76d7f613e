/** The redaction profile document: how a workspace wants findings handled, and what each setting means. */
import { z } from 'zod'
import { groups, tiers } from '../../detection/findings.ts'
import { policyBounds } from '../bounds.ts'
import { globSchema } from '../glob.ts'
import { textOrigins } from './text-place.ts'

/** Actions for a finding. `allow` leaves the text unchanged and counts the finding. */
export const findingActions = ['block', 'mask', 'allow'] as const
export type FindingAction = (typeof findingActions)[number]

export const presets = ['standard', 'coding-agents'] as const

const { listedMax, listedUnitsMax, patternUnitsMax, customPatternsMax, allowPatternsMax, globsMax } = policyBounds

const action = z.enum(findingActions)
const kindId = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)
const listed = z.string().min(1).max(listedUnitsMax)
const testText = z.string().min(1).max(10_000)

const actions = z.strictObject({
  groups: z.partialRecord(z.enum(groups), action).default({}).describe('Action for every kind of a group.'),
  kinds: z
    .record(kindId, action)
    .default({})
    .describe(
      'Action for one kind; overrides the action of its group. Kinds are the IDs in detectors.md, the IDs of `custom`, `deny_word` and `known_credential`.'
    )
})

const customPattern = z.strictObject({
  id: kindId.describe(
    'The kind that the pattern finds; events and `actions.kinds` use this name. Must not be the ID of a built-in kind.'
  ),
  label: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,63}$/)
    .optional()
    .describe('Prefix of its placeholders. Default: the ID in capitals.'),
  title: z.string().min(1).max(80).optional().describe('Name shown in error messages, such as "ticket number".'),
  pattern: z
    .string()
    .min(1)
    .max(patternUnitsMax)
    .describe(
      'RE2 syntax: no look-around, no back-references. Fastest if it contains a literal of two letters or more.'
    ),
  group: z.enum(groups).default('secret').describe('Group of the kind.'),
  tier: z.enum(tiers).exclude(['none']).default('medium').describe('Risk tier: how bad a leak would be.'),
  tests: z
    .strictObject({
      match: z.array(testText).min(1).max(50).describe('Texts in which the pattern must find something.'),
      noMatch: z.array(testText).max(50).default([]).describe('Texts in which it must find nothing.')
    })
    .describe('Tests of the pattern. A pattern that fails one of them cannot be published.')
})

const allow = z.strictObject({
  values: z.array(listed).max(listedMax).default([]).describe('Exact values that are left unchanged.'),
  hmacs: z
    .array(z.string().regex(/^[0-9a-f]{64}$/))
    .max(listedMax)
    .default([])
    .describe(
      'The same for values that must not appear in the policy: their HMAC-SHA-256 under the workspace key, in hex.'
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
    .describe('E-mail addresses in these domains and their subdomains are left unchanged.'),
  patterns: z
    .array(z.string().min(1).max(patternUnitsMax))
    .max(allowPatternsMax)
    .default([])
    .describe(
      'RE2 patterns that match a whole value. A pattern that would let a built-in high-risk kind through is rejected.'
    )
})

/**
 * The tools with which the agents of docs/clients, and the vendors' own editors, replace a text in a file. Excluded are
 * tools that accept an old text that is only similar to the one in the file (Cline's `apply_patch`), and shells.
 */
const agentEditors = ['Edit', 'MultiEdit', 'edit', 'str_replace_based_edit_tool', 'str_replace_editor'] as const

/** The document as it is published and streamed. Unknown keys are refused. */
export const redactionProfileSchema = z.strictObject({
  version: z.literal(1).describe('Version of this document format.'),
  preset: z
    .enum(presets)
    .default('standard')
    .describe(
      'Defaults for everything this document does not set. `standard`: high is blocked, medium is masked, low is allowed. ' +
        '`coding-agents`: the same, but only the newest user text can block. Tool results, documents and history are ' +
        'masked instead, because an agent resends them and a block there would end its session. Restore is on.'
    ),
  mode: z
    .enum(['enforce', 'observe'])
    .default('enforce')
    .describe(
      '`observe` counts medium and low findings but leaves the text unchanged. High-risk findings are still acted on.'
    ),
  blockHighRisk: z
    .boolean()
    .default(true)
    .describe('Whether a request can be blocked for its content. `false` turns every block into a mask.'),
  actions: actions.prefault({}).describe('Actions that differ from the preset.'),
  scopes: z
    .partialRecord(z.enum(textOrigins), z.enum(['masked', 'watched']))
    .default({})
    .describe(
      'Per part of a request: `masked` acts on every finding, `watched` only on high-risk ones. Default: system, user, ' +
        'document and tool_result are masked, and assistant too if restore is on; everything else is watched. ' +
        'Signatures, thinking, ids and media are never changed.'
    ),
  custom: z.array(customPattern).max(customPatternsMax).default([]).describe('Patterns of your own.'),
  deny: z
    .array(z.string().trim().min(2).max(200))
    .max(listedMax)
    .default([])
    .describe('Words to mask wherever they occur as whole words, in upper or lower case: customer names, code names.'),
  allow: allow.prefault({}).describe('Allowlist: values that are left unchanged, whichever detector finds them.'),
  placeholder: z
    .enum(['keyed', 'typed'])
    .default('keyed')
    .describe('`keyed`: the kind and ten characters; the same value always has the same ones. `typed`: the kind only.'),
  restore: z
    .strictObject({
      enabled: z.boolean().optional().describe('Default: on with the preset `coding-agents`, otherwise off.'),
      tools: z.array(globSchema).max(globsMax).default(['*']).describe('Tools whose arguments are restored too.'),
      files: z
        .array(globSchema)
        .max(globsMax)
        .optional()
        .describe(
          'Tools that edit files on the machine of the client. In their arguments, high-risk values and passwords in ' +
            'connection strings are restored in the text to be replaced, and in the new text if the old text of the ' +
            `same edit contains them. Default: with the preset \`coding-agents\` ${agentEditors.map((name) => `\`${name}\``).join(', ')}, otherwise none.`
        )
    })
    .prefault({})
    .describe(
      'Puts masked values back into the answer for the client that sent them. High-risk values only into edits of the ' +
        'text that contains them (`files`).'
    ),
  blockAs: z
    .enum(['error', 'refusal'])
    .default('error')
    .describe(
      'How a block is answered: `error` with a 403; `refusal` with an answer that looks like one from the model and says why, for agents that hide errors.'
    ),
  limits: z
    .strictObject({
      bodyBytesMax: z
        .int()
        .min(1024)
        .max(1_073_741_824)
        .optional()
        .describe("Largest body of a model call, decoded, in bytes. Can only be lower than the server's limit.")
    })
    .prefault({})
    .describe('Limits of this workspace.')
})

export type RedactionProfile = z.output<typeof redactionProfileSchema>

/** The profile of a new workspace, as revision 1. */
export const standardProfile: RedactionProfile = redactionProfileSchema.parse({ version: 1 })

/**
 * Whether masked values are restored in answers; by default the preset decides. A typed placeholder stands for many
 * values and is never restored.
 */
export function restores({ restore, preset, placeholder }: RedactionProfile): boolean {
  return (restore.enabled ?? preset === 'coding-agents') && placeholder === 'keyed'
}

/** Globs of the tools that edit files; by default those of the preset. */
export function editorsOf({ restore, preset }: RedactionProfile): readonly string[] {
  return restore.files ?? (preset === 'coding-agents' ? agentEditors : [])
}
