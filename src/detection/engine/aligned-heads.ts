/**
 * Names above columns that are aligned with blanks as context. A table ends at an empty line. Places are asked about in
 * order, so each line is read a fixed number of times.
 */
import { headsDocuments } from '../numbers/chance-matches.ts'
import {
  alignedCellEnd,
  alignedNames,
  beginsAlignedCell,
  hasOtherCell,
  isEmptyLine,
  nameAbove,
  type AlignedName
} from '../text/aligned-rows.ts'
import { codeAt } from '../text/chars.ts'
import type { ContextLookup } from './context-words.ts'

/** How far above the first value the head of a table is looked for, in code units. */
const reachUnits = 16_384

/** The columns of a table, with the listeners of each. */
interface Head {
  readonly names: readonly AlignedName[]
  readonly listeners: readonly (Int32Array | undefined)[]
}

/** The tables of one text. It holds no text. */
export class AlignedHeads {
  readonly #lookup: ContextLookup
  readonly #documents: Int32Array
  /** How far the text was read, where the last line before that begins, and the head of its table. */
  #to = -1
  #line = 0
  #head: Head | undefined

  /** @param documents stands for the listeners of a column of documents or orders */
  constructor(lookup: ContextLookup, documents: Int32Array) {
    this.#lookup = lookup
    this.#documents = documents
  }

  /** The start of the line that holds the place that was asked about last. */
  get line(): number {
    return this.#line
  }

  /**
   * The detectors that listen to the name above the cell that begins at `at`; undefined if there are none, or no other
   * cell is in its line: below two names may stand a sentence as well.
   */
  at(text: string, at: number): Int32Array | undefined {
    const before = codeAt(text, at - 1)
    // The bracket of an area code, or a quote.
    const from = before === 40 || before === 34 || before === 39 ? at - 1 : at
    if (!beginsAlignedCell(text, from)) return undefined
    const to = alignedCellEnd(text, at)
    if (!hasOtherCell(text, from, to)) return undefined
    this.#advance(text, at)
    const head = this.#head
    const column = head === undefined ? -1 : nameAbove(head.names, from - this.#line, to - this.#line)
    return head?.listeners[column]
  }

  /** Reads on to the line of `at`. */
  #advance(text: string, at: number): void {
    if (this.#to < 0 || at < this.#line || at - this.#to > reachUnits) {
      this.#to = this.#line = Math.max(0, at - reachUnits)
      this.#head = undefined
    }
    let line = this.#line
    for (let i = this.#to; i < at; i++) {
      if (text.charCodeAt(i) !== 10) continue
      if (isEmptyLine(text, line, i)) this.#head = undefined
      else this.#head = this.#headIn(text, line, i) ?? this.#head
      line = i + 1
    }
    this.#line = line
    if (at > this.#to) this.#to = at
  }

  #headIn(text: string, from: number, to: number): Head | undefined {
    const names = alignedNames(text, from, to)
    if (names === undefined) return undefined
    const listeners = names.map(
      (name) =>
        this.#lookup.listenersIn(text, from + name.from, from + name.to) ??
        (headsDocuments(text, from + name.from, from + name.to) ? this.#documents : undefined)
    )
    return listeners.some((one) => one !== undefined) ? { names, listeners } : undefined
  }
}
