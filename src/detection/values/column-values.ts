/** Values below their names: in the cells of a column (`name,phone,dob`), or on the next line of a form. */
import { AlignedColumn } from '../arguments/aligned-column.ts'
import { HtmlColumn } from '../arguments/html-column.ts'
import { InsertRows } from '../arguments/insert-rows.ts'
import { Table } from '../arguments/table.ts'
import { columnMatches, type Rows } from '../arguments/column-matches.ts'
import type { Match, MatchContext } from '../detector.ts'
import { blankSet, charSet, codeAt, inSet, letterSet, runEnd } from '../text/chars.ts'
import { numbersLine } from '../text/rows.ts'
import { WordSet } from '../text/word-set.ts'

/** Characters that end a cell, and characters that may stand around the name in it. */
export const cellEndSet = charSet(',;|\t\n\r')
/** What may stand behind the dot of an abbreviation: the end of its cell, an element or a bracket. */
const closedSet = charSet(',;|\t\n\r<)')
export const cellQuoteSet = charSet('"\'`*')
/** What follows a column in an SQL list. */
const listSet = charSet(',)')
const nameSet = charSet('A-Z', 'a-z', '0-9', '_-. ')
const jointSet = charSet(' _-.')
/** With what a tail begins: a joint, a word, a number. */
const tailSet = charSet('A-Z', 'a-z', '1-9', ' _-.')
const nameUnitsMax = 64
const less = 60
const tailUnitsMax = 24

/** Words that a heading may add to a name without changing its meaning. */
const tails = new WordSet(['number', 'numbers', 'num', 'no', 'nr', 'value', 'home', 'work', 'primary', 'main'])

/** The same for scripts without blanks between words: `手机号`, `電話番号`. */
const otherTails = ['号码', '號碼', '番号', '号', '號', '번호']

/** The most columns of one header that are read, since each of them reads all rows. */
const columnsMax = 4

/** Past such words behind the name that ends at `at`: `Phone no.`, `phone_2`. */
export function tailEnd(text: string, at: number): number {
  if (codeAt(text, at) > 127) {
    const tail = otherTails.find((one) => text.startsWith(one, at))
    return tail === undefined ? at : at + tail.length
  }
  if (!inSet(tailSet, codeAt(text, at))) return at
  const joint = runEnd(text, at, jointSet, 2)
  const word = runEnd(text, joint, letterSet, tailUnitsMax)
  let end = tails.stands(text, joint, word) ? word : at
  const digit = runEnd(text, end, jointSet, 1)
  if (codeAt(text, digit) >= 49 && codeAt(text, digit) <= 57) end = digit + 1
  const behind = codeAt(text, end + 1)
  const isClosed = inSet(closedSet, behind) || (behind === 32 && codeAt(text, end + 2) === 124)
  const isShort = codeAt(text, end) === 46 && (end > at || isClosed)
  return isShort ? end + 1 : end
}

/**
 * The end of the heading whose name ends at `at`; -1 if the cell continues with something else than a remark.
 * @param tail the {@link tailEnd} of that name, if it is known
 */
export function headingEnd(text: string, at: number, tail = tailEnd(text, at)): number {
  const end = remarkEnd(text, tail)
  const close = inSet(cellQuoteSet, codeAt(text, end)) ? end + 1 : end
  const next = codeAt(text, close)
  const ends =
    inSet(cellEndSet, next) ||
    (next === less && codeAt(text, close + 1) === 47) ||
    (next === 32 && [32, 124].includes(codeAt(text, close + 1))) ||
    (next === 0 && close === text.length)
  return ends ? close : -1
}

/** Past a remark in brackets behind a name: `Date of birth (dd/mm/yyyy)`; `at` if there is none. */
export function remarkEnd(text: string, at: number): number {
  const open = runEnd(text, at, blankSet, 1)
  if (codeAt(text, open) !== 40) return at
  const close = runEnd(text, open + 1, remarkSet, remarkUnitsMax)
  return codeAt(text, close) === 41 ? close + 1 : at
}
const remarkSet = charSet('A-Z', 'a-z', '0-9', ' /.-_:')
const remarkUnitsMax = 24

/** Reads the columns of one sort of value. One object serves all readings; it holds no text. */
export class ColumnValues {
  #readers = newReaders()
  /** The header whose columns were counted last, how far, and how many there are. */
  #textNumber = 0
  #header = -1
  #countedTo = 0
  #columns = 0
  readonly #nameEndAt: (text: string, at: number) => number
  readonly #endsHeading: (text: string, at: number, tail?: number) => number

