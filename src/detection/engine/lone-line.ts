/** Whether a line that looks like a value stands by itself, and is not part of a list, a table or a comment. */
import {
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  dottedDigitSet,
  inSet,
  letterSet,
  lowerSet,
  plainBlankSet,
  runEnd,
  runStart,
  spaceSet,
  upperSet
} from '../text/chars.ts'
import { dateEnd } from '../validators/dates.ts'
import { isYyyymmdd } from '../validators/digits.ts'
import { lineSet, lineUnitsMax } from './engine.ts'
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
 * Whether the line counts or measures: a decimal (`1136.84211`), a fraction (`12825/8192`), a range (`600 - 601`), a
 * decimal among other words (`L 460.8 273.6`), or a word and a number (`size 750700`).
 */
function isMeasure(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start) === 45 ? start + 1 : start
  const digits = runEnd(text, first, digitSet, end - first)
  if (digits > first && isSecondNumber(text, first, digits, end)) return true
  return startsWithWord(text, start, end) || hasDecimal(text, start, end)
}

/** Whether all that follows a number, up to the end of the line, is a sign and another number. */
function isSecondNumber(text: string, first: number, digits: number, end: number): boolean {
  const next = runEnd(text, digits, betweenSet, end - digits)
  if (next === digits || next === end || !consistsOf(text, next, end, digitSet)) return false
  const sign = text.slice(digits, next).trim()
  if (sign === '.') return next === digits + 1
  if (sign !== '/') return sign === '-' && next === digits + 3 && end > next + 1
  // Numbers of people have a date of six digits in front, or a zero.
  const isBirth = digits - first === 6 && (end - next === 3 || end - next === 4)
  return !isBirth && codeAt(text, first) !== 48 && codeAt(text, next) !== 48
}
const betweenSet = charSet(' ./-')

/** Whether a word with lower-case letters, longer than the code of a country, and a blank begin the line. */
function startsWithWord(text: string, start: number, end: number): boolean {
  const word = runEnd(text, start, letterSet, end - start)
  return word > start + 2 && codeAt(text, word) === 32 && countOf(text, start, word, lowerSet) > 0
}

/** Whether one of the words of a line is a decimal, or a letter and a long decimal: `F2.5030000000000001`. */
function hasDecimal(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const to = runEnd(text, at, numberSet, end - at)
    if (to > at && (to === end || codeAt(text, to) === 32) && isDecimal(text, at, to)) return true
    if (to === at && inSet(letterSet, codeAt(text, at)) && isLongDecimal(text, at + 1, end)) return true
    while (at < end && codeAt(text, at) !== 32) at++
  }
  return false
}

function isLongDecimal(text: string, at: number, end: number): boolean {
  const to = runEnd(text, at, numberSet, end - at)
  return to - at >= longDecimalUnitsMin && isDecimal(text, at, to)
}
const longDecimalUnitsMin = 8

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

/** Whether it is an address of the Internet or a version: `35.239.72.50`, `1.11.155`, `14.0.20241023.0`. */
function isDotted(text: string, start: number, end: number): boolean {
  if (!consistsOf(text, start, end, dottedDigitSet)) return false
  const groups = text.slice(start, end).split('.')
  if (groups.length > 2 && groups.some((group) => group.length === 8 && isYyyymmdd(group))) return true
  if (groups.some((group) => group === '' || group.length > octetDigitsMax)) return false
  if (groups.length === versionGroups) return groups[1]?.length !== octetDigitsMax
  return groups.length === octets && groups.every((group) => Number(group) <= octetMax)
}
const octets = 4
const octetDigitsMax = 3
const octetMax = 255
const versionGroups = 3

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
const openingSet = charSet('[(,')
const closingSet = charSet('])')

function lastCodeBefore(text: string, at: number): number {
  return codeAt(text, runStart(text, at, spaceSet, lineUnitsMax) - 1)
}

function firstCodeBehind(text: string, at: number): number {
  return codeAt(text, runEnd(text, at, spaceSet, lineUnitsMax))
}

const numberSet = charSet('0-9', '.-')
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

/** Whether it is a decimal, with or without a sign and digits before the point: `1.5`, `-.401`. */
function isDecimal(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start) === 45 ? start + 1 : start
  const point = runEnd(text, first, digitSet, end - first)
  if (point + 1 >= end || codeAt(text, point) !== 46) return false
  return runEnd(text, point + 1, digitSet, end - point) === end
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

/** The line before the one that contains `from`, across blank lines. */
function lineBefore(text: string, from: number): readonly [start: number, end: number] {
  let line = from
  while (line > 0 && codeAt(text, line - 1) === 32) line--
  const end = codeAt(text, line - 2) === 13 ? line - 2 : line - 1
  return end <= 0 ? [0, 0] : [runStart(text, end, lineSet, 2 * lineUnitsMax), end]
}

function lineBehind(text: string, from: number): readonly [start: number, end: number] {
  const to = runEnd(text, from, plainBlankSet, lineUnitsMax)
  const start = codeAt(text, to) === 13 ? to + 2 : to + 1
  return [start, runEnd(text, start, lineSet, 2 * lineUnitsMax)]
}

/** Whether bare digits stand above or below other bare digits, as in a column of numbers. */
function isListed(text: string, start: number, end: number): boolean {
  if (runEnd(text, start, digitSet, lineUnitsMax) !== end) return false
  const above = start - (text.charCodeAt(start - 2) === 13 ? 2 : 1)
  if (above > 0 && digitSet[text.charCodeAt(above - 1)] === 1) {
    const first = runStart(text, above, digitSet, lineUnitsMax)
    if (first === 0 || isLineBreak(text.charCodeAt(first - 1))) return true
  }
  const below = end + (text.charCodeAt(end) === 13 ? 2 : 1)
  const last = runEnd(text, below, digitSet, lineUnitsMax)
  return last > below && (last === text.length || isLineBreak(text.charCodeAt(last)))
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
  const above = lineAbove(text, start)
  // A field of a structure-data file, below its name: `> <PUBCHEM_CID>`.
  if (text.startsWith('> ', above) && codeAt(text, runEnd(text, above + 1, plainBlankSet, 4)) === 60) return true
  const units = headUnits(text, start, end)
  if (units === 0) return false
  const head = text.slice(start, start + units)
  const below = end + (text.charCodeAt(end) === 13 ? 2 : 1)
  return text.startsWith(head, below) || (above < start - 1 && text.startsWith(head, above))
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

/** Where the line above the one that begins at `start` begins; `start - 1` if it is empty. */
function lineAbove(text: string, start: number): number {
  let above = start - 1
  const limit = Math.max(0, above - lineUnitsMax)
  while (above > limit && text.charCodeAt(above - 1) !== 10) above--
  return above
}

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
