/**
 * Gutters: what tools put before each line that they show (a number, a path, a time), and marks of comments,
 * quotations, lists and diffs. A gutter splits a key that runs over several lines.
 */
import { blankSet, charSet, digitSet, inSet, nextLine } from '../text/chars.ts'
import { lineStart } from '../text/rows.ts'
import type { LineJoin } from './line-join.ts'

/** How values begin that are written over several lines and read as one. */
export const severalLineLiterals = [
  '-----begin ',
  'kind: secret',
  'private-lines:',
  'machine ',
  'value: ',
  'default = '
]

const firstSet = charSet('-kKpPmMvVdD')
const gutterUnitsMax = 120
const linesBeforeMax = 12
const linesBehindMax = 400
const unitsBehindMax = 12_000
const lineUnitsMax = 512
/** Last characters of the words before a log message: a time, a level, a name in brackets. */
const headSet = charSet('0-9', 'A-Z', ']')
/** Characters with which no gutter ends, unless the line ends there as well. */
export const gutterWordSet = charSet('A-Z', 'a-z', '0-9', '_=.,;"\'({[<')

/** Whether such a literal may begin with a code; the others begin with punctuation. */
export function beginsSeveralLines(code: number): boolean {
  return inSet(firstSet, code)
}

/**
 * The gutters of the lines around `at`, in order, as ranges to leave out; empty if the line of `at` has no gutter in
 * common with the next one.
 */
export function guttersAround(text: string, at: number): LineJoin[] {
  const line = lineStart(text, at, gutterUnitsMax)
  if (line < 0) return []
  const next = nextLine(text, at, lineUnitsMax)
  if (next < 0) return []
  const end = commonEnd(text, line, next)
  if (end < 0) return []
  const cuts: LineJoin[] = []
  let above = line
  for (let i = 0; i < linesBeforeMax && above > 0; i++) {
    above = lineStart(text, above - 1, gutterUnitsMax * 2)
    const to = above < 0 ? -1 : matchEnd(text, line, end, above)
    if (to < 0) break
    cuts.unshift({ at: above, to, silent: true })
  }
  let from = line
  for (let i = 0; i < linesBehindMax && from < at + unitsBehindMax; i++) {
    const to = matchEnd(text, line, end, from)
    if (to < 0) break
    cuts.push({ at: from, to, silent: true })
    from = nextLine(text, to, lineUnitsMax)
    if (from < 0) break
  }
  return cuts
}

/** Where the gutter at `next` ends that the line at `line` has as well; -1 if they have none in common. */
export function gutterEnd(text: string, line: number, next: number): number {
  const end = commonEnd(text, line, next)
  return end < 0 ? -1 : matchEnd(text, line, end, next)
}

/** Where the gutter ends that two lines have in common; -1 if they have none, or only blanks. */
function commonEnd(text: string, line: number, next: number): number {
  let i = line
  let j = next
  let end = -1
  let isBlank = true
  // A word alone is not a gutter: two lines may well begin with the same one.
  let hasGutterSign = false
  while (i - line < gutterUnitsMax) {
    const code = text.charCodeAt(i)
    const other = text.charCodeAt(j)
    if (inSet(digitSet, code) && inSet(digitSet, other)) {
      i = runOver(text, i, digitSet)
      j = runOver(text, j, digitSet)
      isBlank = false
      hasGutterSign = true
      continue
    }
    if (inSet(blankSet, code) || inSet(blankSet, other)) {
      const to = runOver(text, i, blankSet)
      const otherTo = runOver(text, j, blankSet)
      // Before its first symbol a gutter may be right-aligned.
      if ((to === i || otherTo === j) && !isBlank) break
      // The indent behind a gutter belongs to the line.
      if (!isBlank) end = i + 1
      if (!isBlank && !(code === 32 && to - i === otherTo - j && inSet(headSet, text.charCodeAt(i - 1)))) break
      i = to
      j = otherTo
      continue
    }
    if (code !== other || code === 10 || !(code > 32)) break
    i++
    j++
    isBlank = false
    if (inSet(gutterWordSet, code)) continue
    end = i
    hasGutterSign = true
  }
  return hasGutterSign ? end : -1
}

/** Where the gutter of `[line, end)` ends in another line; -1 if that has none of this shape. */
function matchEnd(text: string, line: number, end: number, from: number): number {
  let i = line
  let j = from
  while (i < end) {
    const code = text.charCodeAt(i)
    if (inSet(digitSet, code)) {
      const to = runOver(text, j, digitSet)
      if (to === j) return -1
      i = runOver(text, i, digitSet)
      j = to
    } else if (inSet(blankSet, code)) {
      const to = runOver(text, j, blankSet)
      const last = i + 1 === end
      if (to === j && i > line && !(last && endsLine(text, j))) return -1
      j = last ? Math.min(to, j + 1) : to
      i = last ? end : runOver(text, i, blankSet)
    } else if (code === text.charCodeAt(j)) {
      i++
      j++
    } else if (i === line && inSet(blankSet, text.charCodeAt(j))) {
      j = runOver(text, j, blankSet)
      if (text.charCodeAt(j) !== code) return -1
    } else return -1
  }
  return j
}

function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return at >= text.length || code === 10 || code === 13
}

function runOver(text: string, from: number, set: Uint8Array): number {
  let i = from
  while (i - from < gutterUnitsMax && inSet(set, text.charCodeAt(i))) i++
  return i
}
