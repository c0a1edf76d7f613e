/** Counts what the scans of one call found: kinds, tiers and places, never a value. */
import { tiers, type FindingSort, type Tier } from '../../detection/findings.ts'
import type { FindingAction } from '../../policy/redaction/profile.ts'
import { addCount } from '../../policy/redaction/count-kinds.ts'

/** One reason for a block, as the client's error names it. */
interface BlockReason {
  readonly kind: string
  readonly place: string
}

/** Further reasons are counted in the event and left out of the error's sentence. */
const reasonsMax = 3

export interface Tally {
  /** @param count how many such findings; masked and blocking ones are added one by one */
  add(finding: FindingSort, action: FindingAction, place: () => string, count?: number): void
  /** Called with each finding before it is counted. */
  onFind: ((finding: FindingSort) => void) | undefined
  /** The action for the call as a whole. */
  readonly action: FindingAction
  /** The highest tier among all findings but the weak ones. */
  readonly riskTier: Tier
  /** All findings, whatever the action. */
  readonly found: number
  /** Masked findings. */
  readonly masked: number
  /** Masked and blocking findings, by kind. */
  readonly entityCounts: Record<string, number>
  /** Findings that were allowed, by kind. */
  readonly passedCounts: Record<string, number>
  readonly reasons: readonly BlockReason[]
  /** Blocking findings beyond those that `reasons` name. */
  readonly reasonsLeftOut: number
}

export const createTally = (): Tally => new Counts()

/** A class because each call creates one: accessors of an object literal are defined anew each time. */
class Counts implements Tally {
  readonly entityCounts: Record<string, number> = {}
  readonly passedCounts: Record<string, number> = {}
  readonly reasons: BlockReason[] = []
  found = 0
  onFind: ((finding: FindingSort) => void) | undefined = undefined
  #blocked = 0
  /** Blocking findings covered by a named reason: several of one kind at one place share one. */
  #named = 0
  #masked = 0
  #tier = 0

  add(finding: FindingSort, action: FindingAction, place: () => string, count = 1): void {
    this.onFind?.(finding)
    this.found += count
    if (finding.confidence !== 'weak') this.#tier = Math.max(this.#tier, tiers.indexOf(finding.tier))
    addCount(action === 'allow' ? this.passedCounts : this.entityCounts, finding.kind, count)
    if (action === 'mask') this.#masked++
    if (action !== 'block') return
    this.#blocked++
    if (this.reasons.length < reasonsMax) this.#name(finding.kind, place())
  }

  #name(kind: string, place: string): void {
    this.#named++
    if (!this.reasons.some((reason) => reason.kind === kind && reason.place === place))
      this.reasons.push({ kind, place })
  }

  get action(): FindingAction {
    return this.#blocked > 0 ? 'block' : this.#masked > 0 ? 'mask' : 'allow'
  }

  get riskTier(): Tier {
    return tiers[this.#tier] as Tier
  }

  get masked(): number {
    return this.#masked
  }

  get reasonsLeftOut(): number {
    return this.#blocked - this.#named
  }
}
