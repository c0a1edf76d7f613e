/** Which numbers payment cards have: the ranges of their issuers, samples, and rows of numbers that look like one. */
import { int, longestRun, luhnOf } from '../../validators/digits.ts'

/** First digits, from and to (inclusive), and the lengths that the scheme issues. */
const schemes: readonly (readonly [from: number, to: number, ...lengths: number[]])[] = [
  [4000, 4999, 13, 16, 19],
  [5100, 5599, 16],
  [2221, 2720, 16],
  [3400, 3499, 15],
  [3700, 3799, 15],
  [6011, 6011, 16, 19],
  [6440, 6599, 16, 19],
  [3528, 3589, 16, 17, 18, 19],
  [3000, 3059, 14],
  [3095, 3095, 14],
  [3600, 3699, 14],
  [3800, 3999, 14],
  [6200, 6299, 16, 17, 18, 19],
  [2200, 2204, 16],
  [6000, 6099, 16],
  [8100, 8171, 16, 17, 18, 19],
  [8172, 8199, 16],
  [8200, 8299, 16],
  [1000, 1999, 15],
  [5018, 5019, 16, 19],
  [5020, 5020, 16, 19],
  [5038, 5038, 16, 19],
  [5893, 5893, 16, 19],
  [6304, 6304, 16, 19],
  [6759, 6763, 16, 19]
]
/** Schemes of one country: Elo, Verve, Troy, Laser. Their numbers count only behind the name of a card. */
const homeSchemes: typeof schemes = [
  [5041, 5041, 16],
  [5060, 5061, 16, 18, 19],
  [5078, 5079, 16, 18, 19],
  [5090, 5099, 16],
  [6277, 6277, 16],
  [6362, 6363, 16],
  [6706, 6706, 16, 17, 18, 19],
  [6771, 6771, 16, 17, 18, 19],
  [9792, 9792, 16]
]
/** Test numbers published by payment services, except the obvious ones that {@link isMadeUp} recognises. */
const testCards = new Set([
  '37828' + '2246310005',
  '37144' + '9635398431',
  '37873' + '4493671000',
  '305693' + '09025904',
  '385200' + '00023237',
  '601100' + '0990139424',
  '356600' + '2020360505',
  '401288' + '8888881881',
  '520082' + '8282828210',
  '400005' + '6655665556',
  '476120' + '9980011439',
  '478825' + '0000028291',
  '456735' + '0000427977',
  '454881' + '2049400004',
  '489537' + '0015293175',
  '426397' + '1921001307',
  '401200' + '1037141112',
  '401200' + '1038443335',
  '542418' + '0279791732'
])
const digitKindsMin = 5
const madeUpZerosMin = 7
/** Visa stopped issuing this length long ago. */
const oldUnits = 13
/** This many digits in a row that count up or are the same make a sample. */
export const risingMin = 6
const sameMin = 5

export function zerosIn(value: string): number {
  let zeros = 0
  for (const digit of value) if (digit === '0') zeros++
  return zeros
}

/** Whether a card is a test card: published as one, or made of few digits or zeros. It never blocks. */
export function isMadeUp(value: string): boolean {
  if (new Set(value).size < digitKindsMin || zerosIn(value) >= madeUpZerosMin || testCards.has(value)) return true
  return value.length === oldUnits || isTyped(value)
}

/** Whether digits were typed along the keyboard: `5123 4567 8901 2346`, `4444 4365 0140 3986`. */
function isTyped(value: string): boolean {
  return longestRun(value, 1) >= risingMin || longestRun(value, 0) >= sameMin
}

/** For each possible four first digits, the lengths that are issued, as a bit set. */
function lengthsOf(list: typeof schemes): Int32Array {
  const table = new Int32Array(10_000)
  for (const [from, to, ...lengths] of list)
    for (let lead = from; lead <= to; lead++)
      for (const length of lengths) table[lead] = (table[lead] as number) | (1 << length)
  return table
}
const issued = lengthsOf(schemes)
const issuedAtHome = lengthsOf(homeSchemes)

/** Whether a scheme issues numbers of this length that begin with these four digits, anywhere in the world. */
export function isIssued(lead: number, length: number): boolean {
  return ((issued[lead] as number) & (1 << length)) !== 0
}

/** Whether a scheme of one country does. */
export function isIssuedAtHome(lead: number, length: number): boolean {
  return ((issuedAtHome[lead] as number) & (1 << length)) !== 0
}

/** Whether a number is one that a scheme issues, with a right check digit. */
export function isCard(value: string): boolean {
  return isIssued(int(value, 0, 4), value.length) && luhnOf(value)
}

/** Whether each group is within a hundred of the one before: `4201 4202 4203 4204`, `6445 6444 6446 6452`. */
export function isRow(value: string): boolean {
  if (value.length !== 16) return false
  for (let i = 4; i < value.length; i += 4) {
    const step = int(value, i, i + 4) - int(value, i - 4, i)
    if (Math.abs(step) > 99) return false
  }
  return true
}
