/** Whether a line that looks like a value stands by itself, and is not part of a list, a table or a comment. */
import {
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  digitSet,
  hexSet,
  inSet,
  letterSet,
  lowerSet,
  plainBlankSet,
  runEnd,
  runStart,
  spaceSet,
  upperSet
} from '../text/chars.ts'
import { isOffset } from '../numbers/chance-matches.ts'
import { dateEnd } from '../validators/dates.ts'
import { lineSet, lineUnitsMax } from './engine.ts'
import { isDecimal, isDotted, isMeasure, numberSet } from './measured-lines.ts'
import { isPrinted } from './printed-lines.ts'

/** Whether the line in `[start, end)`, without the blanks around it, may be a value by itself. */
export function standsAlone(text: string, start: number, end: number): boolean {
  return (
    !isMeasure(text, start, end) &&
    !isPrinted(text, start, end) &&
    !isInstruction(text, start, end) &&
    !isDotted(text, start, end) &&
    dateEnd(text, start) !== end &&
    !isItem(text, start, end) &&
    !isCode(text, start, end) &&
    !isPages(text, start) &&
    !isListed(text, start, end) &&
    !isRowOfNumbers(text, start, end) &&
    !isOneOfMany(text, start, end)
  )
}

/**
 * Whether the line tells a machine what to do: G-code (`G1 X5 F1200`), a port of an image (`EXPOSE 9001`), a step of a
 * path among others (`L 616 2931`, `280 1178 l`).
 */
function isInstruction(text: string, start: number, end: number): boolean {
  const word = runEnd(text, start, upperSet, end - start)
  if (word >= start + instructionUnitsMin && codeAt(text, word) === 32)
    return runEnd(text, word + 1, digitSet, portDigitsMax) === end
  if (!isDrawing(text, start, end)) return isMoves(text, start, end)
  const [aboveAt, aboveEnd] = lineBefore(text, start)
  const [belowAt, belowEnd] = lineBehind(text, end)
  return isDrawing(text, aboveAt, aboveEnd) || isDrawing(text, belowAt, belowEnd)
}
const instructionUnitsMin = 5
const portDigitsMax = 5

/** Whether a line is two numbers or more behind a letter, or before one. */
function isDrawing(text: string, start: number, end: number): boolean {
  const words = text
    .slice(start, Math.min(end, start + lineUnitsMax))
    .trim()
    .split(' ')
  const letters = words.filter((word) => word.length === 1 && inSet(letterSet, codeAt(word, 0))).length
  if (letters !== 1 || words.length < 3) return false
  const isNumber = (word: string): boolean => word.length > 0 && runEnd(word, 0, numberSet, word.length) === word.length
  const numbers = isNumber(words[0] as string) ? words.slice(0, -1) : words.slice(1)
  return numbers.every(isNumber)
}

/** Whether all words are a letter and a number, and there are several: `G1 Z1.0 F600`. */
function isMoves(text: string, start: number, end: number): boolean {
  let moves = 0
  for (let at = start; at < end; moves++) {
    const to = runEnd(text, at + 1, numberSet, end - at)
    if (!inSet(upperSet, codeAt(text, at)) || to === at + 1 || (to < end && codeAt(text, to) !== 32)) return false
    at = to + 1
  }
  return moves > 1
}

/** Whether the line is pages of a book: `pp. 465-468`. In capitals the letters may begin the number of a document. */
function isPages(text: string, start: number): boolean {
  return text.startsWith('pp. ', start) || text.startsWith('pp ', start)
}

/** Whether letters before the number name it a code, which identifies nobody: `OTP 739201`. */
function isCode(text: string, start: number, end: number): boolean {
  const letters = runEnd(text, start, letterSet, codeUnitsMax)
  const next = codeAt(text, letters)
  if (letters === start || letters === end || !inSet(behindCodeSet, next)) return false
  return codes.has(text.slice(start, letters).toLowerCase())
}
const codes = new Set(['otp', 'tan', 'pin', 'puk', 'code', 'mfa'])
const codeUnitsMax = 5
const behindCodeSet = charSet(' :-')

/**
 * Whether the line is a list item or a term of a sum (whose mark would be taken for part of the value), or stands
 * between brackets or behind a comma, as an element of an array over several lines.
 */
function isItem(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start)
  if ((first === 45 || first === 43) && inSet(behindMarkSet, codeAt(text, start + 1))) return true
  if (closesMore(text, start, end)) return true
  // A command goes on behind a backslash.
  if (lastCodeBefore(text, start) === 92) return true
  if (!inSet(openingSet, lastCodeBefore(text, start))) return false
  return inSet(closingSet, codeAt(text, end)) || inSet(closingSet, firstCodeBehind(text, end))
}

