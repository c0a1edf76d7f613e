/** Reads a column of a table that is aligned with blanks, as pandas and kubectl print it and PDF files are copied. */
import { blankSet, codeAt, inSet, runEnd } from '../text/chars.ts'
import {
  alignedCellEnd,
  alignedCellStart,
  alignedNames,
  endsAlignedCell,
  isEmptyLine,
  nameAbove,
  type AlignedName
} from '../text/aligned-rows.ts'
import { LineStarts } from '../text/line-starts.ts'
import { headerUnitsMax, isRule, lineEnd, rowUnitsMax } from '../text/rows.ts'

const rowsMax = 2000
/** What stands for no value, in lower case. */
const nothings = ['nan', 'nat', 'none', 'null', 'n/a']

/** A column of such a table and its rows. One object serves all readings. */
export class AlignedColumn {
  /** The line that was last taken as a header, since several of its names may be asked for, and its names. */
  #textNumber = 0
  #line = -1
  #lineEnd = 0
  #names: readonly AlignedName[] | undefined
  readonly #lines = new LineStarts()
  #column = 0
  #at = 0
  #rows = 0
  /** The cell that was read last; empty if the row has none. */
  start = 0
  end = 0

  /** Where the line of the last opened header begins. */
  get header(): number {
    return this.#line
  }

  /**
   * Takes the name in `[nameFrom, nameTo)` as the end of a heading.
   * @param textNumber identifies the text
   * @returns whether its line consists of headings
   */
  open(text: string, textNumber: number, nameFrom: number, nameTo: number): boolean {
    if (!endsAlignedCell(text, nameTo)) return false
    const from = alignedCellStart(text, nameFrom)
    const line = from < 0 ? -1 : this.#lines.of(text, textNumber, from)
    if (line < 0) return false
    if (textNumber !== this.#textNumber || line !== this.#line) {
      this.#textNumber = textNumber
      this.#line = line
      this.#lineEnd = lineEnd(text, line, headerUnitsMax)
      this.#names = this.#lineEnd < 0 ? undefined : alignedNames(text, line, this.#lineEnd)
    }
    const names = this.#names
    if (names === undefined) return false
    this.#column = names.findIndex((name) => name.from === from - line)
    this.#at = this.#lineEnd + 1
    this.#rows = 0
    return this.#column >= 0
  }

  /** Reads the cell of the next row; false behind the last one, which is above an empty line or another header. */
  next(text: string): boolean {
    const names = this.#names as readonly AlignedName[]
    for (; this.#rows < rowsMax && this.#at < text.length; this.#rows++) {
      const line = this.#at
      const to = lineEnd(text, line, rowUnitsMax)
      if (to < 0 || isEmptyLine(text, line, to)) return false
      this.#at = to + 1
      if (isRule(text, line, to)) continue
      this.#readCell(text, line, to, names)
      if (this.end === this.start) continue
      // Else each of many headers would read all that follow.
      if (alignedNames(text, line, to) !== undefined && !this.#isNothing(text)) return false
      this.#rows++
      return true
    }
    return false
  }

  #readCell(text: string, line: number, to: number, names: readonly AlignedName[]): void {
    this.start = this.end = line
    for (let from = runEnd(text, line, blankSet, to - line); from < to;) {
      const end = Math.min(to, alignedCellEnd(text, from))
      if (nameAbove(names, from - line, end - line) === this.#column) {
        this.start = from
        this.end = end
        return
      }
      from = runEnd(text, end, blankSet, to - end)
      if (from === end && !inSet(blankSet, codeAt(text, from))) return
    }
  }

  #isNothing(text: string): boolean {
    return nothings.includes(text.slice(this.start, this.end).toLowerCase())
  }
}
