/** Rows of tables that are written as lines: where their lines and cells begin and end. */
import { blankSet, charSet, codeAt, digitSet, inSet, plainBlankSet, runEnd, runStart } from './chars.ts'

/** The longest line that is taken for a row, and the longest that is taken for a header, in code units. */
export const rowUnitsMax = 4096
export const headerUnitsMax = 1000
/** How much of a table is read in one go: rows, and their units. */
export const rowsMax = 10_000
export const tableUnitsMax = 2 * 1024 * 1024
/** The most cells in a row, since each column that may hold secrets reads all rows. */
export const cellsMax = 40
/** The most rules in a row: the border below a table and the one above the next. */
export const rulesMax = 2

/** The box-drawing bar between cells. */
export const boxDrawingBar = 0x2502
/** Cell separators: comma, semicolon, tab, bar, box-drawing bar. */
export const separators = [44, 59, 9, 124, boxDrawingBar]
/** Whether a unit separates cells. */
export function isSeparator(code: number): boolean {
  return code === 44 || code === 59 || code === 9 || code === 124 || code === boxDrawingBar
}

/** Characters in names of columns, which may be quoted or padded. */
const nameSet = charSet('A-Z', 'a-z', '0-9', '_-. "\'`*')
/** Characters of rules below a header. */
const ruleSet = charSet('-+|:= \t')

/** Where the line around `at` begins; -1 if that is more than `unitsMax` units before. */
export function lineStart(text: string, at: number, unitsMax: number): number {
  for (let i = at; i > 0 && at - i <= unitsMax; i--) if (text.charCodeAt(i - 1) === 10) return i
  return at <= unitsMax ? 0 : -1
}

/**
 * Whether the digits before `end` number their line, as `cat -n` does: a tab follows them, and the number of the line above
 * is one less.
 */
export function numbersLine(text: string, end: number): boolean {
  const start = runStart(text, end, digitSet, numberUnitsMax)
  const line = runStart(text, start, plainBlankSet, numberUnitsMax)
  if (codeAt(text, end) !== 9 || start === end || codeAt(text, line - 1) !== 10) return false
  const above = lineStart(text, line - 1, aboveUnitsMax)
  const from = runEnd(text, above, plainBlankSet, numberUnitsMax)
  const to = runEnd(text, from, digitSet, numberUnitsMax)
  return above >= 0 && codeAt(text, to) === 9 && Number(text.slice(from, to)) + 1 === Number(text.slice(start, end))
}
const numberUnitsMax = 8
const aboveUnitsMax = 512

/** Where a line ends; -1 if it is longer than `unitsMax` units. */
export function lineEnd(text: string, from: number, unitsMax: number): number {
  const limit = Math.min(text.length, from + unitsMax)
  for (let i = from; i < limit; i++) if (text.charCodeAt(i) === 10) return i
  return limit === text.length ? limit : -1
}

/** Whether a line is a rule below or above a header. */
export function isRule(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (!inSet(ruleSet, code) && code !== 13 && !isBoxDrawingRule(code)) return false
  }
  return to > from
}

/** Box-drawing characters of rules. */
function isBoxDrawingRule(code: number): boolean {
  return code >= 0x2500 && code < 0x2580 && code !== boxDrawingBar
}

/** The most lines of a cell in quotes. */
const cellLinesMax = 8
const quote = 34

/** The row of several lines around `[from, to)`, its first or last line; undefined if that is a row by itself. */
export function recordAround(
  text: string,
  from: number,
  to: number,
  separator: number
): { from: number; to: number } | undefined {
  if (!hasOddQuotes(text, from, to)) return undefined
  const start = recordStart(text, from, separator)
  const end = start < from ? to : recordEnd(text, from, to, separator)
  return end - start > to - from ? { from: start, to: end } : undefined
}

/**
 * Where the row ends whose first line is `[from, to)`, with an odd number of quotes, and whose quoted cell goes on below
 * (`"Elm St 1\nYork",5`); `to` if it has none.
 */
