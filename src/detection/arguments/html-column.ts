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
  #column = 0
  /** Whether the cells before the name are `<th>` as well. Only a row of such cells ends the table above it. */
  #isBehindNames = true
  /** How far the table was read. */
  #at = 0
  #rows = 0
  /** Where the row with the names begins. */
  header = 0
  /** The cell that was read last. */
  start = 0
  end = 0

  /** Takes the cell around the name at `nameFrom` as one that names a column. @returns whether it is one */
  open(text: string, nameFrom: number): boolean {
    const cell = cellTagBefore(text, runStart(text, nameFrom, nameSet, nameUnitsMax))
    if (cell < 0 || !this.#findRow(text, cell)) return false
    const isName = htmlMarkAt(text, cell) === 'name'
    if (!(isName && this.#isBehindNames) && !isFirstRow(text, this.header)) return false
    this.#at = this.#namesEnd(text, cell, isName)
    this.#rows = 0
    return this.#at > 0
  }

  /** Finds the row of a cell, its column, and what is before it. */
  #findRow(text: string, cell: number): boolean {
    this.#column = 0
    this.#isBehindNames = true
    for (let i = cell - 1; i >= 0 && i > cell - rowUnitsMax; i--) {
      if (text.charCodeAt(i) !== less) continue
      const mark = htmlMarkAt(text, i)
      this.header = i
      if (mark === 'row') return true
      if (mark === 'table' || this.#column > cellsMax) return false
      if (mark === 'cell') this.#isBehindNames = false
      if (mark !== undefined) this.#column += columnsOf(text, i)
    }
    return false
  }

  /** Where the row below the names begins; -1 if a value stands among them. */
  #namesEnd(text: string, cell: number, isName: boolean): number {
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
