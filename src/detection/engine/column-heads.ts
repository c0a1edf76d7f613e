/**
 * Names of columns as context: which detectors listen to the head of the column that a value of a table stands in,
 * however many rows lie between. Rows are asked about in order, so each line is read a fixed number of times.
 */
import { codeAt } from '../text/chars.ts'
import type { ContextLookup } from './context-words.ts'
import {
  cellEnd,
  cellsIn,
  cellsMax,
  headerUnitsMax,
  isHeader,
  isRule,
  lineEnd,
  lineStart,
  rowsMax,
  rowUnitsMax,
  rulesMax,
  separators
} from '../text/rows.ts'

/** Blanks that right-align a value in its cell. */
const blanksMax = 40
/** A first cell with more is no value that is asked about. */
const firstCellUnitsMax = 44

/** The head of a table. */
interface Head {
  readonly from: number
  readonly to: number
  /** By column, the detectors that listen to its name, as sets of bits. */
  readonly listeners: (Int32Array | undefined)[]
}

/** What was read of the rows between one sort of separators. */
class Rows {
  readonly separator: number
  /** The row that was asked about last, its count of separators, and past its end. */
  line = -1
  lineTo = -1
  cells = 0
  head: Head | undefined
  /** A cell of that row, and which one it is. */
  cellFrom = 0
  column = 0

  constructor(separator: number) {
    this.separator = separator
  }
}

/** The tables of one text. It holds no text. */
export class ColumnHeads {
  readonly #lookup: ContextLookup
  readonly #rows = new Map<number, Rows>()
  /** The place that was asked about last, and who listens to the head of its column. */
  #askedAt = -1
  #listeners: Int32Array | undefined
  /** Where the line begins that was looked at up to `#lineSeenTo`; -1 where it is too long for a row. */
  #line = 0
  #lineSeenTo = 0

  constructor(lookup: ContextLookup) {
    this.#lookup = lookup
  }

  /** The detectors that listen to the head of the column whose cell begins at `at`, as a set of bits, where any do. */
  at(text: string, at: number): Int32Array | undefined {
    if (at === this.#askedAt) return this.#listeners
    this.#askedAt = at
    return (this.#listeners = this.#find(text, at))
  }

  #find(text: string, at: number): Int32Array | undefined {
    const separator = separatorOf(text, at)
    if (separator === 0) return undefined
    const line = this.#lineOf(text, at)
    // The first line has no head.
    if (line <= 0) return undefined
    let rows = this.#rows.get(separator)
    if (rows === undefined) this.#rows.set(separator, (rows = new Rows(separator)))
    if (rows.line !== line) this.#enter(text, rows, line)
    if (rows.head === undefined) return undefined
    if (rows.cellFrom > at) [rows.cellFrom, rows.column] = [line, 0]
    for (let end = cellEnd(text, rows.cellFrom, rows.lineTo, separator); end < at;) {
      rows.cellFrom = end + 1
      rows.column++
      end = cellEnd(text, rows.cellFrom, rows.lineTo, separator)
    }
    return this.#listenersOf(text, rows.head, rows.column, separator)
  }

  /** Where the line begins that `at` stands in. */
  #lineOf(text: string, at: number): number {
    const seenTo = this.#lineSeenTo
    this.#lineSeenTo = at
    if (at < seenTo || at - seenTo > rowUnitsMax) return (this.#line = lineStart(text, at, rowUnitsMax))
    for (let i = at; i > seenTo; i--) if (text.charCodeAt(i - 1) === 10) return (this.#line = i)
    if (at - this.#line > rowUnitsMax) this.#line = -1
    return this.#line
  }

  /** Makes a line the row that is asked about. */
  #enter(text: string, rows: Rows, line: number): void {
    const to = lineEnd(text, line, rowUnitsMax)
    const cells = to < 0 ? 0 : cellsIn(text, line, to, rows.separator)
    const isRow = cells > 0 && cells < cellsMax
    const isNext = cells === rows.cells && rows.lineTo + 1 === line
    if (!isRow) rows.head = undefined
    else if (!isNext) rows.head = findHead(text, rows, line, cells)
    rows.line = line
    rows.lineTo = to
    rows.cells = cells
    rows.cellFrom = line
    rows.column = 0
  }

  #listenersOf(text: string, head: Head, column: number, separator: number): Int32Array | undefined {
    if (!(column in head.listeners)) {
      let from = head.from
      for (let i = 0; i < column; i++) from = cellEnd(text, from, head.to, separator) + 1
      const to = cellEnd(text, from, head.to, separator)
      head.listeners[column] = this.#lookup.listenersIn(text, from, to)
    }
    return head.listeners[column]
  }
}

/** What separates the cell that begins at `at`, perhaps behind blanks and a quote, from the one before or behind; 0 where none does. */
function separatorOf(text: string, at: number): number {
  let i = at
  const quote = codeAt(text, i - 1)
  if (quote === 34 || quote === 39 || quote === 96) i--
  for (const limit = i - blanksMax; i > limit && codeAt(text, i - 1) === 32;) i--
  const before = codeAt(text, i - 1)
  if (separators.includes(before)) return before
  if (i > 0 && before !== 10) return 0
  for (let k = at; k < at + firstCellUnitsMax; k++) {
    const code = codeAt(text, k)
    if (separators.includes(code)) return code
    if (code === 10 || code === 0) return 0
  }
  return 0
}

/** The head of the table that a line is a row of: the first of the lines above with as many cells, if all in it are names. */
function findHead(text: string, rows: Rows, line: number, cells: number): Head | undefined {
  let from = line
  let to = line
  let at = line
  let rules = 0
  for (let count = 0; at > 0 && rules <= rulesMax; count++) {
    if (count === rowsMax) return undefined
    const above = lineStart(text, at - 1, rowUnitsMax)
    if (above < 0) break
    if (isRule(text, above, at - 1)) rules++
    else if (cellsIn(text, above, at - 1, rows.separator) === cells) {
      // What is above is known.
      if (above === rows.line && cells === rows.cells) return rows.head
      from = above
      to = at - 1
      rules = 0
    } else break
    at = above
  }
  const isHead = from < line && to - from <= headerUnitsMax && isHeader(text, from, to, rows.separator)
  return isHead ? { from, to, listeners: [] } : undefined
}
