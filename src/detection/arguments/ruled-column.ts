/**
 * Reads a column of a table aligned with blanks: below a rule of dashes, as PowerShell and vault print it, or without
 * one, as kubectl does.
 */
import { behindLast, blankSet, charSet, codeAt, digitSet, inSet, runEnd } from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'
import { lineEnd } from '../text/rows.ts'

const headerUnitsMax = 240
const rowUnitsMax = 1024
const rowsMax = 500
const ruleSet = charSet('- \t')
const startSet = charSet('\n"\'`')

/** A column of such a table and its rows. One object serves all readings. */
export class RuledColumn {
  readonly #breaks = new NextOf(charSet('\n'))
  header = 0
  /** The cell that was read last, without the blanks around it. */
  start = 0
  end = 0
  /** Where the column and the next one begin, in units from the start of a line. */
  #from = 0
  #to = 0
  #at = 0
  #rows = 0
  #isRuled = false

  /**
   * Takes `[nameFrom, nameTo)` as the name of a column.
   * @param textNumber identifies the text; 0 for none
   * @returns whether dashes stand right below it, with nothing but dashes and blanks beside them; or a row whose cells
   *   begin where the names do
   */
  open(text: string, nameFrom: number, nameTo: number, textNumber: number): boolean {
    // Hardly any line below a name begins like a rule, and this costs least to check.
    const below = this.#breaks.at(text, nameTo, Math.min(text.length, nameTo + headerUnitsMax), textNumber) + 1
    if (codeAt(text, below - 1) !== 10) return false
    const isApart = standsApart(text, nameFrom, nameTo)
    if (!isApart && !inSet(ruleSet, codeAt(text, below))) return false
    // Within a string literal the text begins behind its quote.
    const line = behindLast(text, nameFrom, startSet, headerUnitsMax)
    if (nameFrom - line >= headerUnitsMax) return false
    const end = lineEnd(text, below, headerUnitsMax)
    this.#from = nameFrom - line
    if (isApart && end >= 0 && isAligned(text, line, below, end))
      return this.#openAligned(text, line, nameFrom, nameTo, below)
    const rule = below + this.#from
    if (end < 0 || rule >= end || text.charCodeAt(rule) !== 45 || codeAt(text, rule - 1) === 45) return false
    for (let i = below; i < end; i++) if (!inSet(ruleSet, text.charCodeAt(i)) && text.charCodeAt(i) !== 13) return false
    let next = rule
    while (next < end && text.charCodeAt(next) === 45) next++
    while (next < end && text.charCodeAt(next) !== 45) next++
    this.#to = next < end ? next - below : rowUnitsMax
    this.#isRuled = true
    this.header = line
    this.#at = end + 1
    this.#rows = 0
    return true
  }

  /** Without a rule, the rows begin right below the header, and a column ends where the next one begins. */
  #openAligned(text: string, line: number, nameFrom: number, nameTo: number, below: number): boolean {
    const next = nextName(text, nameTo)
    this.#to = next > nameTo ? next - line : rowUnitsMax
    this.#isRuled = false
    this.header = line
    this.#from = nameFrom - line
    this.#at = below
    this.#rows = 0
    return true
  }

  /** Reads the cell of the next row; false behind the last one, which is above an empty line or another rule. */
  next(text: string): boolean {
    const line = this.#at
    const end = line < text.length ? lineEnd(text, line, rowUnitsMax) : -1
    if (end < 0 || this.#rows++ >= rowsMax) return false
    this.start = Math.min(end, line + this.#from)
    this.end = Math.min(end, line + this.#to)
    this.#at = end + 1
    if (isEmptyOrRule(text, line, end)) return false
    // Without a rule, a row whose words stand across the border of the column is not of this table. Below one, a cell
    // that is too long for its column moves those behind it.
    if (this.start > line && this.start < end && isWithinWord(text, this.start)) {
      if (!this.#isRuled) return false
      this.end = this.start
    }
    while (this.start < this.end && inSet(blankSet, text.charCodeAt(this.start))) this.start++
    while (this.end > this.start && text.charCodeAt(this.end - 1) <= 32) this.end--
    return true
  }
}

/** Whether a word continues at `at`. */
function isWithinWord(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) > 32 && text.charCodeAt(at) > 32
}

/** Characters in names of columns as tools print them, without the punctuation of sentences. */
const nameSet = charSet('A-Z', 'a-z', '0-9', '_-()/')
const namesMin = 3

/** Whether at least two blanks or the start of the line precede a name, and two or the end of the line follow it. */
function standsApart(text: string, from: number, to: number): boolean {
  const isFirst = from === 0 || inSet(startSet, codeAt(text, from - 1))
  if (!isFirst && (codeAt(text, from - 1) !== 32 || codeAt(text, from - 2) !== 32)) return false
  const behind = codeAt(text, to)
  return behind === 10 || behind === 13 || (behind === 32 && codeAt(text, to + 1) === 32)
}

/** Where the next name on the same line begins; `from` if there is none. */
function nextName(text: string, from: number): number {
  let i = from
  while (codeAt(text, i) === 32) i++
  return i - from > 1 && inSet(nameSet, codeAt(text, i)) ? i : from
}

/**
 * Whether a line is at least three names with two or more blanks between them, and the row below begins a cell right
 * where each of them begins, behind at least two blanks.
 */
function isAligned(text: string, line: number, row: number, rowEnd: number): boolean {
  let names = 0
  for (let i = line; ;) {
    const at = row + (i - line)
    if (at >= rowEnd || text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 45) return false
    if (i > line && (text.charCodeAt(at - 1) !== 32 || text.charCodeAt(at - 2) !== 32)) return false
    // `ypupdated  100028`: a row of numbers rather than a header.
    if (inSet(digitSet, codeAt(text, i))) return false
    names++
    while (inSet(nameSet, codeAt(text, i))) i++
    // A header may be two words.
    if (codeAt(text, i) === 32 && inSet(nameSet, codeAt(text, i + 1))) {
      i++
      while (inSet(nameSet, codeAt(text, i))) i++
    }
    const next = nextName(text, i)
    if (next === i) return names >= namesMin && codeAt(text, runEnd(text, i, blankSet, 64)) < 32
    i = next
  }
}

function isEmptyOrRule(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!inSet(ruleSet, text.charCodeAt(i)) && text.charCodeAt(i) !== 13) return false
  return true
}
