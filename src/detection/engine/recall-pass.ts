/** A scan of one text only for the values that a memory holds, for texts that are known to contain nothing else. */
import type { Finding, ScanRun } from '../findings.ts'
import { blockOfDepth, blockUnits } from './text-block.ts'
import type { ValueMemory } from './memory.ts'
import { overlapsInSteps } from './overlap.ts'
import { findUnits, Pace } from './pace.ts'
import { withRests } from './rest-of-value.ts'

/**
 * Searches a text for the values of a memory, block by block, until the pace is due.
 * @param from where to begin
 * @param textNumber the number of the text in the memory
 * @param found receives the findings
 * @returns how far it came
 */
export function recallIn(
  text: string,
  from: number,
  memory: ValueMemory,
  textNumber: number,
  found: Finding[],
  pace: Pace
): number {
  const block = blockOfDepth(0)
  let at = from
  while (at < text.length && !pace.isDue) {
    const end = Math.min(text.length, at + blockUnits, at + pace.until - pace.done)
    const foundBefore = found.length
    if (!memory.recallFew(text, at, end, textNumber, found)) {
      // The block that was searched last often is the whole text.
      if (block.from !== at || block.to !== end) block.load(text, at, end)
      memory.recall(text, block, textNumber, found)
    }
    pace.spend(end - at + (found.length - foundBefore) * findUnits)
    at = end
  }
  block.clear()
  return at
}

/** Finds the same as a scan of such a text, in a fraction of the time. */
export class RecallPass implements ScanRun {
  readonly #text: string
  readonly #memory: ValueMemory | undefined
  readonly #textNumber: number
  readonly #pace = new Pace()
  #found: Finding[] = []
  #at = 0
  #end: Iterator<void> | undefined

  /** @param memory without one, nothing is found */
  constructor(text: string, memory: ValueMemory | undefined) {
    this.#text = text
    this.#memory = memory
    this.#textNumber = memory?.nextText() ?? 0
  }

  step(units: number): boolean {
    const memory = this.#memory
    if (memory === undefined || memory.size === 0) return true
    this.#pace.allow(units)
    this.#at = recallIn(this.#text, this.#at, memory, this.#textNumber, this.#found, this.#pace)
    if (this.#at < this.#text.length) return false
    return this.#found.length === 0 || (this.#end ??= this.#settle()).next().done === true
  }

  get work(): number {
    return this.#pace.done
  }

  findings(): Finding[] {
    return this.#found
  }

  own(): undefined {
    return undefined
  }

  *#settle(): Generator<void, void, void> {
    this.#found = yield* withRests(this.#text, yield* overlapsInSteps(this.#text, this.#found, this.#pace), this.#pace)
  }
}
