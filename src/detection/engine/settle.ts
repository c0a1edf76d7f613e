/** What is left to do once a text is searched: its findings meet what earlier texts of the request revealed. */
import type { Finding, OwnFind, ScanRun } from '../findings.ts'
import type { ContextValue } from './inner-scans.ts'
import type { ValueMemory } from './memory.ts'
import { overlapsInSteps } from './overlap.ts'
import { Pace } from './pace.ts'
import { recallIn } from './recall-pass.ts'
import { withRests } from './rest-of-value.ts'

/** The cost of remembering a value. */
const unitsPerKeep = 64

/**
 * Remembers what the context revealed, and recalls what the memory knows.
 * @param own what the text itself holds, without overlaps; not changed
 * @param byContext the values of those findings that their context revealed
 */
export function* settle(
  text: string,
  textNumber: number,
  own: readonly Finding[],
  byContext: ReadonlyMap<Finding, ContextValue> | undefined,
  memory: ValueMemory | undefined,
  pace: Pace
): Generator<void, Finding[], void> {
  let found = [...own]
  if (memory !== undefined) {
    if (byContext !== undefined)
      for (const finding of own) {
        const value = byContext.get(finding)
        if (value === undefined) continue
        memory.keep(value.text, finding, textNumber, value.start, value.end)
        if (value.text !== text) memory.keep(text, finding, textNumber)
        if (pace.spend(unitsPerKeep)) yield
      }
    if (memory.size > 0) {
      for (let at = 0; at < text.length;) {
        at = recallIn(text, at, memory, textNumber, found, pace)
        if (pace.isDue) yield
      }
      found = yield* overlapsInSteps(text, found, pace)
    }
  }
  // Comes last: a recalled value may have been cut as well.
  return yield* withRests(text, found, pace)
}

/** A scan of a text of which is known what it holds by itself. */
export class KnownRun implements ScanRun {
  readonly #own: readonly OwnFind[]
  readonly #pace = new Pace()
  readonly #work: Generator<void, Finding[], void>
  #found: Finding[] = []

  constructor(text: string, own: readonly OwnFind[], memory: ValueMemory | undefined) {
    this.#own = own
    const found = own.map(({ finding }) => finding)
    const byContext = new Map<Finding, ContextValue>()
    for (const { finding, byContext: isKept } of own)
      if (isKept) byContext.set(finding, { text, start: finding.start, end: finding.end })
    this.#work = settle(text, memory?.nextText() ?? 0, found, byContext, memory, this.#pace)
  }

  step(units: number): boolean {
    this.#pace.allow(units)
    const { done, value } = this.#work.next()
    if (done === true) this.#found = value
    return done === true
  }

  get work(): number {
    return this.#pace.done
  }

  findings(): Finding[] {
    return this.#found
  }

  own(): readonly OwnFind[] {
    return this.#own
  }
}
