/** Line breaks that split a key, found from the longer of its halves. */
import { hasDigitAndLetter } from '../keys/key-shape.ts'
import { anyBase64Set, blankSet, charSet, countOf, hexSet, inSet, runEnd, runStart } from '../text/chars.ts'
import { runUnitsMin, wrappedUnitsMin } from './encoded-run.ts'
import { newlineEnd } from './escapes.ts'
import { gutterEnd } from './gutters.ts'
import { continuationAt, lineStart, pieceBefore } from './continuations.ts'
import type { LineJoin } from './line-join.ts'

/** The fewest units on the second line of a split key, and on the first if the second is the longer one. */
const restUnitsMin = 4
const headUnitsMin = 6
/** Nobody wraps lines shorter than this. */
const lineUnitsMin = 40
const indentMax = 16
const gutterUnitsMax = 24

/**
 * The line break right behind a run that looks like the first part of a key, if the next line begins like its rest.
 * Both may be quoted, as program text writes one string over two lines, and stand behind a gutter.
 */
export function splitKeyAt(text: string, start: number, end: number): LineJoin | undefined {
  const code = text.charCodeAt(end)
  const isQuoted = code === 34 || code === 39
  const next = newlineEnd(text, isQuoted || code === 94 || code === 96 ? end + 1 : end)
  if (next < 0) return undefined
  const to = isQuoted ? behindQuote(text, next, code) : behindGutter(text, start, next)
  return to >= 0 && isSplit(text, start, end, to) ? { at: end, to } : undefined
}

function behindQuote(text: string, next: number, quote: number): number {
  const at = runEnd(text, next, blankSet, indentMax)
  return text.charCodeAt(at) === quote ? at + 1 : -1
}

/** Where the next line begins, without its indent and the gutter that it has in common with the line of the run. */
function behindGutter(text: string, start: number, next: number): number {
  // A run that begins its line has nothing before it.
  const gutter = text.charCodeAt(start - 1) === 10 ? -1 : gutterEnd(text, lineStart(text, start), next)
  return runEnd(text, gutter < 0 ? next : gutter, blankSet, indentMax)
}

function isSplit(text: string, start: number, end: number, to: number): boolean {
  const restEnd = runEnd(text, to, anyBase64Set, wrappedUnitsMin)
  const rest = restEnd - to
  if (rest < restUnitsMin || (rest >= wrappedUnitsMin && end - start >= wrappedUnitsMin)) return false
  if (!hasDigitAndLetter(text, to, restEnd)) return false
  // Digests of one length on successive lines are a list.
  if (rest === end - start && countOf(text, start, end, hexSet) === rest) return false
  return hasDigitAndLetter(text, Math.max(start, end - 64), end)
}

/**
 * The line break before a run that begins its line, if the line above ends like the beginning of a key that is too
 * short to be found as a run itself.
 */
export function splitKeyBefore(text: string, run: number, end: number): LineJoin | undefined {
  // The `+` or `-` of a changed line looks like a base64 letter.
  const isChange = text.charCodeAt(run - 1) === 10 && inSet(changeSet, text.charCodeAt(run))
  const start = isChange ? run + 1 : run
  if (!followsPiece(text, start) || !hasDigitAndLetter(text, start, Math.min(end, start + 64))) return undefined
  const at = pieceBefore(text, start)
  if (at === undefined) return undefined
  const head = runStart(text, at, anyBase64Set, runUnitsMin)
  if (at - head < headUnitsMin || at - head >= runUnitsMin || !hasDigitAndLetter(text, head, at)) return undefined
  const joint = continuationAt(text, at)
  if (joint === undefined || joint.units < lineUnitsMin || end - joint.line > joint.units + 1) return undefined
  return { at, to: start }
}

/** Whether only a gutter can stand between `at` and a line that ends like part of a key; most lines end in punctuation. */
function followsPiece(text: string, at: number): boolean {
  // A gutter ends in a blank, or in the mark of a changed line.
  if (at === 0 || !inSet(gutterEndSet, text.charCodeAt(at - 1))) return false
  for (let i = at - 1; i > 0 && at - i <= gutterUnitsMax; i--)
    if (text.charCodeAt(i) === 10) return inSet(lineEndSet, text.charCodeAt(i - 1))
  return false
}
const changeSet = charSet('+-')
const gutterEndSet = charSet(' \t\n+-')
const lineEndSet = charSet('A-Z', 'a-z', '0-9', '+/_-', '\\^`= \r')
