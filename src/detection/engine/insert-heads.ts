/**
 * Names of columns in SQL as context: the detectors that listen to the column of
 * `INSERT INTO people (name, bsn) VALUES (...)` in which a value stands, however many rows lie between. Places are
 * asked about in order, so each row is read once.
 */
import { codeAt, placeOf, runEnd, runStart, spaceSet, standsAt } from '../text/chars.ts'
import { columnListSet, opensColumnList } from '../text/column-lists.ts'
import { headerUnitsMax, cellsMax } from '../text/rows.ts'
import type { ContextLookup } from './context-words.ts'

const blanksMax = 64
/** The longest row that is read, in code units. */
const rowUnitsMax = 4096
const keywords = ['VALUES', 'values', 'Values']
const keywordUnits = 6
/** How much of the text is searched for a keyword in one go. */
const searchUnits = 16_384

/** The statements of one text. It holds no text. */
export class InsertHeads {
  readonly #lookup: ContextLookup
  /** Where the keyword stands in the part of the text that was searched last, and the next of these places. */
  #places: readonly number[] = []
  #next = 0
  #searchedTo = 0
  /** The listeners of the columns of the current statement; undefined if there are none, or no statement. */
  #head: readonly (Int32Array | undefined)[] | undefined
  /** The row that was read last: where it begins and ends, and where its values begin. */
  #openedAt = 0
  #rowFrom = 0
  #rowTo = 0
  readonly #starts: number[] = []

  constructor(lookup: ContextLookup) {
    this.#lookup = lookup
  }

  /**
   * The detectors that listen to the column of the value that begins at `at`, as a bit set; undefined if there are
   * none.
   */
  at(text: string, at: number): Int32Array | undefined {
    if (!beginsValue(text, at)) return undefined
    this.#advance(text, at)
    while (this.#head !== undefined && this.#rowTo <= at) this.#readRow(text)
    if (this.#head === undefined || at < this.#rowFrom) return undefined
    let column = this.#starts.length - 1
    while (column > 0 && (this.#starts[column] as number) > at) column--
    return this.#head[column]
  }

  /** Moves to the last statement whose rows begin before `at`. */
  #advance(text: string, at: number): void {
    for (;;) {
      for (; this.#next < this.#places.length; this.#next++) {
        const place = this.#places[this.#next] as number
        if (place >= at) return
        this.#open(text, place, place + keywordUnits)
      }
      if (this.#searchedTo >= at) return
      this.#search(text)
    }
  }

  /** Looks for the keyword in the next part of the text. All of a long text would be read in one go otherwise. */
  #search(text: string): void {
    const from = this.#searchedTo
    const part = text.slice(from, from + searchUnits + keywordUnits - 1)
    const places: number[] = []
    for (const keyword of keywords)
      for (let at = part.indexOf(keyword); at >= 0; at = part.indexOf(keyword, at + keywordUnits))
        places.push(from + at)
    this.#places = places.sort((a, b) => a - b)
    this.#next = 0
    this.#searchedTo = from + searchUnits
  }

  /** Reads the list of columns before the keyword in `[from, to)`. The current rows end there. */
  #open(text: string, from: number, to: number): void {
    if (to <= this.#rowTo || to <= this.#openedAt) return
    const close = runStart(text, from, spaceSet, blanksMax)
    if (codeAt(text, close - 1) !== 41) return
    const open = runStart(text, close - 1, columnListSet, headerUnitsMax - 1)
    if (codeAt(text, open - 1) !== 40 || !opensColumnList(text, open - 1)) return
    const head: (Int32Array | undefined)[] = []
    for (let i = open; i < close && head.length < cellsMax;) {
      const comma = placeOf(text, 44, i, close - 1 - i)
      const end = comma < 0 ? close - 1 : comma
      head.push(this.#lookup.listenersIn(text, i, end))
      i = end + 1
    }
    this.#head = head.some((listeners) => listeners !== undefined) ? head : undefined
    this.#openedAt = this.#rowFrom = this.#rowTo = to
    this.#starts.length = 0
  }

  /** Reads the next row; without one the statement ends. */
  #readRow(text: string): void {
    let at = runEnd(text, this.#rowTo, spaceSet, blanksMax)
    if (codeAt(text, at) === 44) at = runEnd(text, at + 1, spaceSet, blanksMax)
    this.#rowFrom = at
    this.#starts.length = 0
    const end = codeAt(text, at) === 40 ? this.#valuesEnd(text, at + 1) : -1
    if (end < 0) this.#head = undefined
    this.#rowTo = end
  }

  /** Notes where values begin. @returns past the bracket that ends a row; -1 if there is none */
  #valuesEnd(text: string, from: number): number {
    const limit = Math.min(text.length, from + rowUnitsMax)
    let depth = 0
    let isQuoted = false
    this.#starts.push(from)
    for (let i = from; i < limit; i++) {
      const code = text.charCodeAt(i)
      if (code === 39) isQuoted = !isQuoted
      else if (code === 92) i++
      // Rows of another statement, which would otherwise be read twice.
      else if ((code | 32) === 118 && standsAt(text, i, 'values')) return -1
      else if (isQuoted) continue
      else if (code === 40) depth++
      else if (code === 41 && depth-- === 0) return i + 1
      else if (code === 44 && depth === 0) this.#starts.push(i + 1)
    }
    return -1
  }
}

/** Whether a value of a row begins at `at`, perhaps behind a quote. */
function beginsValue(text: string, at: number): boolean {
  const from = codeAt(text, at - 1) === 39 ? at - 1 : at
  const before = codeAt(text, runStart(text, from, spaceSet, blanksMax) - 1)
  return before === 44 || before === 40
}
