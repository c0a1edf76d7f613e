/** Telephone numbers that stand alone on a line of a file. */
import { isCompound } from '../../numbers/chance-matches.ts'
import { consistsOf, digitSet } from '../../text/chars.ts'
import type { Match, MatchContext } from '../../detector.ts'
import { dateEnd } from '../../validators/dates.ts'
import { isDigits, isFlat, isYyyymmdd } from '../../validators/digits.ts'
import { isAbroad } from '../../validators/phone-plans.ts'

/**
 * A line that consists of a number: with a plus, an international prefix or a trunk zero, or as written within a
 * country.
 */
export function loneNumber(text: string, at: number, context: MatchContext): Match | undefined {
  const value = context.line
  if (!isDigits(value) || isFlatTail(value) || isTime(value)) return undefined
  if (isCompound(text, at, context.wordEnd) || bracketsDate(text, at, context.wordEnd)) return undefined
  const match: Match = { start: at, end: context.wordEnd, confidence: 'medium' }
  const first = text.charCodeAt(at)
  if (first === 43) return value.length >= 7 && isAbroad(value) ? match : undefined
  if (value.startsWith('00')) return isAbroad(value.slice(2)) ? match : undefined
  if (value.startsWith('0')) return value.length >= 8 && value.length <= 13 ? match : undefined
  if (hasGroups(text, at, context.wordEnd)) return value.length >= 7 && value.length <= 13 ? match : undefined
  if (!isBare(text, at, context.wordEnd)) return undefined
  // Hardly anybody dials North Korea, and the ids of persons born in 1985 begin so.
  return isAtHome(value) || (value.length >= 10 && isAbroad(value) && !value.startsWith('850')) ? match : undefined
}

/**
 * Whether the first digit fits a number without a trunk zero: eight and nine digits in small countries, ten and eleven
 * in large ones.
 */
function isAtHome(value: string): boolean {
  const first = value.charAt(0)
  if (value.length === 11) return value.startsWith('1') ? value.charAt(1) >= '3' : first === '7' || first === '8'
  return value.length >= 8 && value.length <= 10 && first >= '2'
}

/** Whether it is a date or a time: `20260131`, seconds since 1970. */
function isTime(value: string): boolean {
  if (value.length === 8) return isYyyymmdd(value)
  return value.length === 10 && value >= '1400000000' && value < '1900000000'
}

function isFlatTail(value: string): boolean {
  return value.length < 7 || isFlat(value)
}

/** Whether a date stands in brackets, and no number or area: `0.8.7 (29.04.2015)`. */
function bracketsDate(text: string, start: number, end: number): boolean {
  const open = text.slice(start, end).indexOf('(')
  return open >= 0 && dateEnd(text, start + open + 1) > 0
}

function isBare(text: string, start: number, end: number): boolean {
  return consistsOf(text, start, end, digitSet)
}

function hasGroups(text: string, start: number, end: number): boolean {
  let groups = 0
  for (let i = start + 1; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === 46) return false
    if (code === 32 || code === 45) groups++
  }
  return groups > 0 && groups < 6
}