/** Behind a mark of an item, a blank; `--id 1234567` is an option. */
const behindMarkSet = charSet(' -')

/** Whether the line closes a bracket that was opened above it. */
function closesMore(text: string, start: number, end: number): boolean {
  let open = 0
  for (let i = start; i < end; i++) {
    const code = codeAt(text, i)
    if (code === 40) open++
    else if (code === 41 && --open < 0) return true
  }
  return false
}
const openingSet = charSet('[({,')
const closingSet = charSet('])}')

function lastCodeBefore(text: string, at: number): number {
  return codeAt(text, runStart(text, at, spaceSet, lineUnitsMax) - 1)
}

function firstCodeBehind(text: string, at: number): number {
  return codeAt(text, runEnd(text, at, spaceSet, lineUnitsMax))
}

/** A line with this many decimals is not the groups of one number. */
const decimalsMin = 2

/**
 * Whether the line has several numbers: two decimals, or several numbers beside a line of numbers that is aligned or
 * signed, or among lines of as many numbers of varying lengths. So coordinates, matrices and the bonds of molecules are
 * written.
 */
function isRowOfNumbers(text: string, start: number, end: number): boolean {
  let decimals = 0
  let words = 0
  let isLinedUp = false
  for (let at = start; at < end; words++) {
    const to = runEnd(text, at, numberSet, end - at)
    // Letters and brackets belong to values.
    if (to < end && codeAt(text, to) !== 32) return false
    isLinedUp ||= to === at || isSigned(text, at, to)
    if (isDecimal(text, at, to) && ++decimals === decimalsMin) return true
    at = to + 1
  }
  if (words < 3) return words === 2 && isCounted(text, start, end)
  const own = lengthsIn(text, start, end)
  return isAmongOthers(text, start, own, isLinedUp, lineBefore) || isAmongOthers(text, end, own, isLinedUp, lineBehind)
}

/** Whether the first of two numbers is one more than that of the line above, or one less than below: `1727 122`. */
function isCounted(text: string, start: number, end: number): boolean {
  const own = firstNumber(text, start, end)
  const [above, aboveEnd] = lineBefore(text, start)
  const [below, belowEnd] = lineBehind(text, end)
  return firstNumber(text, above, aboveEnd) === own - 1 || firstNumber(text, below, belowEnd) === own + 1
}

/** The number before a blank that begins a line; not a number if there is none. */
function firstNumber(text: string, start: number, end: number): number {
  const from = runEnd(text, start, plainBlankSet, lineUnitsMax)
  const to = runEnd(text, from, digitSet, end - from)
  return to > from && to < end && codeAt(text, to) === 32 ? Number(text.slice(from, to)) : NaN
}

/** How many lines on either side are examined: more than have equal lengths by chance. */
const besideMax = 6

/** Whether lines of as many numbers stand on one side; if none of them is aligned, one must have other lengths. */
function isAmongOthers(
  text: string,
  from: number,
  own: readonly number[],
  isLinedUp: boolean,
  next: (text: string, from: number) => readonly [start: number, end: number]
): boolean {
  let at = from
  for (let lines = 0; lines < besideMax; lines++) {
    const [start, end] = next(text, at)
    const lengths = lengthsIn(text, start, end)
    if (isLinedUp && lengths.length > 1) return true
    if (lengths.length !== own.length) return false
    if (lengths.some((length, i) => length !== own[i])) return true
    at = next === lineBefore ? start : end
  }
  return false
}

/** Whether a dash and digits stand there. */
function isSigned(text: string, start: number, end: number): boolean {
  return codeAt(text, start) === 45 && end > start + 1
}

/** The lengths of the words in a line; empty if it contains anything but numbers. */
function lengthsIn(text: string, start: number, end: number): number[] {
  const lengths: number[] = []
  let from = start
  for (let i = start; i <= end; i++) {
    if (i < end && inSet(numberSet, codeAt(text, i))) continue
    if (i < end && codeAt(text, i) !== 32) return []
    if (i > from) lengths.push(i - from)
    from = i + 1
  }
  return lengths
}

/** The line before the one that contains `from`, if it has no other characters than lines that are looked at. */
function lineBefore(text: string, from: number): readonly [start: number, end: number] {
  let line = from
  while (line > 0 && codeAt(text, line - 1) === 32) line--
  const end = codeAt(text, line - 2) === 13 ? line - 2 : line - 1
  return end <= 0 ? [0, 0] : [runStart(text, end, lineSet, 2 * lineUnitsMax), end]
}

