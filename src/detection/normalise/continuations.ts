/**
 * Where a value continues that was cut: past a line break and what tools put around it, or in the next string of a
 * program.
 *
 * Source of facts: RFC 2045 section 6.7 and RFC 3676 (line breaks in mail), POSIX shell 2.2.1, the carets of cmd and
 * the backticks of PowerShell; the string operators of programming languages.
 */
import {
  blankSet,
  charSet,
  codeAt,
  inSet,
  letterSet,
  quoteSet,
  runEnd,
  runStart,
  spaceSet,
  stringQuoteSet
} from '../text/chars.ts'
import { gutterEnd, gutterWordSet } from './gutters.ts'

/** Characters of which the pieces of a key consist. */
export const pieceSet = charSet('A-Z', 'a-z', '0-9', '+/_-.~')
/**
 * Continuation marks at the end of a line: `\` of shells and languages, `^` of cmd, the backtick of PowerShell, `=` of
 * mail.
 */
const goesOnSet = charSet('\\^`=')
const operatorSet = charSet('+.&|<>^~')
const bar = 124
const operatorUnitsMax = 3
const softBreakUnitsMin = 60
const softBreakUnitsMax = 78
/** Prefixes of strings: bytes, raw, formatted. */
const stringLetterSet = charSet('bBfFrRuU@$')
const indentMax = 24
const lineUnitsMax = 256
const betweenUnitsMax = 64
const nameUnitsMax = 40
const backslashesMax = 4

/** A place where a value continues, and why. */
export interface Continuation {
  readonly to: number
  /** Whether a line break cut it, rather than two strings. */
  readonly isWrap: boolean
  /** Whether a mark directly behind the piece says that its line continues. */
  readonly isMarked: boolean
  /** Whether only the width of the lines suggests it. */
  readonly isBare: boolean
  /** Where the mark stands, if there is one. */
  readonly mark: number
  /** The length of the line that ends here, and where the next one begins; for wraps only. */
  readonly units: number
  readonly line: number
}

/** The joint behind a piece that ends at `end`; undefined if nothing says that it continues. */
export function continuationAt(text: string, end: number): Continuation | undefined {
  const code = codeAt(text, end)
  if (code === ellipsisCode || (code === dotCode && text.startsWith('...', end)))
    return plainJoint(end + (code === dotCode ? 3 : 1))
  return inSet(quoteSet, codeAt(text, end)) ? (stringJoint(text, end) ?? wrapAt(text, end)) : wrapAt(text, end)
}

/** The end of the piece that continues at `start`, if there is one. */
export function pieceBefore(text: string, start: number): number | undefined {
  const above = mayLeadLine(text, start) ? endAbove(text, lineStart(text, start)) : -1
  if (above > 0 && continuationAt(text, above)?.to === start) return above
  const beside = runBackOver(text, start)
  return beside > 0 && continuationAt(text, beside)?.to === start ? beside : undefined
}

/**
 * Whether only a gutter and blanks may stand between the start of a line and `start`. Most values have a quote, an
 * equals sign or a letter before them, and that is cheaper to see than where the line begins.
 */
function mayLeadLine(text: string, start: number): boolean {
  const before = codeAt(text, start - 1)
  if (!inSet(gutterWordSet, before) || (before === 110 && codeAt(text, start - 2) === 92)) return true
  return start >= text.length || inSet(spaceSet, codeAt(text, start))
}

/** Where a line begins, also behind an escaped `\n`. */
export function lineStart(text: string, at: number): number {
  for (let i = at; i > Math.max(0, at - lineUnitsMax); i--) {
    const code = text.charCodeAt(i - 1)
    if (code === 10 || (code === 110 && text.charCodeAt(i - 2) === 92)) return i
    if (code === 13 && text.charCodeAt(i) !== 10) return i
  }
  return Math.max(0, at - lineUnitsMax)
}

/** Where the piece at the end of the line above ends. */
function endAbove(text: string, line: number): number {
  let i = line
  if (text.charCodeAt(i - 1) === 10) i--
  else if (text.charCodeAt(i - 1) === 110) {
    i--
    while (text.charCodeAt(i - 1) === 92) i--
    if (text.charCodeAt(i - 1) === 114 && text.charCodeAt(i - 2) === 92) i--
    while (text.charCodeAt(i - 1) === 92) i--
    return i
  } else return -1
  while (inSet(spaceSet, codeAt(text, i - 1))) i--
  if (inSet(goesOnSet, codeAt(text, i - 1))) i--
  while (inSet(blankSet, codeAt(text, i - 1))) i--
  return i
}

const betweenSet = charSet(' \t\r\n"\'`\\+.&|<>^~_()[,bBfFrRuU')

function runBackOver(text: string, start: number): number {
  const from = runStart(text, start, betweenSet, betweenUnitsMax)
  // The first quote between the two ends the piece.
  for (let i = from; i < start; i++) if (inSet(quoteSet, codeAt(text, i))) return i
  return -1
}

/** A joint that no line width suggests: of two strings, or at an ellipsis within a value. */
function plainJoint(to: number): Continuation {
  return { to, isWrap: false, isMarked: false, isBare: false, mark: 0, units: 0, line: 0 }
}
const dotCode = 46
const ellipsisCode = 0x2026

