/** A redaction profile in compiled form: the action for a finding at a place. */
import type { Finding, FindingSort, Group } from '../../detection/findings.ts'
import { editorsOf, restores, type FindingAction, type RedactionProfile } from './profile.ts'
import type { TextOrigin, TextPlace } from './text-place.ts'

/** A profile compiled for the hot path. Immutable. */
export interface CompiledProfile {
  readonly placeholder: RedactionProfile['placeholder']
  readonly restore: {
    readonly enabled: boolean
    readonly tools: readonly string[]
    /** Globs of the tools that edit files, in whose arguments values of the high tier are restored too. */
    readonly files: readonly string[]
  }
  readonly blockAs: RedactionProfile['blockAs']
  readonly limits: RedactionProfile['limits']
  /**
   * Pure: the same finding at the same place always gets the same answer. Looks up two tables and allocates nothing, so
   * its cost does not depend on the size of the profile.
   */
  decide(finding: Finding, place: TextPlace): FindingAction
  /** Whether such a finding is allowed at every place. */
  passes(finding: FindingSort): boolean
}

/**
 * Compiles a profile.
 *
 * In `masked` text a preset blocks high-risk findings of certain or strong confidence, masks what is left of the high
 * and medium tiers, and leaves low tiers and weak findings alone. In `watched` text only high-risk findings count: they
 * block, or are masked. In `sealed` text a high-risk finding blocks, or else is only counted, because nothing there can
 * be changed. With the preset `coding-agents` nothing but the newest user text blocks.
 *
 * @param options.blockHighRisk the server's own switch; when false no profile can block
 */
export function compileProfile(
  profile: RedactionProfile,
  options: { readonly blockHighRisk: boolean }
): CompiledProfile {
  const blocks = profile.blockHighRisk && options.blockHighRisk
  const blocksHistory = profile.preset !== 'coding-agents'
  const observes = profile.mode === 'observe'
  const byKind = new Map(Object.entries(profile.actions.kinds))
  const byGroup = new Map<Group, FindingAction>(Object.entries(profile.actions.groups) as [Group, FindingAction][])
  const isRestored = restores(profile)
  const scopes: Partial<Record<TextOrigin, 'masked' | 'watched'>> = {
    ...(isRestored && { assistant: 'masked' }),
    ...profile.scopes
  }

  function wanted(finding: FindingSort): FindingAction {
    if (finding.confidence === 'weak' || (observes && finding.tier !== 'high')) return 'allow'
    const chosen = byKind.get(finding.kind) ?? byGroup.get(finding.group)
    return chosen ?? (finding.tier === 'high' ? 'block' : finding.tier === 'medium' ? 'mask' : 'allow')
  }

  return {
    placeholder: profile.placeholder,
    restore: { enabled: isRestored, tools: profile.restore.tools, files: editorsOf(profile) },
    blockAs: profile.blockAs,
    limits: profile.limits,
    passes: (finding) => wanted(finding) === 'allow',
    decide(finding, place) {
      const action = wanted(finding)
      if (action === 'allow') return action
      const scope = place.scope === 'sealed' ? place.scope : (scopes[place.origin] ?? place.scope)
      if (scope !== 'masked' && finding.tier !== 'high') return 'allow'
      const mayBlock = blocks && finding.confidence !== 'medium' && (blocksHistory || place.isNewest)
      if (action === 'block' && mayBlock) return action
      return scope === 'sealed' ? 'allow' : 'mask'
    }
  }
}
