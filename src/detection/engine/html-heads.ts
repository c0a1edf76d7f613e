/**
 * Names above the columns of an HTML table as context. They are the cells of the first row, or of the last one that
 * consists of `<th>`. Places are asked about in order, so each tag is read once.
 */
import { headsDocuments } from '../numbers/chance-matches.ts'
import { cellTagBefore, cellTextEnd, cellTextFrom, columnsOf, htmlMarkAt, type HtmlMark } from '../text/html-rows.ts'
import { cellsMax } from '../text/rows.ts'
import type { ContextLookup } from './context-words.ts'

/** How far above the first value the head of a table is looked for, in code units. */
const reachUnits = 65_536
const nameUnitsMax = 80

/** The tables of one text. It holds no text. */
export class HtmlHeads {
  readonly #lookup: ContextLookup
  readonly #documents: Int32Array
  /** How far the text was read, and the cell and the column there. */
  #to = -1
  #cell = -1
  #column = -1
  #rows = 0
  /** What the row begins with, whether it has names so far, and the listeners of the columns of the table. */
  #first: HtmlMark = 'cell'
  #isNames = false
  #head: (Int32Array | undefined)[] = []

  /** @param documents stands for the listeners of a column of documents or orders */
  constructor(lookup: ContextLookup, documents: Int32Array) {
    this.#lookup = lookup
    this.#documents = documents
  }

  /** The detectors that listen to the name above the cell whose text begins at `at`; undefined if there are none. */
  at(text: string, at: number): Int32Array | undefined {
    const cell = cellTagBefore(text, at)
    if (cell < 0) return undefined
    if (this.#to < 0 || cell - this.#to > reachUnits) this.#begin(Math.max(0, cell - reachUnits))
    for (let i = this.#to; i <= cell; i++) {
      if (text.charCodeAt(i) !== 60) continue
      const mark = htmlMarkAt(text, i)
      if (mark !== undefined) this.#enter(text, i, mark)
    }
    this.#to = Math.max(this.#to, cell + 1)
    return this.#cell === cell && !this.#isNames ? this.#head[this.#column] : undefined
  }

  #begin(from: number): void {
    this.#to = from
    this.#rows = 0
    this.#head = []
  }

  #enter(text: string, at: number, mark: HtmlMark): void {
    if (mark === 'table') this.#begin(this.#to)
    else if (mark === 'row') {
      this.#rows++
      this.#column = -1
      this.#isNames = false
    } else {
      this.#cell = at
      this.#column++
      if (this.#column === 0) {
        this.#first = mark
        this.#isNames = mark === 'name' || this.#rows === 1
        if (this.#isNames) this.#head = []
      } else if (mark === 'cell' && this.#first === 'name') {
        // A row that begins with a name and goes on with a value heads no columns.
        if (this.#isNames) this.#head = []
        this.#isNames = false
      }
      if (this.#isNames && this.#column < cellsMax) this.#head[this.#column] = this.#listenersOf(text, at)
      this.#column += columnsOf(text, at) - 1
    }
  }

  #listenersOf(text: string, at: number): Int32Array | undefined {
    const from = cellTextFrom(text, at)
    const to = cellTextEnd(text, from, nameUnitsMax)
    if (from < 0 || to <= from) return undefined
    return this.#lookup.listenersIn(text, from, to) ?? (headsDocuments(text, from, to) ? this.#documents : undefined)
  }
}
