/** Tells a number that passes a check by chance by the numbers like it in the lines around it. */
import { assignSet, base62Set, charSet, codeAt, countOf, digitSet, inSet, runEnd } from '../text/chars.ts'
import { lineEnd, lineStart } from '../text/rows.ts'

/** How much of a line is read. */
const unitsMax = 400
/** How many lines must hold nothing but others. */
const linesMin = 2

/**
 * Whether bare digits at `[start, end)` are in a column of something else: the lines before and behind, or the two next
 * ones on one side at the end of a table, hold numbers of the same length or the same beginning at the same place of the
 * line, and `passes` says no to all of them. Of random numbers one in ten passes for a card, and of a list of cards one
 * may be mistyped, but hardly its neighbours.
 */
export function isInColumnOfOthers(
  text: string,
  start: number,
  end: number,
  passes: (value: string) => boolean
): boolean {
  const own = { line: lineStart(text, start, unitsMax), start, end }
  const behind = own.line < 0 ? -1 : othersBehind(text, own, passes)
  if (behind < 0) return false
  const before = othersBefore(text, own, passes)
  return before >= 0 && before + behind >= linesMin
}

/** Where a number stands, and where its line begins. */
interface Place {
  readonly line: number
  readonly start: number
  readonly end: number
}

/** How many of the next two lines hold only others; -1 if one holds a number that passes. */
function othersBehind(text: string, own: Place, passes: (value: string) => boolean): number {
  let lines = 0
  let at = lineEnd(text, own.end, unitsMax)
  while (lines < linesMin && codeAt(text, at) === 10) {
    const to = lineEnd(text, at + 1, unitsMax)
    if (to < 0) break
    const held = heldIn(text, at + 1, to, own, passes)
    if (held !== others) return held === passing ? -1 : lines
    lines++
    at = to
  }
  return lines
}

/** The same of the two lines before. */
function othersBefore(text: string, own: Place, passes: (value: string) => boolean): number {
  let lines = 0
  let at = own.line - 1
  while (lines < linesMin && codeAt(text, at) === 10) {
    const from = lineStart(text, at, unitsMax)
    if (from < 0) break
    const held = heldIn(text, from, at, own, passes)
    if (held !== others) return held === passing ? -1 : lines
    lines++
    at = from - 1
  }
  return lines
}

const beginUnits = 6
const nothing = 0
const others = 1
const passing = 2

/** What the numbers in the line `[from, to)` are that are like the one at `own`. */
function heldIn(text: string, from: number, to: number, own: Place, passes: (value: string) => boolean): number {
  const beginning = text.slice(own.start, own.start + beginUnits)
  let held = nothing
  for (let i = from; i < to; i++) {
    if (!inSet(digitSet, text.charCodeAt(i))) continue
    const end = runEnd(text, i, digitSet, to - i)
    const isAlike = end - i === own.end - own.start || (end - i > beginUnits && text.startsWith(beginning, i))
    if (isAlike && !inSet(base62Set, codeAt(text, i - 1)) && !inSet(base62Set, codeAt(text, end))) {
      if (passes(text.slice(i, end))) return passing
      if (isBelow(text, own, from, i)) held = others
    }
    i = end
  }
  return held
}

/**
 * Whether the number at `at` is in the same column of the line from `from` on: behind as many separators, behind the same
 * words, or as far from the margin. In a log, the time of the next line is not below a number in this one.
 */
function isBelow(text: string, { line, start }: Place, from: number, at: number): boolean {
  const cells = countOf(text, line, start, separatorSet)
  if (cells !== countOf(text, from, at, separatorSet)) return false
  if (cells > 0 || isSameBesideDigits(text, line, start, from, at)) return true
  return start - line === at - from && countOf(text, line, start, assignSet) === 0
}
const separatorSet = charSet(',;|\t')

function isSameBesideDigits(text: string, start: number, end: number, from: number, to: number): boolean {
  let k = from
  for (let i = start; i < end; i++) {
    if (inSet(digitSet, text.charCodeAt(i))) continue
    k = runEnd(text, k, digitSet, to - k)
    if (k === to || text.charCodeAt(k++) !== text.charCodeAt(i)) return false
  }
  return runEnd(text, k, digitSet, to - k) === to
}