function lineBehind(text: string, from: number): readonly [start: number, end: number] {
  const to = runEnd(text, from, plainBlankSet, lineUnitsMax)
  const line = codeAt(text, to) === 13 ? to + 2 : to + 1
  const start = runEnd(text, line, plainBlankSet, lineUnitsMax)
  return [start, runEnd(text, start, lineSet, 2 * lineUnitsMax)]
}

/** Whether bare digits stand above or below other bare digits, as in a column of numbers. */
function isListed(text: string, start: number, end: number): boolean {
  const isBare = (line: number, to: number): boolean => {
    const from = runEnd(text, line, plainBlankSet, lineUnitsMax)
    return from < to && consistsOf(text, from, to, digitSet) && fillsLine(text, { start: from, end: to })
  }
  return isBare(start, end) && (isBare(...lineBefore(text, start)) || isBare(...lineBehind(text, end)))
}

/**
 * How many letters the entries of one list have in common at their start: `RFC1734` above `RFC4616`, `part7` above
 * `part8`.
 */
const likeUnits = 3
/** The same for rows that begin with a letter and blanks. */
const rowHeadUnits = 6

/**
 * Whether the line is one of many: a comment, the dated heading of a change log, a pair of equal numbers, or a line
 * that begins like the one above or below.
 */
function isOneOfMany(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) === 47 || text.charCodeAt(end - 1) === 46) return true
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === 45 && text.slice(start, i).trimEnd() === text.slice(i + 1, end).trimStart()) return true
    if ((i === start || code === 32) && isDated(text, i === start ? i : i + 1)) return true
  }
  const above = firstAbove(text, start)
  // The end of a hex dump.
  if (runEnd(text, start, hexSet, lineUnitsMax) === end && isOffset(text, above, above + end - start)) return true
  // The place of the index of a PDF document.
  if (text.startsWith('startxref', above)) return true
  // A field of a structure-data file, below its name: `> <PUBCHEM_CID>`.
  if (text.startsWith('> ', above) && codeAt(text, runEnd(text, above + 1, plainBlankSet, 4)) === 60) return true
  const units = headUnits(text, start, end)
  if (units === 0) return false
  const head = text.slice(start, start + units)
  return text.startsWith(head, lineBehind(text, end)[0]) || (above >= 0 && text.startsWith(head, above))
}

/**
 * How much of a line lines of one list have in common: its first letters, `rs` in `rs6111385`, `M  V30` in a table. Two
 * capitals may be a country or the series of a document.
 */
function headUnits(text: string, start: number, end: number): number {
  const letters = runEnd(text, start, letterSet, likeUnits) - start
  if (letters === likeUnits) return likeUnits
  if (
    letters === 2 &&
    runEnd(text, start, lowerSet, 2) === start + 2 &&
    runEnd(text, start + 2, digitSet, end - start) === end
  )
    return 2
  return letters === 1 && runEnd(text, start + 1, plainBlankSet, likeUnits) > start + 2 ? rowHeadUnits : 0
}

/** Where the line above the one that contains `from` begins, behind its indent; -1 if there is none or it is empty. */
function firstAbove(text: string, from: number): number {
  const end = runStart(text, from, plainBlankSet, lineUnitsMax) - 1
  let above = end
  const limit = Math.max(0, end - aboveUnitsMax)
  while (above > limit && codeAt(text, above - 1) !== 10) above--
  above = runEnd(text, above, plainBlankSet, lineUnitsMax)
  return above < end ? above : -1
}
/** More than a line of a hex dump and its indent. */
const aboveUnitsMax = 100

/** Whether a date with its year begins at `at`, as headings of change logs have one: `2026-11-22`, `05/26/2012`. */
function isDated(text: string, at: number): boolean {
  return inSet(digitSet, codeAt(text, at)) && dateEnd(text, at) === at + datedUnits
}
const datedUnits = '2026-11-22'.length

/** Whether a code ends a line. */
export function isLineBreak(code: number): boolean {
  return code === 10 || code === 13
}

/** Whether only blanks stand next to `[start, end)` on its line. */
export function fillsLine(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const from = runStart(text, start, blankSet, lineUnitsMax)
  const to = runEnd(text, end, blankSet, lineUnitsMax)
  return (from === 0 || isLineBreak(codeAt(text, from - 1))) && (to === text.length || isLineBreak(codeAt(text, to)))
}
