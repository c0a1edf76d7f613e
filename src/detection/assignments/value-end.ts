/** Where an unquoted value really ends: passwords contain characters that usually separate values. */
import {
  charSet,
  closeBracketSet,
  consistsOf,
  dottedNameSet,
  inSet,
  letterSet,
  lowerSet,
  runEnd,
  runStart
} from '../text/chars.ts'
import { rarity } from '../values/rarity.ts'

const softSet = charSet('&,;|.:')
const softUnitsMax = 3
const tailSet = charSet('A-Z', 'a-z', '0-9', '!#$%*+-./:=?@^_~')
const entitySet = charSet('A-Z', 'a-z', '0-9', '#')
const trailSet = charSet('.:,;')
const tailUnitsMax = 64
const tailsMax = 4
/**
 * Bits per character (rarity) below which what follows the character is a word of its own, as in `password=...,ro` and
 * `...|sort`.
 */
const tailBits = 6

/**
 * The end of a secret for which reading stopped at `end`: past the character there and what follows it, unless that is
 * the next pair, the next word, or the rest of an expression.
 */
export function wholeEnd(text: string, end: number): number {
  let whole = end
  for (let tails = 0; tails < tailsMax && inSet(softSet, text.charCodeAt(whole)); tails++) {
    const from = runEnd(text, whole, softSet, softUnitsMax)
    const to = runEnd(text, from, tailSet, tailUnitsMax)
    if (to === from || !goesOn(text, whole, from, to)) break
    whole = to
  }
  return runStart(text, whole, trailSet, whole - end)
}

/** Whether it is the next cell of a row: `,385`, `,2010-08-17`, `,Rural`, `,PK`. */
export function isCell(text: string, from: number, to: number): boolean {
  if (consistsOf(text, from, to, numberSet)) return true
  if (!consistsOf(text, from, to, letterSet)) return false
  return to - from < codeUnitsMin || runEnd(text, from + 1, lowerSet, to - from) === to
}
const numberSet = charSet('0-9', '.-')
const codeUnitsMin = 4

function goesOn(text: string, sign: number, from: number, to: number): boolean {
  const isAmpersand = text.charCodeAt(sign) === 38
  const name = runEnd(text, from, dottedNameSet, tailUnitsMax)
  const next = text.charCodeAt(name)
  if (name > from && (next === 61 || (next === 58 && inSet(letterSet, text.charCodeAt(from))))) return false
  if (isAmpersand && text.charCodeAt(runEnd(text, from, entitySet, 12)) === 59) return false
  if (inSet(closeBracketSet, text.charCodeAt(to))) return false
  if (consistsOf(text, from, to, lowerSet)) return false
  if (text.charCodeAt(from - 1) === 44 && isCell(text, from, to)) return false
  return isAmpersand || rarity(text, from, to) >= tailBits
}
