/** Finds the words with a digit that could be passwords in a stretch of text, each of them once. */
import { charSet, codeAt, inSet, runEnd, runStart } from '../../text/chars.ts'
import { isGenerated, statedSet, statedTailSet } from '../../values/stated-value.ts'

const wordUnitsMax = 96
const unitsMin = 7
/** Characters that may stand before and behind a word. */
const openSet = charSet(' \n\r("\'`*_{')
const closeSet = charSet(' \n\r)"\'`*_},;:?.!')
const emphasisSet = charSet('*_')
/** First code unit of the scripts and symbols that no password contains, even if glued to one. */
const foreignFrom = 0x370

interface UnnamedCandidate {
  readonly start: number
  readonly end: number
}

/** Remembers how far it has read the current text. */
export class UnnamedCandidates {
  #textNumber = 0
  #from = 0
  #to = 0

  /** The words with a digit in `[from, to)` that earlier calls for this text have not returned. */
  within(text: string, from: number, to: number, textNumber: number): readonly UnnamedCandidate[] {
    const isKnown = textNumber !== 0 && textNumber === this.#textNumber && from >= this.#from && from <= this.#to
    let at = isKnown ? this.#to : from
    if (!isKnown) this.#from = from
    this.#textNumber = textNumber
    let words: UnnamedCandidate[] | undefined
    while (at < to) {
      const code = text.charCodeAt(at)
      if (code < 48 || code > 57) {
        at++
        continue
      }
      const wordTo = runEnd(text, at, statedSet, wordUnitsMax)
      const word = wordAround(text, at, wordTo)
      if (word !== undefined) (words ??= []).push(word)
      at = wordTo
    }
    this.#to = Math.max(at, this.#from)
    return words ?? none
  }
}
const none: readonly UnnamedCandidate[] = []

/** The word around the digit at `at`, without emphasis; undefined if it continues in characters that no password has. */
function wordAround(text: string, at: number, wordTo: number): UnnamedCandidate | undefined {
  let start = runStart(text, at, statedSet, wordUnitsMax)
  let end = wordTo
  // Of a longer word, the anchor determines whether both ends are within the window.
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
  // A shortened value: `eyJhbGci...`.
  if (text.startsWith('..', end - 2) || behind === 0x2026) return undefined
  if (codeAt(text, end - 1) !== 45 || !isGenerated(text, start, end))
    end = runStart(text, end, statedTailSet, end - start)
  return end - start < unitsMin ? undefined : { start, end }
}
