/** The words in a stretch of a text that have a digit and could be a password, each of them once. */
import { charSet, codeAt, inSet, runEnd, runStart } from '../text/chars.ts'
import { isDrawn } from '../values/told-value.ts'

const valueSet = charSet('A-Z', 'a-z', '0-9', '_!@#$%^&*.+-')
const wordUnitsMax = 96
const unitsMin = 7
/** What stands before a word, and behind one. */
const openSet = charSet(' \n\r("\'`*_{')
const closeSet = charSet(' \n\r)"\'`*_},;:?.!')
const emphasisSet = charSet('*_')
const tailSet = charSet('.-')
/** From here on letters and signs stand that no password has, also glued to one. */
const foreignFrom = 0x370

export interface StrayWord {
  readonly start: number
  readonly end: number
}

/** Remembers how far it has read the text that it was asked about last. */
export class StrayWords {
  #textNumber = 0
  #from = 0
  #to = 0

  /** The words with a digit in `[from, to)` that it was not asked for before. */
  within(text: string, from: number, to: number, textNumber: number): readonly StrayWord[] {
    const isKnown = textNumber !== 0 && textNumber === this.#textNumber && from >= this.#from && from <= this.#to
    let at = isKnown ? this.#to : from
    if (!isKnown) this.#from = from
    this.#textNumber = textNumber
    let words: StrayWord[] | undefined
    while (at < to) {
      const code = text.charCodeAt(at)
      if (code < 48 || code > 57) {
        at++
        continue
      }
      const wordTo = runEnd(text, at, valueSet, wordUnitsMax)
      const word = wordAround(text, at, wordTo)
      if (word !== undefined) (words ??= []).push(word)
      at = wordTo
    }
    this.#to = Math.max(at, this.#from)
    return words ?? none
  }
}
const none: readonly StrayWord[] = []

/** The word around the digit at `at`, without emphasis around it; undefined where it goes on in signs that no password is told with. */
function wordAround(text: string, at: number, wordTo: number): StrayWord | undefined {
  let start = runStart(text, at, valueSet, wordUnitsMax)
  let end = wordTo
  // Of a longer word it depends on the digit at hand whether both ends are in sight.
  if (end - start > wordUnitsMax) return undefined
  while (
    end > start &&
    inSet(emphasisSet, text.charCodeAt(start)) &&
    text.charCodeAt(end - 1) === text.charCodeAt(start)
  ) {
    start++
    end--
  }
  const before = codeAt(text, start - 1)
  const behind = codeAt(text, end)
  if (start > 0 && !inSet(openSet, before) && before < foreignFrom) return undefined
  if (end < text.length && !inSet(closeSet, behind) && behind < foreignFrom) return undefined
  if ((behind === 58 || behind === 44) && codeAt(text, end + 1) > 32 && codeAt(text, end + 1) < foreignFrom)
    return undefined
  // What was cut short: `eyJhbGci...`.
  if (text.startsWith('..', end - 2) || behind === 0x2026) return undefined
  if (codeAt(text, end - 1) !== 45 || !isDrawn(text, start, end))
    while (end > start && inSet(tailSet, text.charCodeAt(end - 1))) end--
  return end - start < unitsMin ? undefined : { start, end }
}
