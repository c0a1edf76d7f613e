/** Numbers in a line that count, measure or address something, and so are not those of a person. */
import {
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  dottedDigitSet,
  inSet,
  letterSet,
  lowerSet,
  runEnd
} from '../text/chars.ts'
import { isYyyymmdd } from '../validators/digits.ts'

/**
 * Whether the line counts or measures: a decimal (`1136.84211`), a fraction (`12825/8192`), a range (`600 - 601`), a
 * decimal among other words (`L 460.8 273.6`), or a word and a number (`size 750700`).
 */
export function isMeasure(text: string, start: number, end: number): boolean {
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
    if (to === at && isVersioned(text, at, end)) return true
    while (at < end && codeAt(text, at) !== 32) at++
  }
  return false
}

/** Whether a word is a name and its version: `HTTP/1.1`. */
function isVersioned(text: string, at: number, end: number): boolean {
  const name = runEnd(text, at, letterSet, end - at)
  const to = runEnd(text, name + 1, numberSet, end - name)
  return name > at && codeAt(text, name) === 47 && isDecimal(text, name + 1, to)
}

function isLongDecimal(text: string, at: number, end: number): boolean {
  const to = runEnd(text, at, numberSet, end - at)
  return to - at >= longDecimalUnitsMin && isDecimal(text, at, to)
}
const longDecimalUnitsMin = 8

/**
 * Whether it is a version, `1.11.155`, `14.0.20241023.0`, or one of its words is an address of the Internet or of a
 * network: `35.239.72.50`, `or 192.0.2.0/24`.
 */
export function isDotted(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const to = runEnd(text, at, dottedDigitSet, end - at)
    if (to - at >= octetsUnitsMin && isAddress(text.slice(at, to).split('.'))) {
      const behind = codeAt(text, to) === 47 ? runEnd(text, to + 1, digitSet, prefixDigitsMax) : to
      if (behind === end || codeAt(text, behind) === 32) return true
    }
    while (at < end && codeAt(text, at) !== 32) at++
  }
  if (!consistsOf(text, start, end, dottedDigitSet)) return false
  const groups = text.slice(start, end).split('.')
  if (groups.length > 2 && groups.some((group) => group.length === 8 && isYyyymmdd(group))) return true
  if (groups.some((group) => group === '' || group.length > octetDigitsMax)) return false
  return groups.length === versionGroups && groups[1]?.length !== octetDigitsMax
}

function isAddress(groups: readonly string[]): boolean {
  return groups.length === octets && groups.every((group) => group !== '' && Number(group) <= octetMax)
}
const octetsUnitsMin = '0.0.0.0'.length
const prefixDigitsMax = 2
const octets = 4
const octetDigitsMax = 3
const octetMax = 255
const versionGroups = 3

/** Whether it is a decimal, with or without a sign and digits before the point: `1.5`, `-.401`. */
export function isDecimal(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start) === 45 ? start + 1 : start
  const point = runEnd(text, first, digitSet, end - first)
  if (point + 1 >= end || codeAt(text, point) !== 46) return false
  return runEnd(text, point + 1, digitSet, end - point) === end
}

/** What numbers with a sign, decimals and dates consist of. */
export const numberSet = charSet('0-9', '.-')
