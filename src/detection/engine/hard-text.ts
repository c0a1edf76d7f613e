/**
 * Finds the parts of a text that may read differently from how they are written, and passes them on as they read:
 * invisible and styled characters, escapes, base64, keys over two lines.
 * - A part is made only around a sign of such writing, and it is short. Ordinary text therefore costs a look at every
 *   second character, and text in Greek or Cyrillic one more at each.
 */
import { codeAt, digitSet, inSet, wordSet } from '../text/chars.ts'
import {
  blankClass,
  characterTables,
  dashClass,
  formClass,
  hiddenClass,
  isVisibleAscii,
  lookalikeClass,
  markClass,
  pairMeaning,
  quoteClass,
  surrogateClass
} from '../normalise/characters.ts'
import { decodeRun, RunFinder, runUnitsMin, type Decoded } from '../normalise/encoded-run.ts'
import { callsForShadow } from '../normalise/escapes.ts'
import { beginsSeveralLines, guttersAround } from '../normalise/gutters.ts'
import { isNestedSign, NestedReader } from '../normalise/nested-text.ts'
import type { DecodedText } from '../normalise/decoded-text.ts'
import type { LineJoin } from '../normalise/line-join.ts'
import { castShadow, type Shadow } from '../normalise/shadow.ts'
import { splitKeyAt, splitKeyBefore } from '../normalise/split-key.ts'
import type { TextBlock } from './text-block.ts'

/** How much text before a sign belongs to its part: enough for the words around a value. */
const beforeUnits = 192
/** How much text follows a sign. Invisible characters do not occur in keys, so more is read behind them. */
const afterUnits = 512
const afterHiddenUnits = 4096
/** The longest part that is read in one go. */
const partUnitsMax = 16_384
/** How far a part is extended to end between two words. */
const snapUnits = 128

/** Receives the parts. */
export interface PartReader {
  shadow(shadow: Shadow): void
  decoded(decoded: Decoded): void
  nested(nested: DecodedText): void
  /** A run of base64 letters. */
  run(start: number, end: number): void
  /** Counts work, in code units of ordinary text. */
  spend(units: number): void
}

/** What a look at a sign costs, and what the shadow of a unit. */
const unitsPerNested = 64
const unitsPerSign = 8
const unitCost = 4

export class HardText {
  readonly #text: string
  readonly #reader: PartReader
  #runs: RunFinder | undefined
  #nested: NestedReader | undefined
  /** Signs in the block of texts within the text. */
  #nestedSigns: number[] = []
  /** The signs in the block: place times two, plus one for those behind which more is read. */
  #signs: number[] = []
  #joins: LineJoin[] = []
  /** Gutters before this place are known. */
  #guttersTo = 0
  /** The open part; none if `to` is 0. */
  #from = 0
  #to = 0

  constructor(text: string, reader: PartReader) {
    this.#text = text
    this.#reader = reader
  }

  /** Reports an escape literal, or a sign beyond ASCII, at `at`. */
  signal(at: number): void {
    const text = this.#text
    const code = text.charCodeAt(at)
    if (beginsSeveralLines(code)) this.#leaveOutGutters(at)
    if (code < 128) {
      if (isNestedSign(text, at)) this.#nestedSigns.push(at)
      if (callsForShadow(text, at)) this.#signs.push(at * 2)
      return
    }
    const { classOf } = characterTables()
    const cls = classOf[code] as number
    if (isSign(text, at, code, cls, classOf))
      this.#signs.push(at * 2 + (cls === hiddenClass || cls === surrogateClass ? 1 : 0))
  }