function wrapAt(text: string, end: number): Continuation | undefined {
  let i = end
  while (i - end < 2 && inSet(blankSet, codeAt(text, i))) i++
  const mark = i
  const sign = codeAt(text, i)
  // Most finds do not end a line, and that is cheaper to see than where the line begins.
  if (breakEnd(text, i) < 0 && !(inSet(goesOnSet, sign) && breakEnd(text, i + 1) > 0)) return undefined
  const first = lineStart(text, end)
  const isSoftBreak = sign !== 61 || (i - first >= softBreakUnitsMin && i - first <= softBreakUnitsMax)
  const isMarked = inSet(goesOnSet, sign) && isSoftBreak && breakEnd(text, i + 1) > 0
  if (isMarked) i++
  const next = breakEnd(text, i)
  if (next < 0) return undefined
  const gutter = gutterEnd(text, first, next)
  const to = runEnd(text, gutter < 0 ? next : gutter, blankSet, indentMax)
  return { to, isWrap: true, isMarked, isBare: !isMarked || mark > end, mark, units: end - first, line: next }
}

/** Past the line break at `at`. Terminals write several carriage returns, and strings an escape. */
function breakEnd(text: string, at: number): number {
  let i = at
  while (text.charCodeAt(i) === 13 && i < at + 2) i++
  if (text.charCodeAt(i) === 10) return i + 1
  if (i > at) return codeAt(text, at - 1) === 32 ? i : -1
  while (text.charCodeAt(i) === 92 && i < at + backslashesMax) i++
  if (i === at) return -1
  if (text.charCodeAt(i) === 114 && text.charCodeAt(i + 1) === 92) {
    i++
    while (text.charCodeAt(i) === 92) i++
  }
  return text.charCodeAt(i) === 110 ? i + 1 : -1
}

/** From the quote at `at`, which ends a string, to behind the one that begins the next. */
function stringJoint(text: string, at: number): Continuation | undefined {
  const quote = codeAt(text, at)
  const limit = at + betweenUnitsMax
  let i = runEnd(text, at + 1, spaceSet, betweenUnitsMax)
  const operator = codeAt(text, i)
  // One bar alone parts the cells of a table and the members of a union of types.
  if (operator === bar && codeAt(text, i + 1) !== bar) return undefined
  if (inSet(operatorSet, operator) && (operator !== 46 || !inSet(letterSet, codeAt(text, i + 1)))) {
    i = runEnd(text, i, operatorSet, operatorUnitsMax)
    i = pastBreaks(text, i)
  } else if (operator === 92) i = pastBreaks(text, i)
  else if (operator === 46 || operator === 41) i = pastCall(text, i)
  else if (operator === 44) i = pastBreaks(text, i + 1)
  else if (operator === 59 || hasBreak(text, at + 1, i)) i = pastAppended(text, i)
  else if (i > at + 1) return undefined
  if (i < 0 || i > limit) return undefined
  if (inSet(stringLetterSet, codeAt(text, i)) && inSet(quoteSet, codeAt(text, i + 1))) i++
  if (codeAt(text, i) !== quote || i === at) return undefined
  // This reads far back, and behind most strings a comma leads to something else.
  if (operator === 44 && !isJoined(text, at)) return undefined
  return plainJoint(i + 1)
}

/** Whether a line ends in `[from, to)`: two strings side by side on one line are two values. */
function hasBreak(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 10) return true
  return false
}

/** Past blanks, line breaks, continuation marks, and the `+` of an added line. */
function pastBreaks(text: string, from: number): number {
  let i = from
  for (let turn = 0; turn < 3; turn++) {
    i = runEnd(text, i, spaceSet, betweenUnitsMax)
    const code = codeAt(text, i)
    const goesOn = (code === 92 || code === 95) && breakEnd(text, i + 1) > 0
    const isChange = (code === 43 || code === 45) && codeAt(text, i - 1) === 10
    if (!goesOn && !isChange) return i
    i++
  }
  return i
}

/** Past `.concat(` or `).append(`; -1 if something else stands there. */
function pastCall(text: string, from: number): number {
  let i = codeAt(text, from) === 41 ? from + 1 : from
  i = runEnd(text, i, spaceSet, indentMax)
  for (const call of joiningCalls) if (text.startsWith(call, i)) return i + call.length
  return -1
}
const joiningCalls = ['.append(', '.concat(', '.Append(', '.plus(']

/**
 * Whether the string that ends at `end` is an argument of a call that joins strings: `concat!("a", "b")`,
 * `join("", ["a", "b"])`.
 */
function isJoined(text: string, end: number): boolean {
  const from = Math.max(0, end - joinReach)
  // Whichever ends last decides, so what precedes it need not be read.
  for (let i = end - 1; i > from; i--) {
    const code = text.charCodeAt(i)
    // Behind the last string of the arguments, a bracket closes.
    if ((code === 41 || code === 93) && inSet(stringQuoteSet, text.charCodeAt(i - 1))) return false
    if (code === 40 && joins.some((join) => i - join.length >= from && text.startsWith(join, i - join.length)))
      return true
  }
  return false
}
/** What stands before the bracket behind the arguments of a call that joins strings. */
const joins = ['join', 'concat!', 'concat', 'Concat', 'CONCAT', 'paste0']
const joinReach = 640

/** Past `; name += ` or `.=`; `from` if a string follows at once; -1 otherwise. */
function pastAppended(text: string, from: number): number {
  let i = codeAt(text, from) === 59 ? runEnd(text, from + 1, spaceSet, indentMax) : from
  if (inSet(quoteSet, codeAt(text, i))) return i === from ? i : -1
  if (inSet(stringLetterSet, codeAt(text, i)) && inSet(quoteSet, codeAt(text, i + 1))) return i === from ? i : -1
  if (codeAt(text, i) === 36) i++
  const name = runEnd(text, i, nameSet, nameUnitsMax)
  if (name === i) return -1
  i = runEnd(text, name, blankSet, 4)
  const sign = codeAt(text, i)
  if ((sign !== 43 && sign !== 46) || codeAt(text, i + 1) !== 61) return -1
  return runEnd(text, i + 2, blankSet, 4)
}
const nameSet = charSet('A-Z', 'a-z', '0-9', '_.')