  /**
   * @param nameEndAt the end of such a name that begins at a place; -1 if there is none
   * @param endsHeading the end of a heading whose name ends at a place, and its tail at another; -1 if the cell continues
   *   with something else
   */
  constructor(nameEndAt: (text: string, at: number) => number, endsHeading = headingEnd) {
    this.#nameEndAt = nameEndAt
    this.#endsHeading = endsHeading
  }

  /**
   * Reads the column headed by the name in `[nameFrom, nameTo)`.
   * @param match the match of a cell, or undefined
   * @param otherwise what the name leads to if it heads no column or no cell matches
   * @returns the matches as a chain
   */
  find(
    text: string,
    context: ColumnContext,
    nameFrom: number,
    nameTo: number,
    match: (start: number, end: number) => Match | undefined,
    otherwise: () => Match | undefined
  ): Match | undefined {
    const { textNumber } = context
    const rows = this.#open(text, textNumber, nameFrom, nameTo)
    if (rows === undefined || this.#isBehindMany(text, textNumber, rows.header, nameFrom)) return otherwise()
    const keep = () => (this.#readers = newReaders())
    return columnMatches(text, { rows, match, keep, otherwise }, context)
  }

  /**
   * Whether the header has enough columns before the name at `at`. They are counted in the text, since scans of several
   * texts take turns; for the next name of the same header, only between the two.
   */
  #isBehindMany(text: string, textNumber: number, header: number, at: number): boolean {
    if (textNumber !== this.#textNumber || header !== this.#header || at < this.#countedTo) {
      this.#textNumber = textNumber
      this.#header = header
      this.#countedTo = header
      this.#columns = 0
    }
    let i = this.#countedTo
    for (; i < at && this.#columns < columnsMax; i++) {
      const end = this.#nameEndAt(text, i)
      if (end < 0 || this.#endsHeading(text, end) < 0) continue
      this.#columns++
      i = end - 1
    }
    this.#countedTo = i
    return this.#columns === columnsMax
  }

  /** Opens the rows below a heading, or those of an SQL statement that names its columns. */
  #open(text: string, textNumber: number, nameFrom: number, nameTo: number): Rows | undefined {
    const tail = tailEnd(text, nameTo)
    const isListed = inSet(listSet, codeAt(text, inSet(cellQuoteSet, codeAt(text, tail)) ? tail + 1 : tail))
    const { table, inserted, aligned, html } = this.#readers
    if (isListed && inserted.open(text, nameFrom, textNumber)) return inserted
    const to = this.#endsHeading(text, nameTo, tail)
    if (to < 0) return undefined
    if (codeAt(text, to) === less) return html.open(text, textNumber, nameFrom) ? html : undefined
    const start = headingStart(text, nameFrom)
    const from = inSet(cellQuoteSet, codeAt(text, start - 1)) ? start - 1 : start
    if (table.open(text, textNumber, from, to)) return table
    return aligned.open(text, textNumber, nameFrom, to) ? aligned : undefined
  }
}

/** Where the heading begins whose last word is the name at `at`: `Mobile phone`, `行動電話`, `رقم الهاتف`. */
function headingStart(text: string, at: number): number {
  const limit = Math.max(0, at - nameUnitsMax)
  let i = at
  while (i > limit && (inSet(nameSet, codeAt(text, i - 1)) || codeAt(text, i - 1) > 127)) i--
  return i
}

/** What reading a column asks of the scan. */
export type ColumnContext = Pick<MatchContext, 'textNumber' | 'later'>

const newReaders = () => ({
  table: new Table(),
  inserted: new InsertRows(),
  aligned: new AlignedColumn(),
  html: new HtmlColumn()
})

const titleSet = charSet(' \t:*_#"\'.')
const lineUnitsMax = 48

/**
 * Where the value begins below a name that is alone on its line, as in a copied form: at the first character of the
 * next non-empty line; -1 if more stands behind the name.
 */
export function belowName(text: string, nameTo: number): number {
  let i = runEnd(text, nameTo, titleSet, tailUnitsMax)
  for (let lines = 0; lines < 2; lines++) {
    if (codeAt(text, i) === 13) i++
    if (codeAt(text, i) !== 10) return lines === 0 ? -1 : i
    i = runEnd(text, i + 1, blankSet, lineUnitsMax)
  }
  return i
}

/** Whether only blanks stand between a place, unless it ends the number of an empty line, and the end of its line. */
export function endsLine(text: string, at: number): boolean {
  if (numbersLine(text, at)) return false
  const code = codeAt(text, runEnd(text, at, blankSet, lineUnitsMax))
  return code === 10 || code === 13 || code === 0
}
