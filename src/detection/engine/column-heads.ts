/**
 * Names of columns as context: the detectors that listen to the header of the column in which a table's value stands,
 * however many rows lie between. Rows are asked about in order, so each line is read a fixed number of times.
 */
import { codeAt } from '../text/chars.ts'
import { AlignedHeads } from './aligned-heads.ts'
import type { ContextLookup } from './context-words.ts'
import { labelListeners } from './label-heads.ts'
import { headsDocuments } from '../numbers/chance-matches.ts'
import { HtmlHeads } from './html-heads.ts'
import { InsertHeads } from './insert-heads.ts'
import { objectListeners } from './object-heads.ts'
import {
  cellEnd,
  cellsIn,
  cellsMax,
  headerUnitsMax,
  hasEmptyCell,
  isHeader,
  isRule,
  lineEnd,
  lineStart,
  recordAround,
  rowsMax,
  rowStart,
  rowUnitsMax,
  isSeparator,
  rulesMax,
  separators,
  tableUnitsMax
} from '../text/rows.ts'

/** The most blanks that right-align a value in its cell. */
const blanksMax = 40
const tab = 9
const comma = 44
/** A longer first cell is not a value that is asked about. */
const firstCellUnitsMax = 44

/** Stands for the heading of a column of documents or orders, to which nobody listens: `Invoice ID`. */
const documents = new Int32Array(0)

/** For each column, the detectors that listen to its name, as bit sets, or {@link documents}. */
type Head = readonly (Int32Array | undefined)[]

/** A row, and the header of its table; undefined if there is none, or nobody listens to it. */
interface HeadedRow {
  readonly from: number
  /** Where its line ends; -1 if it consists of several. */
  readonly to: number
  readonly head: Head | undefined
}

/** The rows with one separator, as far as they were read. */
class Rows {
  readonly separator: number
  /** The line that was asked about last, and the header of its table. */
  line = -1
  head: Head | undefined
  /** Where the row of that line begins and ends. */
  from = -1
  to = -1
  /** A cell of that row, and its index. */
  cellFrom = 0
  column = 0
  /** By their number of separators, the rows that were read last: everything above them is known. */
  readonly known: HeadedRow[] = []

  constructor(separator: number) {
    this.separator = separator
  }
}

/** The tables of one text. It holds no text. */
export class ColumnHeads {
  readonly #lookup: ContextLookup
  readonly #rows: (Rows | undefined)[] = []
  /** The place that was asked about last, and the listeners of its column. */
  #askedAt = -1
  #listeners: Int32Array | undefined
  /**
   * The start of the line that was read up to `#seenTo`, and the start of the one above if that was asked about;
   * otherwise -1.
   */
  #line = 0
  #above = -1
  #seenTo = 0

  readonly #inserts: InsertHeads
  readonly #aligned: AlignedHeads
  readonly #html: HtmlHeads

  constructor(lookup: ContextLookup) {
    this.#lookup = lookup
    this.#inserts = new InsertHeads(lookup)
    this.#aligned = new AlignedHeads(lookup, documents)
    this.#html = new HtmlHeads(lookup, documents)
  }

  /** The start of the row whose cell was asked about last; -1 if it was not in a table. */
  row = -1

