/** A scan of one text only for the values that a memory holds, for texts that are known to contain nothing else. */
import type { Finding, ScanRun } from '../findings.ts'
import { blockOfDepth, blockUnits } from '../text/text-block.ts'
import type { ValueMemory } from './memory.ts'
import { resolveOverlaps } from './overlap.ts'
import { withRests } from './rest-of-value.ts'

/**
 * Searches `[from, to)` of a text for the values of a memory.
 * @param textNumber the number of the text in the memory
 * @param found receives the findings
 */
export function recallIn(
  text: string,
  from: number,
  to: number,
  memory: ValueMemory,
  textNumber: number,
  found: Finding[]
): void {
  const block = blockOfDepth(0)
  for (let at = from; at < to;) {
    const end = Math.min(to, at + blockUnits)
    if (!memory.recallFew(text, at, end, textNumber, found)) {
      // The block that was searched last often is the whole text.
      if (block.from !== at || block.to !== end) block.load(text, at, end)
      memory.recall(text, block, textNumber, found)
    }
    at = end
  }
  block.clear()
}

/** Finds the same as a scan of such a text, in a fraction of the time. */
export class RecallPass implements ScanRun {
  readonly #text: string
  readonly #memory: ValueMemory | undefined
  readonly #textNumber: number
  #found: Finding[] = []
  #at = 0

  /** @param memory without one, nothing is found */
  constructor(text: string, memory: ValueMemory | undefined) {
    this.#text = text
    this.#memory = memory
    this.#textNumber = memory?.nextText() ?? 0
  }

  step(units: number): boolean {
    const memory = this.#memory
    if (memory === undefined || memory.size === 0) return true
    const { length } = this.#text
    const limit = Math.min(length, this.#at + Math.max(1, units))
    recallIn(this.#text, this.#at, limit, memory, this.#textNumber, this.#found)
    this.#at = limit
    if (limit === length) this.#found = withRests(this.#text, resolveOverlaps(this.#found))
    return limit === length
  }

  findings(): Finding[] {
    return this.#found
  }
}
