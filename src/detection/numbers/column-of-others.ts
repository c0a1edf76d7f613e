/** Tells a number that passes a check by chance by the numbers like it in the lines around it. */
import { base62Set, codeAt, digitSet, inSet, runEnd } from '../text/chars.ts'
import { lineEnd, lineStart } from '../text/rows.ts'

/** How much of a line is read. */
const unitsMax = 400
/** How many lines must hold nothing but others. */
const linesMin = 2

/**
 * Whether bare digits at `[start, end)` are in a column of something else: the lines before and behind, or the two next
 * ones on one side at the end of a table, hold numbers of the same length or the same beginning, and `passes` says no to
 * all of them. Of random numbers one in ten passes for a card, and of a list of cards one may be mistyped, but hardly its
 * neighbours.
 */
export function isInColumnOfOthers(
  text: string,
  start: number,
  end: number,
  passes: (value: string) => boolean
): boolean {
  const value = text.slice(start, end)
  const behind = othersBehind(text, end, value, passes)
  if (behind < 0) return false
  const before = othersBefore(text, start, value, passes)
  return before >= 0 && before + behind >= linesMin
}

/** How many of the next two lines hold only others; -1 if one holds a number that passes. */
function othersBehind(text: string, end: number, value: string, passes: (value: string) => boolean): number {
  let lines = 0
  let at = lineEnd(text, end, unitsMax)
  while (lines < linesMin && codeAt(text, at) === 10) {
    const to = lineEnd(text, at + 1, unitsMax)
    if (to < 0) break
    const held = heldIn(text, at + 1, to, value, passes)
    if (held !== others) return held === passing ? -1 : lines
    lines++
    at = to
  }
  return lines
}

/** The same of the two lines before. */
function othersBefore(text: string, start: number, value: string, passes: (value: string) => boolean): number {
  let lines = 0
  let at = lineStart(text, start, unitsMax) - 1
  while (lines < linesMin && codeAt(text, at) === 10) {
    const from = lineStart(text, at, unitsMax)
    if (from < 0) break
    const held = heldIn(text, from, at, value, passes)
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

/** What the numbers like `value` in `[from, to)` are. */
function heldIn(text: string, from: number, to: number, value: string, passes: (value: string) => boolean): number {
  let held = nothing
  for (let i = from; i < to; i++) {
    if (!inSet(digitSet, text.charCodeAt(i))) continue
    const end = runEnd(text, i, digitSet, to - i)
    const isAlike = end - i === value.length || (end - i > beginUnits && text.startsWith(value.slice(0, beginUnits), i))
    if (isAlike && !inSet(base62Set, codeAt(text, i - 1)) && !inSet(base62Set, codeAt(text, end))) {
      if (passes(text.slice(i, end))) return passing
      held = others
    }
    i = end
  }
  return held
}
