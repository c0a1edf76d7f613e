/** Reads a column of a table whose columns are lined up with blanks, below a rule of dashes, as PowerShell and vault print it. */
import { charSet, codeAt, inSet } from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'
import { lineEnd } from '../text/rows.ts'

const headerUnitsMax = 240
const rowUnitsMax = 1024
const rowsMax = 500
const ruleSet = charSet('- \t')
const blankSet = charSet(' \t')
const startSet = charSet('\n"\'`')

/** A column of such a table, and its rows. One object serves all readings. */
export class RuledColumn {
  readonly #breaks = new NextOf(charSet('\n'))
  header = 0
  /** The cell that was read last, without blanks around it. */
  start = 0
  end = 0
  /** Where the column begins and the next one does, in units from the start of a line. */
  #from = 0
  #to = 0
  #at = 0
  #rows = 0

  /**
   * Takes `[nameFrom, nameTo)` for the name of a column.
   * @param textNumber tells the text; 0 for one that is not known again
   * @returns whether dashes stand right below it, and nothing but dashes and blanks beside them
   */
  open(text: string, nameFrom: number, nameTo: number, textNumber: number): boolean {
    // Nearly no line below a name begins as a rule does, and to see that costs least.
    const below = this.#breaks.at(text, nameTo, Math.min(text.length, nameTo + headerUnitsMax), textNumber) + 1
    if (codeAt(text, below - 1) !== 10 || !inSet(ruleSet, codeAt(text, below))) return false
    let line = nameFrom
    // A text of a program begins behind a quote.
    while (line > 0 && nameFrom - line < headerUnitsMax && !inSet(startSet, text.charCodeAt(line - 1))) line--
    if (nameFrom - line >= headerUnitsMax) return false
    const end = lineEnd(text, below, headerUnitsMax)
    this.#from = nameFrom - line
    const rule = below + this.#from
    if (end < 0 || rule >= end || text.charCodeAt(rule) !== 45 || codeAt(text, rule - 1) === 45) return false
    for (let i = below; i < end; i++) if (!inSet(ruleSet, text.charCodeAt(i)) && text.charCodeAt(i) !== 13) return false
    let next = rule
    while (next < end && text.charCodeAt(next) === 45) next++
    while (next < end && text.charCodeAt(next) !== 45) next++
    this.#to = next < end ? next - below : rowUnitsMax
    this.header = line
    this.#at = end + 1
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
    while (this.start < this.end && inSet(blankSet, text.charCodeAt(this.start))) this.start++
    while (this.end > this.start && text.charCodeAt(this.end - 1) <= 32) this.end--
    return true
  }
}

function isEmptyOrRule(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!inSet(ruleSet, text.charCodeAt(i)) && text.charCodeAt(i) !== 13) return false
  return true
}
