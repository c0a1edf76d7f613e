/**
 * What grep puts before the lines that it finds and those around them: `app.conf:12:` and `app.conf-13-`, or `12:` and
 * `13-` if it was given one file.
 *
 * Source of facts: GNU grep, "Output Line Prefix Control" and "Context Line Control"; ripgrep writes the same.
 */
import { base62Set, charSet, codeAt, countOf, digitSet, inSet, letterSet, runEnd } from '../text/chars.ts'

const pathUnitsMax = 200
const digitsMax = 7
/** Among so many lines, one was found if the others stand around it. */
const linesMax = 24
const linesMin = 3
/** How paths begin. */
const pathStartSet = charSet('A-Z', 'a-z', '0-9', '_./~')
const partSet = charSet('./')
/** What else paths consist of. */
const signSet = charSet('_./~@+-', '\\()[]{}$#,%')
/** The longest run of digits in a path, and the longest of digits and letters. */
const numberUnitsMax = 6
const mixedUnitsMax = 11
/** Files without a folder and an ending: `Makefile`. */
const bareNames = ['file', 'README', 'LICENSE', 'CODEOWNERS']

const lineFeed = 10
const minus = 45
const colon = 58

const isSign = (code: number): boolean => code === colon || code === minus

/**
 * How many units the path has before the numbers of the line at `line` and the next one; 0 if the lines are numbered
 * without a path, and some of them were found and others not; -1 otherwise.
 */
export function foundPath(text: string, line: number): number {
  const first = codeAt(text, line)
  if (inSet(digitSet, first) && standsAround(text, line)) return 0
  if (!inSet(pathStartSet, first)) return -1
  let next = -1
  for (let i = line + 1; i < line + pathUnitsMax; i++) {
    const code = codeAt(text, i)
    if (code <= 32) return -1
    if (isSign(code) && foundEnd(text, line, i - line) > 0) {
      if (next < 0) next = text.indexOf('\n', i) + 1
      if (next === 0) return -1
      if (isFollowed(text, line, i - line, next)) return isPath(text, line, i) ? i - line : -1
    }
  }
  return -1
}

/** Where the gutter at `line` ends, behind a path of so many units; -1 if there is none. */
export function foundEnd(text: string, line: number, path: number): number {
  const sign = path > 0 ? codeAt(text, line + path) : 0
  const from = path > 0 ? line + path + 1 : line
  const end = runEnd(text, from, digitSet, digitsMax + 1)
  if (end === from || end > from + digitsMax || !isSign(codeAt(text, end))) return -1
  return path === 0 || codeAt(text, end) === sign ? end + 1 : -1
}

/** The number in the gutter that ends at `end`. */
export function foundNumber(text: string, line: number, path: number, end: number): number {
  return Number(text.slice(path > 0 ? line + path + 1 : line, end - 1))
}

/** Whether the line at `next` has the same path, and the next number. */
function isFollowed(text: string, line: number, path: number, next: number): boolean {
  if (!text.startsWith(text.slice(line, line + path), next)) return false
  const end = foundEnd(text, next, path)
  return end > 0 && foundNumber(text, next, path, end) === foundNumber(text, line, path, foundEnd(text, line, path)) + 1
}

/**
 * Whether `[start, end)` is the path of a file. Nothing looks for values in what is left out of a text, so what may hold
 * one is no path: an address, an assignment, a long number, a key.
 */
function isPath(text: string, start: number, end: number): boolean {
  const isBare = countOf(text, start, end, partSet) === 0
  if (isBare && !bareNames.some((name) => text.startsWith(name, end - name.length))) return false
  if (countOf(text, start, end, letterSet) === 0) return false
  // `C:\src\shop.cs`.
  for (let i = text.startsWith(':\\', start + 1) ? start + 2 : start; i < end;) {
    const part = Math.min(end, runEnd(text, i, base62Set, end - i))
    if (!isPart(text, i, part)) return false
    const code = codeAt(text, part)
    if (part < end && code < 128 && !inSet(signSet, code)) return false
    // `ana@acme.dev`, and not `@acme/shop` or `shop@1.2`.
    if (code === 64 && part > i && inSet(letterSet, codeAt(text, part + 1))) return false
    i = part + 1
  }
  return true
}

/** Whether digits and letters between other characters are no number or key. */
export function isPart(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  return digits === end - start ? digits <= numberUnitsMax : digits === 0 || end - start <= mixedUnitsMax
}

/** Whether the lines from `line` on count up, and some of them were found and others not. */
function standsAround(text: string, line: number): boolean {
  let founds = 0
  let others = 0
  let number = -1
  for (let at = line; founds + others < linesMax;) {
    const end = foundEnd(text, at, 0)
    if (end < 0) return false
    const next = foundNumber(text, at, 0, end)
    if (number >= 0 && next !== number + 1) return false
    number = next
    if (codeAt(text, end - 1) === colon) founds++
    else others++
    if (founds > 0 && others > 0 && founds + others >= linesMin) return true
    at = text.indexOf('\n', end) + 1
    if (at === 0 || codeAt(text, at) === lineFeed) return false
  }
  return false
}
