/** Unquoted values that fill the rest of their line, whatever characters they contain. */
import {
  base62Set,
  blankSet,
  charSet,
  closeBracketSet,
  codeAt,
  countOf,
  digitSet,
  dotSet,
  dottedNameSet,
  inSet,
  letterSet,
  openBracketSet,
  quoteSet,
  runEnd,
  runStart,
  wordSet
} from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'
import { isPassphrase } from '../values/passphrases.ts'
import { quotedEnd } from './quoted-end.ts'
import { rarity } from '../values/rarity.ts'

const valueUnitsMax = 128
const valueUnitsMin = 8
const valueBits = 6.2
/** Bits per character (rarity) that a value without a digit must have (decision 110). */
const signBits = 7
const headUnitsMax = 24
const heads = ['export ', 'set ', 'ENV ', 'ARG ', '- ', '+ ', 'declare -x ']
const marginSet = charSet(' \t+-')
const pairSet = charSet('&;,|')
const lastSet = charSet('([{,;+')
const blanks = new NextOf(new Uint8Array(128).fill(1, 0, 33))

/**
 * Where the value at `start` ends if its line is only a name, an operator and the value, and the value is not an
 * expression: it does not read like text, and its brackets and quotes do not match, or it has none.
 * @param textNumber identifies the text; see `NextOf`
 * @returns -1 otherwise
 */
export function lineValueEnd(text: string, nameStart: number, start: number, textNumber: number): number {
  const before = codeAt(text, nameStart - 1)
  if (before === 38 || before === 63) return queryValueEnd(text, start)
  const limit = Math.min(text.length, start + valueUnitsMax)
  const last = blanks.at(text, start, limit, textNumber)
  if (last === limit - (limit === text.length ? -1 : 0) || !fillsLine(text, last)) return -1
  const end = beforeTags(text, start, last)
  if (end - start < valueUnitsMin || inSet(lastSet, text.charCodeAt(end - 1)) || !beginsLine(text, nameStart)) return -1
  if (countOf(text, start, end, letterSet) < 3) return -1
  const bits = countOf(text, start, end, digitSet) > 0 ? valueBits : signBits
  if (rarity(text, start, end) < bits || isExpression(text, start, end) || holdsPair(text, start, end)) return -1
  return end
}

/** The end without the closing tags of the paragraph that the line is in: `Password: ...</p>`. Tags around the value stay. */
function beforeTags(text: string, start: number, end: number): number {
  let to = end
  if (codeAt(text, start) === 60) return to
  while (codeAt(text, to - 1) === 62) {
    const name = runStart(text, to - 1, base62Set, tagUnitsMax)
    if (name === to - 1 || name - 2 < start || !text.startsWith('</', name - 2)) break
    to = name - 2
  }
  return to
}
const tagUnitsMax = 12

/**
 * Where the value at `start` ends if a quote before its name opens a string that is only name and value:
 * `"NAME=value"`, `'X-Name: value'`.
 * @param assigned whether an equals sign stands between
 * @returns -1 otherwise
 */
export function pairEnd(text: string, nameStart: number, start: number, assigned: boolean): number {
  const quote = codeAt(text, nameStart - 1)
  if (quote !== 34 && quote !== 39) return -1
  let escapes = 0
  while (escapes < escapesMax && codeAt(text, nameStart - 2 - escapes) === 92) escapes++
  const closed = quotedEnd(text, start, quote, escapes, pairReach)
  if (codeAt(text, closed + escapes) !== quote) return -1
  const end = withoutBreak(text, start, closed)
  if (end - start > valueUnitsMax || end - start < pairUnitsMin) return -1
  if (isExpression(text, start, end) || holdsPair(text, start, end)) return -1
  return countOf(text, start, end, blankSet) === 0 || (assigned && isPassphrase(text, start, end)) ? end : -1
}

/** Without the escaped line break at the end of a one-line string: `"NAME=value\\n"`. */
function withoutBreak(text: string, start: number, end: number): number {
  let to = end
  while (to - 2 > start && codeAt(text, to - 2) === 92 && inSet(breakSet, codeAt(text, to - 1))) {
    to -= 2
    while (to > start && codeAt(text, to - 1) === 92) to--
  }
  return to
}
const breakSet = charSet('nr')

const escapesMax = 7
/** How far the end of such a string is looked for. Many names may stand behind quotes that are doubled and close nothing. */
const pairReach = 2 * valueUnitsMax
const pairUnitsMin = 6