  #leaveOutGutters(at: number): void {
    if (at < this.#guttersTo) return
    const cuts = guttersAround(this.#text, at)
    for (const cut of cuts) if (cut.at >= this.#guttersTo) this.#joins.push(cut)
    const last = cuts.at(-1)
    if (last === undefined) return
    this.#guttersTo = last.to
    // The signs are so close together that all of it is read as one part.
    const to = Math.min(last.to + afterUnits, this.#text.length)
    for (let sign = at; sign < to; sign += afterHiddenUnits / 2) this.#signs.push(sign * 2 + 1)
  }

  /** Ends a block. Signs are examined now and not before, so that the result does not depend on the steps of a scan. */
  endBlock(block: TextBlock): void {
    const { to } = block
    if ((block.wideBits & lookalikeBits) !== 0) this.#lookForLookalikes(block)
    this.#lookForRuns(block)
    this.#readNested()
    if (this.#signs.length > 0) {
      this.#reader.spend(this.#signs.length * unitsPerSign)
      if (this.#signs.length > 1) this.#signs.sort((a, b) => a - b)
      for (const sign of this.#signs) this.#open(sign >> 1, sign & 1)
      this.#signs = []
    }
    if (this.#to > 0 && (this.#to <= to || to === this.#text.length)) this.#close()
  }

  /** Opens a part, or extends the open one. Signs may stand close together, so this does next to nothing. */
  #open(at: number, far: number): void {
    const from = at - beforeUnits
    const to = at + (far === 1 ? afterHiddenUnits : afterUnits)
    if (this.#to > 0 && (from > this.#to || to - this.#from > partUnitsMax)) this.#close()
    // The end of a long run may be reported before what stands in front of it.
    if (this.#to === 0 || from < this.#from) this.#from = snapBack(this.#text, from)
    if (to > this.#to) this.#to = to
  }

  #close(): void {
    const from = this.#from
    const to = snapOn(this.#text, this.#to)
    this.#to = 0
    const joins = this.#joins.filter((join) => join.at >= from && join.to <= to)
    if (this.#guttersTo > 0) joins.sort((a, b) => a.at - b.at)
    this.#joins = this.#joins.filter((join) => join.at >= to - partUnitsMax)
    this.#cast(from, to, joins)
    // Lines that may be two halves of a key may also be two lines, and only a shadow shows what else is hidden in them.
    const gutters = joins.filter((join) => join.silent === true)
    if (gutters.length < joins.length) this.#cast(from, to, gutters)
  }

  #cast(from: number, to: number, joins: readonly LineJoin[]): void {
    this.#reader.spend((to - from) * unitCost)
    const shadow = castShadow(this.#text, from, to, joins)
    if (shadow !== undefined) this.#reader.shadow(shadow)
  }

  #readNested(): void {
    if (this.#nestedSigns.length === 0) return
    const reader = (this.#nested ??= new NestedReader(this.#text))
    this.#reader.spend(this.#nestedSigns.length * unitsPerNested)
    for (const at of this.#nestedSigns.sort((a, b) => a - b)) {
      const nested = reader.read(at)
      if (nested !== undefined) this.#reader.nested(nested)
    }
    this.#nestedSigns = []
  }

  #lookForRuns(block: TextBlock): void {
    const text = this.#text
    // Most texts of a body are too short for a run, and skip the search for one.
    if (text.length < runUnitsMin) return
    const runs = (this.#runs ??= new RunFinder(text))
    for (let start = runs.next(block); start >= 0; start = runs.next(block)) {
      const { end } = runs
      this.#reader.run(start, end)
      const decoded = decodeRun(text, start, end)
      runs.skip(decoded?.seenTo ?? end)
      if (decoded !== undefined) this.#reader.decoded(decoded)
      // Both halves of a split key have a digit.
      if (!runs.mayHaveDigit) continue
      this.#join(splitKeyBefore(text, start, end))
      this.#join(splitKeyAt(text, start, end))
    }
  }

  #join(join: LineJoin | undefined): void {
    if (join === undefined) return
    this.#joins.push(join)
    this.#signs.push(join.at * 2)
  }

  /**
   * Letters that look Latin are most of the letters of their own scripts, so they are not signs. In a row of them only
   * the first and the last may be next to ASCII.
   */
  #lookForLookalikes(block: TextBlock): void {
    for (let at = block.wideAt(block.from), end = 0; at < block.to; at = block.wideAt(end)) {
      end = block.wideEnd(at)
      this.#lookalike(at)
      if (end - at > 1) this.#lookalike(end - 1)
    }
  }

  #lookalike(at: number): void {
    const text = this.#text
    if (characterTables().classOf[text.charCodeAt(at)] !== lookalikeClass) return
    if (inSet(wordSet, codeAt(text, at - 1)) || inSet(wordSet, codeAt(text, at + 1))) this.#signs.push(at * 2)
  }
}

/** The blocks of letters that look Latin, as bits of a code: Greek, Cyrillic, and additions to Latin. */
const lookalikeBits = 0x700

/** Whether a character stands where it can hide something: within an ASCII word or number. */
function isSign(text: string, at: number, code: number, cls: number, classOf: Uint8Array): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at + 1)
  switch (cls) {
    case hiddenClass:
      // A directional mark may stand before a value as well as in it.
      return (isVisibleAscii(before) || isAssigned(text, at)) && isVisibleAscii(codeBehindHidden(text, at, classOf))
    case markClass:
      return isVisibleAscii(before) && (wordSet[after] === 1 || classOf[after] === markClass)
    case formClass:
      return wordSet[before] === 1 || wordSet[after] === 1 || classOf[after] === formClass
    case blankClass:
      // Text copied from a page has special blanks between a name and its value.
      return (wordSet[before] === 1 || isAssignment(before)) && (wordSet[after] === 1 || isAssignment(after))
    case dashClass:
      return digitSet[before] === 1 && wordSet[after] === 1
    case quoteClass:
      return isAssignment(before) || isAssigned(text, at)
    case surrogateClass: {
      const meant = pairMeaning(code, after)
      return meant > 0 || (meant === 0 && isVisibleAscii(before))
    }
    default:
      return false
  }
}

/** Whether an assignment operator and a blank precede `at`. */
function isAssigned(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 32 && isAssignment(text.charCodeAt(at - 2))
}

function isAssignment(code: number): boolean {
  return code === 58 || code === 61
}

/** The most invisible characters in a row that are skipped. */
const hiddenRowMax = 8

function codeBehindHidden(text: string, at: number, classOf: Uint8Array): number {
  let i = at + 1
  while (i < at + hiddenRowMax && classOf[text.charCodeAt(i)] === hiddenClass) i++
  return text.charCodeAt(i)
}

function snapBack(text: string, at: number): number {
  if (at <= 0) return 0
  let i = at
  while (i > 0 && i > at - snapUnits && text.charCodeAt(i - 1) > 32) i--
  return i
}

function snapOn(text: string, at: number): number {
  if (at >= text.length) return text.length
  let i = at
  while (i < text.length && i < at + snapUnits && text.charCodeAt(i) > 32) i++
  return i
}
