/** Counts what a scan found in one call. Kinds, tiers and places; never a value. */
import { tiers, type FindingSort, type Tier } from '../../detection/findings.ts'
import type { FindingAction } from '../../policy/redaction/profile.ts'
import { addCount } from '../../policy/redaction/count-kinds.ts'

/** One reason for a block, as the client's error names it. */
interface BlockReason {
  readonly kind: string
  readonly place: string
}

/** Reasons beyond these are counted in the event and left out of the sentence. */
const reasonsMax = 3

export interface Tally {
  /** @param count how many such findings; those that are masked or block are told one by one */
  add(finding: FindingSort, action: FindingAction, place: () => string, count?: number): void
  /** Is told each finding before it is counted. */
  onFind: ((finding: FindingSort) => void) | undefined
  /** What the call as a whole leads to. */
  readonly action: FindingAction
  /** The highest tier of all findings but the weak ones. */
  readonly riskTier: Tier
  /** All findings, whatever became of them. */
  readonly found: number
  /** Findings that were masked. */
  readonly masked: number
  /** Findings that were masked or that blocked, by kind. */
  readonly entityCounts: Record<string, number>
  /** Findings that were seen and left alone, by kind. */
  readonly passedCounts: Record<string, number>
  readonly reasons: readonly BlockReason[]
  /** Blocking findings beyond those that `reasons` name. */
  readonly reasonsLeftOut: number
}

export const createTally = (): Tally => new Counts()

/** A class, since each call makes one: accessors of an object that is written out are defined anew each time. */
class Counts implements Tally {
  readonly entityCounts: Record<string, number> = {}
  readonly passedCounts: Record<string, number> = {}
  readonly reasons: BlockReason[] = []
  found = 0
  onFind: ((finding: FindingSort) => void) | undefined = undefined
  #blocked = 0
  /** Of those that blocked, how many a reason names: several of one kind at one place have one. */
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
