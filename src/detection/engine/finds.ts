/** What a scan has found in its text so far, and which of these values their context gave away. */
import type { Finding, OwnFind } from '../findings.ts'
import type { ContextValue, InnerScan } from './inner-scans.ts'
import type { Adopt } from './inner-places.ts'
import type { ValueMemory } from './memory.ts'
import { overlapsInSteps } from './overlap.ts'
import type { Pace } from './pace.ts'
import { settle } from './settle.ts'

export class Finds {
  #all: Finding[] = []
  /** What the text itself holds, once that is settled. */
  #own: readonly Finding[] = []
  #byContext: Map<Finding, ContextValue> | undefined

  get all(): Finding[] {
    return this.#all
  }

  /** @param value what is to be remembered of the finding, if its context gave it away */
  add(finding: Finding, value: ContextValue | undefined): void {
    this.#all.push(finding)
    if (value !== undefined) (this.#byContext ??= new Map()).set(finding, value)
  }

  /** Takes over findings in a text within the text. */
  adopter({ byContext }: InnerScan): Adopt {
    return (finding, start, end) => this.add({ ...finding, start, end }, byContext?.get(finding))
  }

  /**
   * Settles what overlaps, for the text that this one is within.
   * @param text this one
   */
  *inner(text: string, pace: Pace): Generator<void, InnerScan, void> {
    const findings = this.#all.length === 0 ? this.#all : yield* overlapsInSteps(text, this.#all, pace)
    return { findings, byContext: this.#byContext }
  }

  /**
   * Settles what overlaps, and what earlier texts of the request revealed.
   * @param textNumber the number of the text in the request
   */
  *settle(text: string, textNumber: number, memory: ValueMemory | undefined, pace: Pace): Generator<void, void, void> {
    this.#own = yield* overlapsInSteps(text, this.#all, pace)
    this.#all = yield* settle(text, textNumber, this.#own, this.#byContext, memory, pace)
  }

  /** What the text holds by itself; undefined if a value stands only in what a part of the text reads as. */
  own(text: string): readonly OwnFind[] | undefined {
    const finds: OwnFind[] = []
    for (const finding of this.#own) {
      const value = this.#byContext?.get(finding)
      if (value !== undefined && value.text !== text) return undefined
      finds.push({ finding, byContext: value !== undefined })
    }
    return finds
  }
}
