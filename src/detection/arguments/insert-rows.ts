/** Reads the values of a column in SQL: `INSERT INTO t (a, password) VALUES (1, '...'), ...` and `COPY`. */
import { codeAt, inSet, runEnd, spaceSet, standsAt } from '../text/chars.ts'
import { columnListSet, opensColumnList } from '../text/column-lists.ts'
import { NextOf } from '../text/next-of.ts'
import { lineEnd } from '../text/rows.ts'

const headerUnitsMax = 512
const columnsMax = 80
const rowsMax = 2000
/** The longest value that is read to its end, in code units. */
const valueUnitsMax = 65_536

/** A column of a statement and its values. One object serves all readings. */
export class InsertRows {
  #column = 0
  #at = 0
  #rows = 0
  #isCopy = false
  /**
   * Finds the end of a list. Where the list does not belong to a statement with rows, every name in it asks for the
   * end.
   */
  readonly #ends = new NextOf(columnListSet, 'notIn')
  #refusedText = 0
  #refusedEnd = -1
  /** Where the list of columns that was opened last begins. */
  header = 0
  /** The value that was read last, without its quotes. */
  start = 0
  end = 0

  /**
   * Takes the list in round brackets around `at` as the columns of a statement with rows.
   * @param textNumber identifies the text; 0 for none
   * @returns whether it is one
   */
  open(text: string, at: number, textNumber: number): boolean {
    const most = Math.min(text.length, at + headerUnitsMax)
    const close = this.#ends.at(text, at, most, textNumber)
    if (codeAt(text, close) !== 41) return false
    if (textNumber !== 0 && textNumber === this.#refusedText && close === this.#refusedEnd) return false
    let open = at
    let column = 0
    const least = Math.max(0, at - headerUnitsMax)
    while (open > least && inSet(columnListSet, codeAt(text, open - 1))) if (codeAt(text, --open) === 44) column++
    const isList = codeAt(text, open - 1) === 40 && opensColumnList(text, open - 1)
    if (isList && column > columnsMax) return false
    this.#column = column
    this.#rows = 0
    this.header = open
    if (isList && this.#begin(text, runEnd(text, close + 1, spaceSet, 64))) return true
    this.#refusedText = textNumber
    this.#refusedEnd = close
    return false
  }

  #begin(text: string, from: number): boolean {
    this.#isCopy = standsAt(text, from, 'from stdin')
    if (this.#isCopy) {
      const line = lineEnd(text, from, headerUnitsMax)
      this.#at = line + 1
      return line >= 0
    }
    if (!standsAt(text, from, 'value')) return false
    this.#at = from + (standsAt(text, from, 'values') ? 6 : 5)
    return true
  }

  /** Reads the value of the column in the next row; false behind the last row. */
  next(text: string): boolean {
    if (this.#rows++ >= rowsMax) return false
    return this.#isCopy ? this.#nextLine(text) : this.#nextTuple(text)
  }

  /** A row of `COPY`: tabs between the values, `\.` behind the last row. */
  #nextLine(text: string): boolean {
    const from = this.#at
    if (from >= text.length || text.startsWith('\\.', from)) return false
    const limit = Math.min(text.length, from + valueUnitsMax)
    let column = 0
    this.start = from
    this.end = -1
    let at = from
    for (; at < limit; at++) {
      const code = text.charCodeAt(at)
      if (code === 10) break
      if (code === 9) {
        if (column === this.#column) this.end = at
        if (++column === this.#column) this.start = at + 1
      } else if (opensOther(text, at, code, 102, 'from stdin')) return false
    }
    if (column < this.#column || (at === limit && limit < text.length)) return false
    if (this.end < 0) this.end = at
    this.#at = at + 1
    return true
  }

  #nextTuple(text: string): boolean {
    let at = runEnd(text, this.#at, spaceSet, 256)
    if (codeAt(text, at) === 44) at = runEnd(text, at + 1, spaceSet, 256)
    if (codeAt(text, at) !== 40) return false
    let isRead = false
    for (let column = 0; ; column++) {
      const end = this.#value(text, at + 1, column === this.#column)
      isRead ||= column === this.#column
      const code = codeAt(text, end)
      if (code === 41) {
        this.#at = end + 1
        return isRead
      }
      if (code !== 44 || column > columnsMax) return false
      at = end
    }
  }

  /** @returns where the comma or bracket behind a value stands; -1 if there is none */
  #value(text: string, from: number, isWanted: boolean): number {
    const start = runEnd(text, from, spaceSet, 256)
    const limit = Math.min(text.length, start + valueUnitsMax)
    let depth = 0
    let at = start
    let quoted = -1
    let quotedTo = -1
    for (; at < limit; at++) {
      const code = text.charCodeAt(at)
      if (code === 39 || code === 34) {
        const close = closeOf(text, at, limit, code)
        if (close < 0) return -1
        if (depth === 0 && quoted < 0) {
          quoted = at + 1
          quotedTo = close
        }
        at = close
      } else if (opensOther(text, at, code, 118, 'value')) return -1
      else if (code === 40) depth++
      else if (code === 41 && depth-- === 0) break
      else if (code === 44 && depth === 0) break
    }
    if (isWanted) {
      // `N'...'` and `E'...'`: the prefix belongs to the quotation.
      this.start = quoted >= 0 && quoted - start <= 2 ? quoted : start
      this.end = quoted >= 0 && quoted - start <= 2 ? quotedTo : at
    }
    return at
  }
}

/**
 * Whether the word at `at` opens the rows of another statement. Reading ends there; otherwise each of many nested
 * statements would read everything that follows.
 * @param first the code of the word's first letter, in lower case
 */
function opensOther(text: string, at: number, code: number, first: number, word: string): boolean {
  return (code | 32) === first && standsAt(text, at, word)
}

/** Where a quoted text ends. A doubled or escaped quote does not end it. */
function closeOf(text: string, from: number, limit: number, quote: number): number {
  for (let at = from + 1; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 92) at++
    else if (opensOther(text, at, code, 118, 'value')) return -1
    else if (code === quote) {
      if (codeAt(text, at + 1) !== quote) return at
      at++
    }
  }
  return -1
}