  /**
   * The detectors that listen to the header of the column whose cell begins at `at`, as a bit set; undefined if there
   * are none.
   */
  at(text: string, at: number): Int32Array | undefined {
    if (at === this.#askedAt) return this.#listeners
    this.#askedAt = at
    this.row = -1
    return (this.#listeners =
      this.#find(text, at) ??
      this.#findAligned(text, at) ??
      this.#inserts.at(text, at) ??
      this.#html.at(text, at) ??
      labelListeners(text, at, this.#lookup) ??
      objectListeners(text, at, this.#lookup))
  }

  /** Whether the value that begins at `at` is in a column of documents or orders. */
  isOfDocuments(text: string, at: number): boolean {
    return this.at(text, at) === documents
  }

  #findAligned(text: string, at: number): Int32Array | undefined {
    const listeners = this.#aligned.at(text, at)
    if (listeners !== undefined) this.row = this.#aligned.line
    return listeners
  }

  #find(text: string, at: number): Int32Array | undefined {
    const separator = separatorOf(text, at)
    if (separator === 0 || !this.#isInRow(text, at)) return undefined
    const line = this.#line
    const rows = (this.#rows[separators.indexOf(separator)] ??= new Rows(separator))
    if (rows.line !== line) this.#enter(text, rows, line)
    const { head, to } = rows
    if (head === undefined) return undefined
    this.row = rows.from
    if (rows.cellFrom > at) [rows.cellFrom, rows.column] = [rows.from, 0]
    for (let end = cellEnd(text, rows.cellFrom, to, separator); end < at; rows.column++) {
      rows.cellFrom = end + 1
      end = cellEnd(text, rows.cellFrom, to, separator)
    }
    return head[rows.column]
  }

  /** Finds the line around `at`. @returns whether it may be a row: neither the first line nor too long */
  #isInRow(text: string, at: number): boolean {
    const from = this.#seenTo
    this.#seenTo = at
    if (at < from || at - from > rowUnitsMax) {
      this.#line = lineStart(text, at, rowUnitsMax)
      this.#above = -1
      return this.#line > 0
    }
    let breaks = 0
    for (let i = at; i > from; i--) {
      if (text.charCodeAt(i - 1) !== 10) continue
      if (breaks++ > 0) break
      this.#above = this.#line
      this.#line = i
    }
    if (breaks > 1) this.#above = -1
    if (breaks === 0 && at - this.#line > rowUnitsMax) this.#line = -1
    return this.#line > 0
  }

  /** Makes the row of a line the current one: the line itself if it has a header, else all lines of its cells. */
  #enter(text: string, rows: Rows, line: number): void {
    const isNext = rows.line >= 0 && rows.line === this.#above
    rows.line = line
    // Below a row without listeners follows another one, or the first line of something else.
    if (isNext && rows.head === undefined) return
    const to = lineEnd(text, line, rowUnitsMax)
    rows.head = undefined
    if (to < 0) return
    const own = this.#enterRow(text, rows, line, to)
    const record = rows.head === undefined ? recordAround(text, line, to, rows.separator) : undefined
    if (record === undefined) rows.known[own] = { from: line, to, head: rows.head }
    else {
      const cells = this.#enterRow(text, rows, record.from, record.to)
      rows.known[own] = { from: line, to, head: undefined }
      rows.known[cells] = { from: record.from, to: -1, head: rows.head }
    }
  }

  /** @returns the number of separators of the row `[from, to)`; 0 if there are too many */
  #enterRow(text: string, rows: Rows, from: number, to: number): number {
    const cells = cellsIn(text, from, to, rows.separator)
    const isRow = cells > 0 && cells < cellsMax
    rows.head = isRow ? this.#headAbove(text, rows, from, cells) : undefined
    rows.from = from
    rows.to = to
    rows.cellFrom = from
    rows.column = 0
    return isRow ? cells : 0
  }

  /**
   * The header above a row, if it belongs to a table that somebody listens to. A rule that stands below the header or
   * above a sum is skipped.
   */
  #headAbove(text: string, rows: Rows, line: number, cells: number): Head | undefined {
    const { separator } = rows
    const known = rows.known[cells]
    if (known?.from === line) return known.head
    // Most rows stand right below one that was read.
    if (known !== undefined && known.to >= 0 && known.to === line - 1) return known.head
    const isKnownAbove = known !== undefined && known.from < line
    let [from, to, at] = [line, line, line]
    let [belowFrom, belowTo] = [line, line]
    let rules = 0
    for (let count = 0; at > 0 && rules <= rulesMax; count++) {
      if (count === rowsMax || line - at > tableUnitsMax) return undefined
      const above = lineStart(text, at - 1, rowUnitsMax)
      if (above < 0) break
      if (isRule(text, above, at - 1)) {
        rules++
        at = above
        continue
      }
      const row = rowStart(text, above, at - 1, separator, cells)
      if (row < 0) {
        const list = separator === tab ? copiedColumns(text, above, at - 1) : undefined
        if (list !== undefined) return this.#headOf(text, list.from, list.to, comma, cells)
        break
      }
      if (isKnownAbove && row <= known.from) return known.head
      ;[belowFrom, belowTo] = [from, to]
      ;[from, to] = [row, at - 1]
      rules = 0
      at = row
    }
    if (from === line) return undefined
    const head = this.#headOf(text, from, to, separator, cells)
    // `Person,,Bank` above `name,ssn,iban`.
    return head === undefined && belowFrom < line && hasEmptyCell(text, from, to, separator)
      ? this.#headOf(text, belowFrom, belowTo, separator, cells)
      : head
  }

  /** The header in `[from, to)`, if it has as many names as the row has cells and at least one listener. */
  #headOf(text: string, from: number, to: number, separator: number, cells: number): Head | undefined {
    if (to - from > headerUnitsMax || !isHeader(text, from, to, separator)) return undefined
    if (cellsIn(text, from, to, separator) !== cells) return undefined
    const head: (Int32Array | undefined)[] = []
    for (let cell = from; cell <= to;) {
      const end = cellEnd(text, cell, to, separator)
      head.push(this.#lookup.listenersIn(text, cell, end) ?? (headsDocuments(text, cell, end) ? documents : undefined))
      cell = end + 1
    }
    return head.some((listeners) => listeners !== undefined) ? head : undefined
  }
}

/** The columns of `COPY people (id, ssn) FROM stdin;` in the output of `pg_dump`, behind which rows with tabs follow. */
function copiedColumns(text: string, from: number, to: number): { from: number; to: number } | undefined {
  if (to - from > headerUnitsMax || !text.startsWith('COPY ', from)) return undefined
  const line = text.slice(from, to)
  const open = line.indexOf('(')
  const close = line.indexOf(')')
  const isList = open > 0 && open < close && line.startsWith(' FROM stdin', close + 1)
  return isList ? { from: from + open + 1, to: from + close } : undefined
}

/** The separator before or behind the cell that begins at `at`, across blanks and a quote; 0 if there is none. */
function separatorOf(text: string, at: number): number {
  let i = at
  const quote = codeAt(text, i - 1)
  if (quote === 34 || quote === 39 || quote === 96) i--
  for (const limit = i - blanksMax; i > limit && codeAt(text, i - 1) === 32;) i--
  const before = codeAt(text, i - 1)
  if (isSeparator(before)) return before
  if (i > 0 && before !== 10) return 0
  for (let k = at; k < at + firstCellUnitsMax; k++) {
    const code = codeAt(text, k)
    if (isSeparator(code)) return code
    if (code === 10 || code === 0) return 0
  }
  return 0
}
