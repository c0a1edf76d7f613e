/**
 * What the generators of personal numbers share. Nothing here uses the scanner's validators, so that a mistake in those
 * shows.
 */
import type { SeededRandom } from '../../test/support/random.ts'

export const digits = '0123456789'
export const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

export const two = (value: number): string => String(value).padStart(2, '0')
export const from = (random: SeededRandom, first: number, last: number): number =>
  first + random.below(last - first + 1)
export const numberOf = (random: SeededRandom, units: number): string =>
  random.text('123456789', 1) + random.text(digits, Math.max(0, units - 1))

export const digitsOf = (text: string): number[] => Array.from(text, Number)

/** The sum of digits times weights; the weights repeat. */
export const weighted = (text: string, weights: readonly number[]): number =>
  digitsOf(text).reduce((sum, digit, i) => sum + digit * (weights[i % weights.length] as number), 0)
export const countdown = (first: number): number[] => Array.from({ length: first }, (_, i) => first - i)

/** Replaces each `#` of a pattern by the next digit. */
export const laidOut = (pattern: string, text: string): string => {
  let at = 0
  return pattern.replaceAll('#', () => text.charAt(at++))
}

/** Repeats until a check digit exists: for some sums there is none. */
export function untilMade(make: () => string | undefined): string {
  for (;;) {
    const made = make()
    if (made !== undefined) return made
  }
}

/** Appends the check digit of ISO/IEC 7812-1, annex B (Luhn). */
export function withLuhn(body: string): string {
  const sum = digitsOf(body)
    .toReversed()
    .reduce((total, digit, i) => total + (i % 2 === 0 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit]! : digit), 0)
  return body + String((10 - (sum % 10)) % 10)
}

export interface Birth {
  readonly year: string
  readonly month: string
  readonly day: string
}
/** A date of birth in the last century, so that no number needs a mark for this one. */
export const birthOf = (random: SeededRandom): Birth => ({
  year: two(from(random, 55, 99)),
  month: two(from(random, 1, 12)),
  day: two(from(random, 1, 28))
})
export const yearFirst = (random: SeededRandom): string => {
  const { year, month, day } = birthOf(random)
  return year + month + day
}
export const dayFirst = (random: SeededRandom): string => {
  const { year, month, day } = birthOf(random)
  return day + month + year
}
