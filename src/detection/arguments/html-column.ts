/** Reads a column of an HTML table below the cell that names it. */
import { charSet, runStart } from '../text/chars.ts'
import { cellTagBefore, cellTextEnd, cellTextFrom, columnsOf, htmlMarkAt } from '../text/html-rows.ts'
import { cellsMax, rowUnitsMax } from '../text/rows.ts'

const rowsMax = 2000
const nameUnitsMax = 80
const nameSet = charSet('A-Z', 'a-z', '0-9', ' _-./#')
const less = 60

/** A column of such a table and its rows. One object serves all readings. */
export class HtmlColumn {
  /** The cell whose row was looked for last, since the next one is mostly in the same row, and whether there is one. */
  #textNumber = 0
  #cell = -1
  #isInRow = false
  /** The columns behind the first tag of the row, if a tag stands before the cell. */
  #behindFirst = 0
  #column = 0
  /** Whether the cells before the name are `<th>` as well. Only a row of such cells ends the table above it. */
  #isBehindNames = true
  /** Whether no row below the names was looked for yet. */
  #isAtNames = false
  /** How far the table was read. */
  #at = 0
  #rows = 0
  /** Where the row with the names begins. */
  header = 0
  /** The cell that was read last. */
  start = 0
  end = 0

  /**
   * Takes the cell around the name at `nameFrom` as one that names a column.
   * @param textNumber identifies the text
   * @returns whether it is one
   */
  open(text: string, textNumber: number, nameFrom: number): boolean {
    const cell = cellTagBefore(text, runStart(text, nameFrom, nameSet, nameUnitsMax))
    if (cell < 0) return false
    this.#isInRow = this.#findRow(text, cell, textNumber === this.#textNumber ? this.#cell : -1)
    this.#textNumber = textNumber
    this.#cell = cell
    if (!this.#isInRow) return false
    if (!(this.#isBehindNames && htmlMarkAt(text, cell) === 'name') && !isFirstRow(text, this.header)) return false
    this.#isAtNames = true
    this.#rows = 0
    return true
  }

  /**
   * Finds the row of a cell, its column, and what is before it.
   * @param known the cell whose row was found last; what stands before it is not read again
   */
  #findRow(text: string, cell: number, known: number): boolean {
    let column = 0
    let isBehindNames = true
    let behindFirst = -Infinity
    for (let i = cell - 1; i >= 0 && i > cell - rowUnitsMax; i--) {
      if (text.charCodeAt(i) !== less) continue
      const mark = htmlMarkAt(text, i)
      if (mark === 'row') {
        this.header = i
        this.#column = column
        this.#isBehindNames = isBehindNames
        this.#behindFirst = behindFirst
        return true
      }
      if (mark === 'table' || column > cellsMax) return false
      behindFirst = column
      if (mark === 'cell') isBehindNames = false
      if (mark !== undefined) column += columnsOf(text, i)
      if (i !== known) continue
      const most = Math.max(behindFirst, column + this.#behindFirst)
      if (!this.#isInRow || this.header <= cell - rowUnitsMax || column + this.#behindFirst > cellsMax) return false
      this.#column += column
      this.#isBehindNames &&= isBehindNames
      this.#behindFirst = most
      return true
    }
    return false
  }

  /** Where the row below the names begins; -1 if a value stands among them. */
  #namesEnd(text: string, cell: number): number {
    const isName = htmlMarkAt(text, cell) === 'name'
    const limit = Math.min(text.length, cell + rowUnitsMax)
    let cells = 0
    for (let i = cell + 1; i < limit && cells < cellsMax; i++) {
      if (text.charCodeAt(i) !== less) continue
      const mark = htmlMarkAt(text, i)
      if (mark === 'row') return i
      if (mark === 'table' || (mark === 'cell' && isName)) return -1
      if (mark !== undefined) cells++
    }
    return -1
  }

  /** Reads the cell of the next row; false behind the last row, or at the next one that consists of names. */
  next(text: string): boolean {
    if (this.#isAtNames) {
      this.#isAtNames = false
      this.#at = this.#namesEnd(text, this.#cell)
      if (this.#at < 0) return false
    }
    for (; this.#rows < rowsMax; this.#rows++) {
      const row = this.#at
      let column = -1
      let hasValue = false
      this.start = this.end = -1
      this.#at = -1
      const limit = Math.min(text.length, row + rowUnitsMax)
      for (let i = row + 1; i < limit && this.#at < 0; i++) {
        if (text.charCodeAt(i) !== less) continue
        const mark = htmlMarkAt(text, i)
        if (mark === 'table') break
        if (mark === 'row') this.#at = i
        else if (mark !== undefined) {
          hasValue ||= mark === 'cell'
          if (++column === this.#column) this.#readCell(text, i)
          column += columnsOf(text, i) - 1
        }
      }
      if (!hasValue) return false
      if (this.start >= 0) {
        this.#rows = this.#at < 0 ? rowsMax : this.#rows + 1
        return true
      }
      if (this.#at < 0) return false
    }
    return false
  }

  #readCell(text: string, cell: number): void {
    this.start = cellTextFrom(text, cell)
    this.end = cellTextEnd(text, this.start, nameUnitsMax)
  }
}

/** Whether nothing but the table and its groups of rows begins before a row. */
function isFirstRow(text: string, row: number): boolean {
  for (let groups = 0, at = row; groups <= groupsMax; groups++) {
    const tag = tagBefore(text, at)
    if (tag < 0) return false
    if (htmlMarkAt(text, tag) === 'table') return true
    if (!text.startsWith('thead', tag + 1) && !text.startsWith('tbody', tag + 1)) return false
    at = tag
  }
  return false
}
const groupsMax = 2

/** The `<` before `at`; -1 if none is near. */
function tagBefore(text: string, at: number): number {
  const limit = Math.max(0, at - nameUnitsMax)
  for (let i = at - 1; i >= limit; i--) if (text.charCodeAt(i) === less) return i
  return -1
}
