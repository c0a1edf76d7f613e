/** Counts what a scan found in one call. Kinds, tiers and places; never a value. */
import { tiers, type Finding, type Tier } from '../detection/findings.ts'
import type { FindingAction } from '../policy/redaction/profile.ts'

/** One reason for a block, as the client's error names it. */
export interface BlockReason {
  readonly kind: string
  readonly place: string
}

/** Reasons beyond these are counted in the event and left out of the sentence. */
const reasonsMax = 3

export interface Tally {
  add(finding: Finding, action: FindingAction, place: () => string): void
  /** What the call as a whole leads to. */
  readonly action: FindingAction
  /** The highest tier of all findings but the weak ones. */
  readonly riskTier: Tier
  /** Findings that were masked. */
  readonly masked: number
  /** Findings that were masked or that blocked, by kind. */
  readonly entityCounts: Record<string, number>
  /** Findings that were seen and left alone, by kind. */
  readonly passedCounts: Record<string, number>
  readonly reasons: readonly BlockReason[]
  /** Blocking findings beyond those in `reasons`. */
  readonly reasonsLeftOut: number
}

export function createTally(): Tally {
  const entityCounts: Record<string, number> = {}
  const passedCounts: Record<string, number> = {}
  const reasons: BlockReason[] = []
  let blocked = 0
  let masked = 0
  let tier = 0
  return {
    add(finding, action, place) {
      if (finding.confidence !== 'weak') tier = Math.max(tier, tiers.indexOf(finding.tier))
      const counts = action === 'allow' ? passedCounts : entityCounts
      counts[finding.kind] = (counts[finding.kind] ?? 0) + 1
      if (action === 'mask') masked++
      if (action !== 'block') return
      blocked++
      if (reasons.length < reasonsMax) reasons.push({ kind: finding.kind, place: place() })
    },
    get action() {
      return blocked > 0 ? 'block' : masked > 0 ? 'mask' : 'allow'
    },
    get riskTier() {
      return tiers[tier] as Tier
    },
    get masked() {
      return masked
    },
    get reasonsLeftOut() {
      return blocked - reasons.length
    },
    entityCounts,
    passedCounts,
    reasons
  }
}
