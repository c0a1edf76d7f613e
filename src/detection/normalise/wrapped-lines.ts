/**
 * Texts that were copied from a terminal, or captured from one, which cut each longer line where its last column was: within
 * words, and always behind the same number of units. An editor or a mail program breaks lines between words, so that most
 * of its long lines differ in length by a few units.
 *
 * Source of facts: tmux(1), "capture-pane" (without `-J`, wrapped lines are not joined).
 */
import { base62Set, charSet, codeAt, inSet } from '../text/chars.ts'

/** Terminals are hardly narrower; lines of base64 have 64 or 76 units, and those of mail up to 78. */
const columnsMin = 79
const columnsMax = 512
/** In how many lines the first that is cut must be, and in how many behind it the next. */
const linesBeforeMax = 24
const linesBehindMax = 64
/** So many lines must be full. */
const linesMin = 3
/** How far a text is searched, which most often has a line break in a shorter stretch. */
const searchUnits = 8192
/** How many units shorter a line is that was broken between two words. */
const nearUnits = 10
/** Signs that stand in what programs print, but not in base64. */
const printedSet = charSet(' :",')

const lineFeed = 10

/** The number of columns behind which a terminal cut the lines of a text; 0 if none did. Looks at its beginning only. */
export function wrapColumns(whole: string): number {
  if (whole.length < columnsMin * linesMin || !whole.slice(0, columnsMax + 1).includes('\n')) return 0
  const text = whole.length > searchUnits ? whole.slice(0, searchUnits) : whole
  let line = 0
  for (let i = 0; i < linesBeforeMax; i++) {
    const end = text.indexOf('\n', line)
    if (end < 0) return 0
    const units = end - line
    if (units > columnsMax) return 0
    if (units >= columnsMin && isCutInWord(text, end)) return isWrapped(text, units) ? units : 0
    line = end + 1
  }
  return 0
}

/** Whether the line that ends at `end` goes on in the next one. */
export function goesOnBelow(text: string, line: number, end: number, columns: number): boolean {
  return end - line === columns && end + 1 < text.length && codeAt(text, end + 1) !== lineFeed
}

const isCutInWord = (text: string, end: number): boolean =>
  inSet(base62Set, codeAt(text, end - 1)) && inSet(base62Set, codeAt(text, end + 1))

/** Whether the lines of a text end where they have so many columns, and not only by chance or as those of a table do. */
function isWrapped(text: string, columns: number): boolean {
  let cuts = 0
  let full = 0
  let near = 0
  for (let i = 0, line = 0; i < linesBeforeMax + linesBehindMax; i++) {
    const found = text.indexOf('\n', line)
    const end = found < 0 ? text.length : found
    const units = end - line
    if (units > columns) return false
    if (found < 0) break
    if (units === columns) {
      full++
      if (isCutInWord(text, end) && isPrinted(text, line, end) && !isAligned(text, line, end)) cuts++
    } else if (units >= columns - nearUnits) near++
    line = end + 1
  }
  return full >= linesMin && cuts > 0 && cuts * 5 >= full && near * (full > linesMin ? 2 : 3) <= full
}

function isPrinted(text: string, line: number, end: number): boolean {
  for (let i = line; i < end; i++) if (inSet(printedSet, codeAt(text, i))) return true
  return false
}

/** Whether half of the signs of a line stand in the same columns of the next one, as in tables and logs. */
function isAligned(text: string, line: number, end: number): boolean {
  let signs = 0
  let same = 0
  for (let i = line; i < end; i++) {
    const below = codeAt(text, i - line + end + 1)
    if (below === lineFeed || below === 0) break
    const code = codeAt(text, i)
    if (inSet(base62Set, code)) continue
    signs++
    if (code === below) same++
  }
  return same * 2 >= signs && signs > 0
}
