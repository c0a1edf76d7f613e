/** Reads tables written as lines: CSV and its kin, tables of Markdown and those that clients of databases print. */
import { charSet, codeAt, inSet } from '../text/chars.ts'

const headerUnitsMax = 200
const rowUnitsMax = 4096
/** Each column with a telling name reads all rows. */
const cellsMax = 40
const rowsMax = 2000
/** The border below a table and the one above the next. */
const rulesMax = 2

const separators = [44, 59, 9, 124] // , ; tab |
/** What names of columns are made of, in quotes or with blanks around. */
const nameSet = charSet('A-Z', 'a-z', '0-9', '_-. "\'`*')
/** What rules below a header consist of. */
const ruleSet = charSet('-+|:= \t')
const quoteSet = charSet('"\'`')
const blankSet = charSet(' \t')

/** A column of a table, and its rows. One object serves all readings. */
export class Table {
  #separator = 0
  /** The line that was taken for a header last, since several of its names may be asked for; where its names begin, or -1. */
  #textNumber = 0
  #line = -1
  #header = -1
  #lineEnd = 0
  #cells = 0
  #column = 0
  /** Where the next row begins. */
  #at = 0
  #rows = 0
  /** The cell that was read last, without blanks and quotes around it. */
  start = 0
  end = 0

  /**
   * Takes the line around a cell that holds only `[nameFrom, nameTo)` for the header of a table.
   * @param textNumber tells texts apart
   * @returns whether it is one: names of columns alone, and no line above that belongs to the table
   */
  open(text: string, textNumber: number, nameFrom: number, nameTo: number): boolean {
    const behind = codeAt(text, skipAhead(text, nameTo, 9))
    const before = codeAt(text, skipBack(text, nameFrom, 9) - 1)
    const separator = separators.find((one) => one === behind || one === before)
    const line = separator === undefined ? -1 : lineStart(text, nameFrom, headerUnitsMax)
    if (separator === undefined || line < 0) return false
    if (textNumber !== this.#textNumber || line !== this.#line || separator !== this.#separator) {
      this.#textNumber = textNumber
      this.#line = line
      this.#separator = separator
      this.#header = this.#readHeader(text, line)
    }
    // The quote before the name may be that of the text.
    if (this.#header < 0 || this.#header > nameFrom + 1 || this.#lineEnd < nameTo) return false
    this.#column = this.#cellsIn(text, this.#header, nameFrom)
    this.#at = this.#lineEnd + 1
    this.#rows = 0
    return true
  }

  /** Where the names of the header begin that was opened last. */
  get header(): number {
    return this.#header
  }

  /** @returns where the names of a header begin, with the line or, in a text of a program, behind its quote; -1 where none do */
  #readHeader(text: string, line: number): number {
    const to = (this.#lineEnd = lineEnd(text, line, headerUnitsMax))
    if (to < 0) return -1
    const from = this.#isHeader(text, line, to) ? line : quoteEnd(text, line, to)
    if (from !== line && !this.#isHeader(text, from, to)) return -1
    this.#cells = this.#cellsIn(text, from, to)
    return this.#cells < 1 || this.#cells >= cellsMax || this.#continues(text, line) ? -1 : from
  }

  /** Reads the cell of the column in the next row; false behind the last row. */
  next(text: string): boolean {
    for (; this.#rows < rowsMax && this.#at < text.length; this.#rows++) {
      const from = this.#at
      const to = lineEnd(text, from, rowUnitsMax)
      if (to < 0) return false
      this.#at = to + 1
      if (isRule(text, from, to)) continue
      if (!this.#readCell(text, from, to)) return false
      return true
    }
    return false
  }

  /** Whether all of a line is names between separators. */
  #isHeader(text: string, from: number, to: number): boolean {
    let isEmpty = true
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i)
      if (code === this.#separator) {
        // A Markdown row begins with its separator.
        if (isEmpty && !(this.#separator === 124 && skipAhead(text, from, 0) === i)) return false
        isEmpty = true
      } else if (code === 13 && i === to - 1) break
      else if (inSet(nameSet, code) || code === 9 || code === 0x2192) isEmpty &&= code === 32 || code === 9
      else return false
    }
    return !isEmpty || this.#separator === 124
  }

  /** Separators in `[from, to)` that stand outside of quotes. */
  #cellsIn(text: string, from: number, to: number): number {
    let count = 0
    for (let i = this.#cellEnd(text, from, to); i < to; i = this.#cellEnd(text, i + 1, to)) count++
    return count
  }

  /** The separator, or the end of the line, behind the cell that begins at `from`. */
  #cellEnd(text: string, from: number, to: number): number {
    let i = skipAhead(text, from, this.#separator)
    if (codeAt(text, i) === 34 && this.#separator !== 124) {
      let close = i + 1
      while (close < to && text.charCodeAt(close) !== 34) close++
      if (close < to) i = close
    }
    while (i < to && text.charCodeAt(i) !== this.#separator) i++
    return Math.min(i, to)
  }

  /**
   * Whether the line above has as many cells, so that this one is no header. Rules are passed over as {@link next} does:
   * else each of many headers between rules would read all that follows.
   */
  #continues(text: string, from: number): boolean {
    let line = from
    for (let rules = 0; line > 0 && rules <= rulesMax; rules++) {
      const above = lineStart(text, line - 1, rowUnitsMax)
      // Too long for a row.
      if (above < 0) return false
      if (!isRule(text, above, line - 1)) return this.#cellsIn(text, above, line - 1) === this.#cells
      line = above
    }
    return line > 0
  }

  #readCell(text: string, from: number, to: number): boolean {
    let cells = 0
    for (let i = from; ; cells++) {
      const end = this.#cellEnd(text, i, to)
      if (cells === this.#column) {
        this.start = skipAhead(text, i, this.#separator)
        const tail = codeAt(text, end - 1) === 13 ? end - 1 : end
        this.end = skipBack(text, tail, this.#separator)
        const quote = codeAt(text, this.start)
        if ((quote === 34 || quote === 39 || quote === 96) && codeAt(text, this.end - 1) === quote) {
          this.start++
          this.end--
        }
        if (this.end < this.start) this.end = this.start
      }
      if (end >= to) break
      i = end + 1
    }
    return cells === this.#cells
  }
}

/** Behind the first quote in `[from, to)`; `to` where there is none. */
function quoteEnd(text: string, from: number, to: number): number {
  for (let i = from; i < to; i++) if (inSet(quoteSet, text.charCodeAt(i))) return i + 1
  return to
}

function lineStart(text: string, at: number, unitsMax: number): number {
  for (let i = at; i > 0 && at - i <= unitsMax; i--) if (text.charCodeAt(i - 1) === 10) return i
  return at <= unitsMax ? 0 : -1
}

function lineEnd(text: string, from: number, unitsMax: number): number {
  const limit = Math.min(text.length, from + unitsMax)
  for (let i = from; i < limit; i++) if (text.charCodeAt(i) === 10) return i
  return limit === text.length ? limit : -1
}

function isRule(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!inSet(ruleSet, text.charCodeAt(i)) && text.charCodeAt(i) !== 13) return false
  return to > from
}

/** @param except a blank that separates */
function skipAhead(text: string, from: number, except: number): number {
  let i = from
  while (inSet(blankSet, codeAt(text, i)) && text.charCodeAt(i) !== except) i++
  return i
}

function skipBack(text: string, to: number, except: number): number {
  let i = to
  while (i > 0 && inSet(blankSet, text.charCodeAt(i - 1)) && text.charCodeAt(i - 1) !== except) i--
  return i
}