function recordEnd(text: string, from: number, to: number, separator: number): number {
  if (!opensCell(text, from, to, separator)) return to
  for (let lines = 1, end = to; lines < cellLinesMax && end < text.length; lines++) {
    const start = end + 1
    end = lineEnd(text, start, rowUnitsMax)
    if (end < 0) break
    if (hasOddQuotes(text, start, end)) return closesCell(text, start, separator) ? end : to
  }
  return to
}

/**
 * Where the row begins whose last line, with an odd number of quotes, is at `from` and whose quoted cell began above;
 * `from` if it has none.
 */
export function recordStart(text: string, from: number, separator: number): number {
  if (!closesCell(text, from, separator)) return from
  for (let lines = 1, start = from; lines < cellLinesMax && start > 0; lines++) {
    const end = start - 1
    start = lineStart(text, end, rowUnitsMax)
    if (start < 0) break
    if (hasOddQuotes(text, start, end)) return opensCell(text, start, end, separator) ? start : from
  }
  return from
}

/** Whether the last quote of a line, which has an odd number, opens a cell. Others are inches, or quote a word. */
function opensCell(text: string, from: number, to: number, separator: number): boolean {
  if (isBar(separator)) return false
  const before = skipBack(text, text.lastIndexOf('"', to - 1), separator)
  return before <= from || text.charCodeAt(before - 1) === separator
}

/** Whether the first quote of a line, which has an odd number, closes a cell. */
function closesCell(text: string, from: number, separator: number): boolean {
  if (isBar(separator)) return false
  const behind = codeAt(text, text.indexOf('"', from) + 1)
  return behind === separator || behind === 10 || behind === 13 || behind === 0
}

/** Where the row of `cells` separators ends whose first line is `[from, to)`; -1 if it is no such row. */
export function rowEnd(text: string, from: number, to: number, separator: number, cells: number): number {
  const shape = shapeOf(text, from, to, separator)
  if (isOdd(shape)) {
    const end = recordEnd(text, from, to, separator)
    if (end > to && isRecord(text, from, end, separator, cells)) return end
  }
  return cellsOf(shape) === cells ? to : -1
}

/** Where the row of `cells` separators begins whose last line is `[from, to)`; -1 if it is no such row. */
export function rowStart(text: string, from: number, to: number, separator: number, cells: number): number {
  const shape = shapeOf(text, from, to, separator)
  if (isOdd(shape)) {
    const start = recordStart(text, from, separator)
    if (start < from && isRecord(text, start, to, separator, cells)) return start
  }
  return cellsOf(shape) === cells ? from : -1
}

/**
 * Whether several lines are one row of `cells` separators. If each is such a row by itself, the quotes at its ends belong
 * to two cells and close nowhere.
 */
function isRecord(text: string, from: number, to: number, separator: number, cells: number): boolean {
  if (cellsIn(text, from, to, separator) !== cells) return false
  for (let line = from; line <= to;) {
    const end = lineEnd(text, line, to + 1 - line)
    if (cellsIn(text, line, end, separator) !== cells) return true
    line = end + 1
  }
  return false
}

/** Whether a row has an odd number of quotes, so that one of its cells may go on in another line. */
export function hasOddQuotes(text: string, from: number, to: number): boolean {
  let isOdd = false
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === quote) isOdd = !isOdd
  return isOdd
}

/** Whether some cell of a row is empty, as above a group of columns: `Person,,Bank`. */
export function hasEmptyCell(text: string, from: number, to: number, separator: number): boolean {
  for (let cell = from; cell <= to;) {
    const end = cellEnd(text, cell, to, separator)
    // A row in bars begins and ends with one.
    const isOuter = isBar(separator) && (cell === from || end === to)
    if (!isOuter && skipAhead(text, cell, separator) >= end) return true
    cell = end + 1
  }
  return false
}

