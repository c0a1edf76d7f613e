/** Context words: which detectors' words stand shortly before a place. */
import { buildAutomaton, type Automaton } from './automaton.ts'
import { inSet, letterSet, lowerSet, upperSet } from './chars.ts'
import type { Detector } from './detector.ts'

/** How far back a look at the context goes, in UTF-16 units. */
export const contextWindowUnits = 64

/** Words in an automaton of their own, which runs over a short window and only where a value may be. */
interface WordTable {
  readonly automaton: Automaton
  readonly lengths: readonly number[]
  /** For each word, the numbers of the detectors that listen to it. */
  readonly detectors: readonly (readonly number[])[]
}

/** The words of all detectors. Those of other scripts stand apart, so that the table of most texts stays small. */
export interface ContextWords {
  readonly plain: WordTable
  /** Built when the first text asks for it, since most never do. */
  readonly other: () => WordTable
  readonly detectorCount: number
}

export function compileContextWords(detectors: readonly Detector[]): ContextWords {
  const plain = new Map<string, number[]>()
  const other = new Map<string, number[]>()
  detectors.forEach((detector, index) => {
    for (const word of new Set(detector.context?.map(joined))) {
      const listeners = isAscii(word) ? plain : other
      const known = listeners.get(word)
      if (known === undefined) listeners.set(word, [index])
      else known.push(index)
    }
  })
  let built: WordTable | undefined
  return { plain: wordTable(plain), other: () => (built ??= wordTable(other)), detectorCount: detectors.length }
}

function wordTable(listeners: ReadonlyMap<string, readonly number[]>): WordTable {
  const words = [...listeners.keys()]
  const automaton = buildAutomaton(words, false)
  for (const joint of '_-') automaton.classOf[joint.charCodeAt(0)] = automaton.classOf[32] as number
  return { automaton, lengths: words.map((word) => word.length), detectors: [...listeners.values()] }
}

/** A blank in a word also stands for `_` and `-`, as keys and headings have them. */
function joined(word: string): string {
  return word.replaceAll('_', ' ').replaceAll('-', ' ')
}

function isAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 127) return false
  return true
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
  // The `s` of a plural; the capital in `ssnStore` begins the next word.
  if ((after === 115 && inSet(letterSet, last)) || (after === 83 && inSet(upperSet, last)))
    after = text.charCodeAt(end + 1)
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
  #found = false

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

  /** Whether a word of any detector stands before `at`. */
  any(text: string, textNumber: number, at: number): boolean {
    if (at !== this.#lookedAt || textNumber !== this.#lookedIn) this.#look(text, at)
    this.#lookedIn = textNumber
    return this.#found
  }

  #look(text: string, at: number): void {
    this.#lookedAt = at
    this.#found = false
    this.#stamp++
    const from = Math.max(0, at - contextWindowUnits)
    if (this.#search(text, from, at, this.#words.plain) > 127) this.#search(text, from, at, this.#words.other())
  }

  /** @returns all codes of the window, or-ed together */
  #search(text: string, from: number, at: number, words: WordTable): number {
    const { classOf, table, start, outputMin, outputs, stride } = words.automaton
    let state = start
    let seen = 0
    for (let i = from; i < at; i++) {
      const code = text.charCodeAt(i)
      seen |= code
      state = table[state + (classOf[code] as number)] as number
      if (state >= outputMin) this.#note(text, i + 1, outputs[(state - outputMin) / stride] as Int32Array, words)
    }
    return seen
  }

  #note(text: string, end: number, ids: Int32Array, words: WordTable): void {
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] as number
      if (!isWholeWord(text, end - (words.lengths[id] as number), end)) continue
      this.#found = true
      const listeners = words.detectors[id] as readonly number[]
      for (let k = 0; k < listeners.length; k++) {
        const detector = listeners[k] as number
        this.#ends[detector] = end
        this.#stamps[detector] = this.#stamp
      }
    }
  }
}
