/** Context words: which detectors' words stand shortly before a place. */
import { buildAutomaton, type Automaton } from './automaton.ts'
import { inSet, letterSet, lowerSet, upperSet } from './chars.ts'
import type { Detector } from './detector.ts'

/** How far back a look at the context goes, in UTF-16 units. */
export const contextWindowUnits = 64

/**
 * The words of all detectors in one automaton of their own, which runs over a short window and only where a value may
 * be.
 */
export interface ContextWords {
  readonly automaton: Automaton
  readonly lengths: readonly number[]
  /** For each word, the numbers of the detectors that listen to it. */
  readonly detectors: readonly (readonly number[])[]
  readonly detectorCount: number
}

export function compileContextWords(detectors: readonly Detector[]): ContextWords {
  const listeners = new Map<string, number[]>()
  detectors.forEach((detector, index) => {
    for (const word of new Set(detector.context)) {
      const known = listeners.get(word)
      if (known === undefined) listeners.set(word, [index])
      else known.push(index)
    }
  })
  const words = [...listeners.keys()]
  return {
    automaton: buildAutomaton(words, false),
    lengths: words.map((word) => word.length),
    detectors: [...listeners.values()],
    detectorCount: detectors.length
  }
}

/**
 * Whether `[start, end)` is a whole word. `_` and digits bound a word, and so does a change of case, so that `ssn` is
 * found in `customer_ssn`, `ssnNumber` and `userSSN`, and not in `lessness`.
 */
export function isWholeWord(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1)
  const first = text.charCodeAt(start)
  const last = text.charCodeAt(end - 1)
  let after = text.charCodeAt(end)
  if (inSet(letterSet, before) && inSet(letterSet, first) && !(inSet(lowerSet, before) && inSet(upperSet, first)))
    return false
  if ((after === 115 || after === 83) && inSet(letterSet, last)) after = text.charCodeAt(end + 1)
  return !(inSet(letterSet, after) && inSet(letterSet, last)) || (inSet(upperSet, after) && inSet(lowerSet, last))
}

/**
 * Answers which words stand before a place. The last answer is kept, since several detectors ask about one place. It
 * holds no text.
 */
export class ContextLookup {
  readonly #words: ContextWords
  /** For each detector the end of its nearest word, valid where the stamp is that of the current look. */
  readonly #ends: Int32Array
  readonly #stamps: Int32Array
  #stamp = 0
  #lookedAt = -1
  #lookedIn = 0
  #texts = 0

  constructor(words: ContextWords) {
    this.#words = words
    this.#ends = new Int32Array(words.detectorCount)
    this.#stamps = new Int32Array(words.detectorCount)
  }

  /**
   * A number for a text that answers are about; without it an answer about another text would be taken for one about
   * this.
   */
  nextText(): number {
    return ++this.#texts
  }

  /** Whether a word of `detector` ends within `unitsMax` units before `at`. */
  near(text: string, textNumber: number, at: number, detector: number, unitsMax: number): boolean {
    if (at !== this.#lookedAt || textNumber !== this.#lookedIn) this.#look(text, at)
    this.#lookedIn = textNumber
    return this.#stamps[detector] === this.#stamp && at - (this.#ends[detector] as number) <= unitsMax
  }

  #look(text: string, at: number): void {
    this.#lookedAt = at
    this.#stamp++
    const { classOf, table, start, outputMin, outputs, stride } = this.#words.automaton
    let state = start
    for (let i = Math.max(0, at - contextWindowUnits); i < at; i++) {
      state = table[state + (classOf[text.charCodeAt(i)] as number)] as number
      if (state >= outputMin) this.#note(text, i + 1, outputs[(state - outputMin) / stride] as Int32Array)
    }
  }

  #note(text: string, end: number, ids: Int32Array): void {
    for (const id of ids) {
      if (!isWholeWord(text, end - (this.#words.lengths[id] as number), end)) continue
      for (const detector of this.#words.detectors[id] as readonly number[]) {
        this.#ends[detector] = end
        this.#stamps[detector] = this.#stamp
      }
    }
  }
}