/** Unescaped characters in a URL parameter, including those that may close the string around the URL. */
const querySet = charSet('A-Z', 'a-z', '0-9', '%_~.!*-')
const queryTailSet = charSet('.!*-')
const queryCloseSet = charSet("'()")
const queryNextSet = charSet('A-Z', 'a-z', '0-9', '%')

/** Where the value of a URL parameter ends that contains some characters unescaped. */
function queryValueEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + valueUnitsMax)
  let i = start
  let closers = 0
  while (i < limit) {
    const code = text.charCodeAt(i)
    if (inSet(queryCloseSet, code) && inSet(queryNextSet, codeAt(text, i + 1))) closers++
    else if (!inSet(querySet, code)) break
    i++
  }
  const end = runStart(text, i, queryTailSet, i - start)
  return closers > 0 && end - start >= valueUnitsMin && codeAt(text, end) !== 41 ? end : -1
}

/** Whether the line ends there, or a comment begins. */
function fillsLine(text: string, at: number): boolean {
  const code = codeAt(text, at)
  if (!(code === 32)) return true
  return codeAt(text, at + 1) === 35
}

/** Whether only blanks, list or diff marks, a dotted path or a word such as `export` precedes the name. */
function beginsLine(text: string, nameStart: number): boolean {
  const path = runStart(text, nameStart, dottedNameSet, headUnitsMax * 2)
  let at = path
  for (const head of heads) if (text.startsWith(head, at - head.length)) at -= head.length
  at = runStart(text, at, marginSet, headUnitsMax)
  return isLineStart(text, at) || isNumbered(text, at) || isStamped(text, at)
}

function isLineStart(text: string, at: number): boolean {
  return at <= 0 || text.charCodeAt(at - 1) === 10
}

/** Whether a line number precedes as tools print it: `12→`, `12<tab>`, `src/.env:12:`. */
function isNumbered(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const isTab = inSet(digitSet, before) && text.charCodeAt(at) === 9
  if (!isTab && !(before === 0x2192 || before === 58 || before === 124)) return false
  const end = isTab ? at : runStart(text, at - 1, marginSet, 2)
  const number = runStart(text, end, digitSet, lineNumberMax)
  if (number === end) return before === 58 && isPath(text, at - 1)
  return isLineStart(text, runStart(text, number, marginSet, headUnitsMax)) || isPath(text, number - 1)
}

/** Whether the timestamp of a CI log precedes. */
function isStamped(text: string, at: number): boolean {
  const zone = text.charCodeAt(at - 1)
  return zone === 90 && at > stampUnitsMin && isLineStart(text, runStart(text, at - 1, stampSet, stampUnitsMax))
}
const stampSet = charSet('0-9', '-:.T')
const stampUnitsMin = 17
const stampUnitsMax = 40

const lineNumberMax = 7
const pathUnitsMax = 160
const pathSet = charSet('A-Z', 'a-z', '0-9', '_./-@+')

/** Whether the line begins with the path of a file that ends in the colon at `colon`. */
function isPath(text: string, colon: number): boolean {
  if (text.charCodeAt(colon) !== 58) return false
  const start = runStart(text, colon, pathSet, pathUnitsMax)
  return isLineStart(text, start) && countOf(text, start, colon, dotSet) > 0
}

/** Whether the value contains brackets or quotes that all match, or a template. */
export function isExpression(text: string, start: number, end: number): boolean {
  let open = 0
  let signs = 0
  let quotes = 0
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (inSet(openBracketSet, code)) {
      const before = text.charCodeAt(i - 1)
      // `$(`, `${`, `{{`.
      if (i > start && (before === 36 || before === code)) return true
      open++
      signs++
    } else if (inSet(closeBracketSet, code)) {
      if (--open < 0) return false
      signs++
    } else if (inSet(quoteSet, code)) quotes++
  }
  return signs + quotes > 0 && open === 0 && quotes % 2 === 0
}

/** Whether another pair or command follows within the value: `...;name=`, `...&name=`, `...,auth.database=`, `...&&`. */
export function holdsPair(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (!inSet(pairSet, code)) continue
    if ((code === 38 || code === 124) && i + 1 < end && text.charCodeAt(i + 1) === code) return true
    const name = runEnd(text, i + 1, dottedNameSet, end - i)
    if (name > i + 1 && text.charCodeAt(name) === 61 && inSet(wordSet, text.charCodeAt(i + 1))) return true
  }
  return false
}
