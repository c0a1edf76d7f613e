/**
 * The redaction profile: what a workspace wants done about what a scan finds. A typed document, compiled once a
 * revision into the form that the hot path reads.
 */
import { z } from 'zod'
import { groups, type Finding, type Group } from '../detection/findings.ts'

/** What can be done about a finding. `allow` leaves the text as it is and counts it. */
export const findingActions = ['block', 'mask', 'allow'] as const
export type FindingAction = (typeof findingActions)[number]

const actionSchema = z.enum(findingActions)

/** The document as it is stored, published and streamed. Unknown keys are refused. */
export const redactionProfileSchema = z.strictObject({
  version: z.literal(1).describe('Version of this document format.'),
  preset: z
    .enum(['standard'])
    .default('standard')
    .describe(
      'The rules that hold where this document says nothing. `standard`: high blocks, medium masks, low is left alone.'
    ),
  blockHighRisk: z
    .boolean()
    .default(true)
    .describe(
      'Whether a request that carries a high-risk value is refused. `false` masks the value and forwards the request.'
    ),
  actions: z
    .strictObject({
      groups: z.partialRecord(z.enum(groups), actionSchema).default({}).describe('Action by group of kinds.'),
      kinds: z
        .record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), actionSchema)
        .default({})
        .describe('Action by kind; it wins over its group.')
    })
    .prefault({})
    .describe('What is done about a finding, where it differs from the preset.'),
  placeholder: z
    .enum(['keyed', 'typed'])
    .default('keyed')
    .describe(
      '`keyed`: the kind and ten characters that are the same wherever the value is the same. `typed`: the kind alone.'
    )
})

export type RedactionProfile = z.output<typeof redactionProfileSchema>

/** The profile that a fresh workspace starts with, as revision 1. */
export const standardProfile: RedactionProfile = redactionProfileSchema.parse({ version: 1 })

/**
 * Where a text stands, which decides what a finding in it leads to. `masked`: user, system and tool-result text.
 * `watched`: everything else that may be changed. `sealed`: what must arrive byte for byte or the vendor refuses it
 * (signatures, thinking, ids, media).
 */
export const textScopes = ['masked', 'watched', 'sealed'] as const
export type TextScope = (typeof textScopes)[number]

/** A profile ready for the hot path. */
export interface CompiledProfile {
  readonly placeholder: RedactionProfile['placeholder']
  /** Pure: the same finding in the same scope always gets the same answer. */
  decide(finding: Finding, scope: TextScope): FindingAction
}

/**
 * Compiles a profile.
 *
 * In `masked` text the preset blocks high-risk findings of certain or strong confidence, masks what is left of the
 * high and medium tiers, and leaves low tiers and weak findings alone. In `watched` text only high-risk findings
 * count: they block, or are masked. In `sealed` text a high-risk finding blocks, or else is only counted, because
 * nothing there can be changed.
 *
 * @param options.blockHighRisk the server's own switch; when false no profile can block
 */
export function compileProfile(
  profile: RedactionProfile,
  options: { readonly blockHighRisk: boolean }
): CompiledProfile {
  const blocking = profile.blockHighRisk && options.blockHighRisk
  const byKind = new Map(Object.entries(profile.actions.kinds))
  const byGroup = new Map<Group, FindingAction>(Object.entries(profile.actions.groups) as [Group, FindingAction][])

  function wanted(finding: Finding): FindingAction {
    if (finding.confidence === 'weak') return 'allow'
    const chosen = byKind.get(finding.kind) ?? byGroup.get(finding.group)
    const action = chosen ?? (finding.tier === 'high' ? 'block' : finding.tier === 'medium' ? 'mask' : 'allow')
    if (action !== 'block') return action
    return blocking && finding.confidence !== 'medium' ? 'block' : 'mask'
  }

  return {
    placeholder: profile.placeholder,
    decide(finding, scope) {
      const action = wanted(finding)
      if (scope === 'masked' || action === 'allow') return action
      if (finding.tier !== 'high') return 'allow'
      if (scope === 'watched') return action
      return action === 'block' ? 'block' : 'allow'
    }
  }
}
