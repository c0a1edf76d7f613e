/** The end of an unquoted value that shares its line with other text. */
import { isEscape } from './lexing.ts'
import {
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  inSet,
  letterSet,
  quoteSet,
  runEnd,
  runStart
} from '../text/chars.ts'
import { holdsPair, isExpression } from './line-value.ts'
import { NextOf } from '../text/next-of.ts'
import { isCell } from './value-end.ts'
import { longTokenSet, longTokenUnitsMax } from '../values/long-tokens.ts'
import { rarity } from '../values/rarity.ts'

const bareUnitsMax = 512
/** With more equals signs or colons, a bare value is a list of assignments. */
const bareSignsMax = 4
/** Characters that end a bare value. */
const bareStopSet = charSet(' \t\r\n\u001b"\'`,;<>&|\\(){}[]')
const bracketSet = charSet('(){}[]')
const chainSet = charSet('A-Z', 'a-z', '0-9', '_.:$@*&!?-')
const bareTailSet = charSet('.:,')

/** Finds the next character at which more than its position must be considered. */
const bareMarks = new NextOf(bareStopSet.map((bit, code) => (code === 61 || code === 58 ? 1 : bit)))

/**
 * The end of the word that begins at `at`; `at` if an expression or a list of assignments begins there.
 * @param textNumber identifies the text; see `NextOf`
 */
export function bareEnd(text: string, at: number, textNumber: number): number {
  const limit = Math.min(text.length, at + bareUnitsMax)
  let signs = 0
  let opened = false
  let i = bareMarks.at(text, at, limit, textNumber)
  for (; i < limit; i++) {
    const code = text.charCodeAt(i)
    if ((code === 61 || code === 58) && ++signs > bareSignsMax) return at
    if (!inSet(bareStopSet, code)) continue
    if (code === 92 && !isEscape(codeAt(text, i + 1))) continue
    if (!inSet(bracketSet, code)) break
    if (code === 41 || code === 93 || code === 125) {
      if (!opened) break
      continue
    }
    // A call, an index or an object is an expression and not a value, unless what precedes the bracket is not a name.
    if (i === at || consistsOf(text, at, i, chainSet)) return at
    opened = true
  }
  if (i === limit) i = longEnd(text, at, i, textNumber)
  return runStart(text, i, bareTailSet, i - at)
}

/** Finds the end of a run of token letters, which may have many names within it. */
const longEnds = new NextOf(longTokenSet, 'notIn')

/** The end of a token from `at` whose first units end at `from`; `from` if it is none. */
function longEnd(text: string, at: number, from: number, textNumber: number): number {
  const limit = Math.min(text.length, at + longTokenUnitsMax + 1)
  const end = longEnds.at(text, from, limit, textNumber)
  return end - at > longTokenUnitsMax ? from : end
}

const signedUnitsMin = 8
const signedUnitsMax = 64
const signedBits = 7
/**
 * Finds places at which the value may end: the characters of {@link quoteSet}, an escape, a tag, invisible
 * characters.
 */
const signedStops = new NextOf(charSet('"\'`\\<').fill(1, 0, 33).fill(1, 127), 'inOrBeyond')
const signedTailSet = charSet('.,:;')

/**
 * The end of a password with characters that usually end a value: at the next blank or quote, if it does not read like
 * text and is neither an expression nor the first of several assignments.
 * @param end where the word ends otherwise, which is returned if it is not such a password
 * @param textNumber identifies the text; see `NextOf`
 */
export function signedEnd(text: string, start: number, end: number, textNumber: number): number {
  const limit = Math.min(text.length, start + signedUnitsMax)
  if (limit < text.length && signedStops.at(text, start, limit, textNumber) === limit) return end
  let to = start
  for (; to < limit; to++) {
    const code = text.charCodeAt(to)
    if (code <= 32 || code > 126 || inSet(quoteSet, code)) break
    if (code === 92 && isEscape(codeAt(text, to + 1))) break
    // A tag, as behind text in markup.
    if (code === 60 && isTag(text, to, limit)) break
  }
  if (to === limit && limit < text.length) return end
  if (to <= end || to - start < signedUnitsMin || countOf(text, start, to, digitSet) === 0) return end
  if (isCall(text, start, to) || leadsRow(text, end, to)) return end
  to = withoutTail(text, start, to)
  if (to <= end || to - start < signedUnitsMin || countOf(text, start, to, letterSet) < 3) return end
  if (inSet(opensSet, text.charCodeAt(to - 1)) || rarity(text, start, to) < signedBits) return end
  return isExpression(text, start, to) || holdsPair(text, start, to) ? end : to
}

/** Whether a comma separates the value from the next cell of a row. */
function leadsRow(text: string, end: number, limit: number): boolean {
  const from = runEnd(text, end, bareTailSet, limit - end)
  if (from === end || codeAt(text, from - 1) !== 44) return false
  const comma = text.slice(from, limit).indexOf(',')
  const to = comma < 0 ? limit : from + comma
  return to > from && isCell(text, from, to)
}

const opensSet = charSet('([{+=')

/** Whether it is a call with its first argument, and the next one follows behind a blank: `setup2Test(t, client)`. */
function isCall(text: string, start: number, end: number): boolean {
  const name = runEnd(text, start, chainSet, end - start)
  return name > start && codeAt(text, name) === 40 && codeAt(text, end - 1) === 44 && codeAt(text, end) === 32
}

/** Whether a tag stands at `at`, the place of a less-than sign. */
export function isTag(text: string, at: number, limit: number): boolean {
  const code = codeAt(text, at + 1)
  if (code === 47) return true
  if (!inSet(letterSet, code)) return false
  const end = runEnd(text, at + 1, letterSet, limit - at)
  return codeAt(text, end) === 62 || codeAt(text, end) === 32
}

/** Without the punctuation that ends a sentence, and without closing brackets that were opened before. */
function withoutTail(text: string, start: number, end: number): number {
  let to = end
  while (to > start) {
    const code = text.charCodeAt(to - 1)
    if (!inSet(signedTailSet, code)) {
      const opener = openerOf(code)
      if (opener === 0 || holds(text, start, to, opener)) break
    }
    to--
  }
  return to
}

/** The bracket that opens what `code` closes; 0 if `code` is not a closing bracket. */
function openerOf(code: number): number {
  return code === 41 ? 40 : code === 93 || code === 125 ? code - 2 : 0
}

function holds(text: string, start: number, end: number, code: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) === code) return true
  return false
}