/** Whether all of a line is names between separators. */
export function isHeader(text: string, from: number, to: number, separator: number): boolean {
  if (text.startsWith('from ', from) && text.slice(from, to).includes(' import ')) return false
  let isEmpty = true
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === separator) {
      // A Markdown row begins with its separator.
      if (isEmpty && !(isBar(separator) && skipAhead(text, from, 0) === i)) return false
      isEmpty = true
    } else if (code === 13 && i === to - 1) break
    else if (isNameUnit(code, separator)) isEmpty &&= code === 32 || code === 9
    else if (code === 40 && !isEmpty && text.charCodeAt(i - 1) === 32) {
      i = remarkEnd(text, i + 1, to, separator)
      if (i < 0) return false
    } else if (code !== 47 || isEmpty) return false
  }
  return !isEmpty || isBar(separator)
}

/** Where a remark in brackets ends that begins at `from`: `Tax no. (if known), city`; -1 if it is not in one cell. */
function remarkEnd(text: string, from: number, to: number, separator: number): number {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === 41) return i
    if (code === separator || code === 40) return -1
  }
  return -1
}

/** Whether a row may begin and end with this separator. */
const isBar = (separator: number): boolean => separator === 124 || separator === boxDrawingBar

/** Whether a code may stand in the name of a column. */
function isNameUnit(code: number, separator: number): boolean {
  // Node titles the column of its row numbers `(index)`.
  if (separator === boxDrawingBar && (code === 40 || code === 41)) return true
  if (code > 127 || inSet(nameSet, code) || code === 9) return true
  // `| # | Tax no. (UK) | ok? |`. With commas as separators, such a line is more often a call.
  return isBar(separator) || separator === 9 || separator === 59 ? inSet(remarkSet, code) : code === 35
}

const remarkSet = charSet(',#()/?')

/** How many separators stand outside of quotes in `[from, to)`. */
export function cellsIn(text: string, from: number, to: number, separator: number): number {
  return cellsOf(shapeOf(text, from, to, separator))
}

/**
 * What tells rows apart, read in one walk: twice the number of separators outside of quotes in `[from, to)`, and one more
 * if the number of quotes is odd.
 */
function shapeOf(text: string, from: number, to: number, separator: number): number {
  let cells = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === separator) cells++
    else if (code === quote) return quotedShapeOf(text, from, to, separator)
  }
  return 2 * cells
}

/** {@link shapeOf} where a quote may hold separators. */
function quotedShapeOf(text: string, from: number, to: number, separator: number): number {
  let cells = 0
  let quotes = 0
  for (let cell = from; ; cells++) {
    const start = skipAhead(text, cell, separator)
    let i = quotedEnd(text, start, to, separator)
    if (i > start) quotes++
    for (; i < to; i++) {
      const code = text.charCodeAt(i)
      if (code === separator) break
      if (code === quote) quotes++
    }
    if (i >= to) return 2 * cells + (quotes & 1)
    cell = i + 1
  }
}
const cellsOf = (shape: number): number => shape >> 1
const isOdd = (shape: number): boolean => (shape & 1) === 1

/** The separator, or the end of the line, behind the cell that begins at `from`. */
export function cellEnd(text: string, from: number, to: number, separator: number): number {
  let i = quotedEnd(text, skipAhead(text, from, separator), to, separator)
  while (i < to && text.charCodeAt(i) !== separator) i++
  return Math.min(i, to)
}

/** The quote that closes the content of a cell, which begins at `start`; `start` if it is not in quotes. */
function quotedEnd(text: string, start: number, to: number, separator: number): number {
  if (codeAt(text, start) !== quote || separator === 124) return start
  let close = start + 1
  while (close < to && text.charCodeAt(close) !== quote) close++
  return close < to ? close : start
}

/**
 * Past blanks.
 * @param except a blank that is the separator
 */
export function skipAhead(text: string, from: number, except: number): number {
  let i = from
  while (inSet(blankSet, codeAt(text, i)) && text.charCodeAt(i) !== except) i++
  return i
}

/**
 * Back to the end of what precedes the blanks before `to`.
 * @param except a blank that is the separator
 */
export function skipBack(text: string, to: number, except: number): number {
  let i = to
  while (i > 0 && inSet(blankSet, text.charCodeAt(i - 1)) && text.charCodeAt(i - 1) !== except) i--
  return i
}
