/**
 * Reads tables that are written as lines: CSV and similar formats, Markdown tables, and those that database clients
 * print.
 */
import { codeAt, inSet, quoteSet } from '../text/chars.ts'
import { LineStarts } from '../text/line-starts.ts'
import {
  cellEnd,
  cellsIn,
  cellsMax,
  headerUnitsMax,
  hasEmptyCell,
  hasOddQuotes,
  isHeader,
  isRule,
  lineEnd,
  lineStart,
  recordStart,
  rowsMax,
  rowEnd,
  rowStart,
  rowUnitsMax,
  rulesMax,
  separators,
  skipAhead,
  skipBack,
  tableUnitsMax
} from '../text/rows.ts'

/** A column of a table and its rows. One object serves all readings. */
export class Table {
  #separator = 0
  /**
   * The line that was last taken as a header, since several of its names may be asked for. `#header` is where its names
   * begin, or -1.
   */
  #textNumber = 0
  #line = -1
  #header = -1
  readonly #lines = new LineStarts()
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
   * Takes the line around a cell that contains only `[nameFrom, nameTo)` as the header of a table.
   * @param textNumber identifies the text
   * @returns whether it is one: only names of columns, and no row of the same table above
   */
  open(text: string, textNumber: number, nameFrom: number, nameTo: number): boolean {
    const behind = codeAt(text, skipAhead(text, nameTo, 9))
    const before = codeAt(text, skipBack(text, nameFrom, 9) - 1)
    const separator = separators.find((one) => one === behind || one === before)
    const line = separator === undefined ? -1 : this.#lines.of(text, textNumber, nameFrom)
    if (separator === undefined || line < 0) return false
    if (textNumber !== this.#textNumber || line !== this.#line || separator !== this.#separator) {
      this.#textNumber = textNumber
      this.#line = line
      this.#separator = separator
      this.#header = this.#readHeader(text, line)
    }
    // The quote before the name may open the surrounding string.
    if (this.#header < 0 || this.#header > nameFrom + 1 || this.#lineEnd < nameTo) return false
    this.#column = cellsIn(text, this.#header, nameFrom, this.#separator)
    this.#at = this.#lineEnd + 1
    this.#rows = 0
    return true
  }

  /** Where the names of the last opened header begin. */
  get header(): number {
    return this.#header
  }

  /**
   * @returns where the names of a header begin: with the line or, within a string literal, behind its quote; -1 if it
   *   is not a header
   */
  #readHeader(text: string, line: number): number {
    const to = (this.#lineEnd = lineEnd(text, line, headerUnitsMax))
    if (to < 0) return -1
    const from = isHeader(text, line, to, this.#separator) ? line : quoteEnd(text, line, to)
    if (from !== line && !isHeader(text, from, to, this.#separator)) return -1
    this.#cells = cellsIn(text, from, to, this.#separator)
    return this.#cells < 1 || this.#cells >= cellsMax || this.#continues(text, line) ? -1 : from
  }

  /** Reads the cell of the column in the next row; false behind the last row. */
  next(text: string): boolean {
    const limit = Math.min(text.length, this.#lineEnd + tableUnitsMax)
    for (; this.#rows < rowsMax && this.#at < limit; this.#rows++) {
      const from = this.#at
      const to = lineEnd(text, from, rowUnitsMax)
      if (to < 0) return false
      this.#at = to + 1
      if (isRule(text, from, to)) continue
      const end = rowEnd(text, from, to, this.#separator, this.#cells)
      if (end < 0) return false
      this.#at = end + 1
      this.#readCell(text, from, end)
      return true
    }
    return false
  }

  /**
   * Whether a row of the same table is above, so that this line is not a header; unless that row heads groups of columns
   * (`Person,,Bank`) and nothing stands above it. All that {@link next} reads as a row must count here, or each of many
   * headers would read everything that follows.
   */
  #continues(text: string, from: number, mayHeadGroups = true): boolean {
    let line = from
    for (let rules = 0; line > 0 && rules <= rulesMax; rules++) {
      const to = line - 1
      const above = lineStart(text, to, rowUnitsMax)
      // Too long for a row.
      if (above < 0) return false
      if (!isRule(text, above, to)) {
        const row = rowStart(text, above, to, this.#separator, this.#cells)
        return row >= 0 && !(mayHeadGroups && row === above && this.#headsGroups(text, above, to))
      }
      line = above
    }
    return line > 0
  }

  #headsGroups(text: string, from: number, to: number): boolean {
    const isRecord = hasOddQuotes(text, from, to) && recordStart(text, from, this.#separator) < from
    return !isRecord && hasEmptyCell(text, from, to, this.#separator) && !this.#continues(text, from, false)
  }

  #readCell(text: string, from: number, to: number): void {
    let cell = from
    let end = cellEnd(text, cell, to, this.#separator)
    for (let before = this.#column; before > 0; before--) {
      cell = end + 1
      end = cellEnd(text, cell, to, this.#separator)
    }
    this.start = skipAhead(text, cell, this.#separator)
    const tail = codeAt(text, end - 1) === 13 ? end - 1 : end
    this.end = skipBack(text, tail, this.#separator)
    const quote = codeAt(text, this.start)
    if ((quote === 34 || quote === 39 || quote === 96) && codeAt(text, this.end - 1) === quote) {
      this.start++
      this.end--
    }
    if (this.end < this.start) this.end = this.start
  }
}

/** Past the first quote in `[from, to)`; `to` if there is none. */
function quoteEnd(text: string, from: number, to: number): number {
  for (let i = from; i < to; i++) if (inSet(quoteSet, text.charCodeAt(i))) return i + 1
  return to
}
