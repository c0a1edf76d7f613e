/**
 * Check-digit arithmetic over compact values: strings of digits (and upper-case letters where a function says so)
 * without separators. The validators of countries are built from these.
 */

/** The digit at an index. A letter gives a number above nine. */
export function at(value: string, index: number): number {
  return value.charCodeAt(index) - 48
}

/** The value of a character in base 36: digits as they are, A as 10. */
export function base36(value: string, index: number): number {
  const code = value.charCodeAt(index)
  return code > 64 ? code - 55 : code - 48
}

/** The sum of digits times weights, from index `from` on. */
export function weigh(value: string, weights: readonly number[], from = 0): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += (weights[i] as number) * at(value, from + i)
  return sum
}

/** Part of a value as a number; exact up to 15 digits. */
export function int(value: string, from = 0, to = value.length): number {
  let number = 0
  for (let i = from; i < to; i++) number = number * 10 + at(value, i)
  return number
}

export function isDigits(value: string, from = 0, to = value.length): boolean {
  for (let i = from; i < to; i++) {
    const code = value.charCodeAt(i)
    if (!(code >= 48 && code <= 57)) return false
  }
  return true
}

/** Whether all characters are the same. */
export function isFlat(value: string): boolean {
  for (let i = 1; i < value.length; i++) if (value.charCodeAt(i) !== value.charCodeAt(0)) return false
  return true
}

/**
 * How many characters in a row differ by `step` from one to the next: 0 for the longest run of one character, 1 for
 * characters that count up, -1 for those that count down. People and tests make up numbers so.
 */
export function longestRun(value: string, step: number): number {
  let longest = Math.min(1, value.length)
  let run = longest
  for (let i = 1; i < value.length; i++) {
    run = value.charCodeAt(i) - value.charCodeAt(i - 1) === step ? run + 1 : 1
    if (run > longest) longest = run
  }
  return longest
}

/** The remainder of a number of any length by a modulus. */
export function rest(value: string, modulus: number, from = 0, to = value.length): number {
  let remainder = 0
  for (let i = from; i < to; i++) remainder = (remainder * 10 + at(value, i)) % modulus
  return remainder
}

/** Luhn (ISO/IEC 7812-1) over digits, check digit last. */
export function luhnOf(value: string): boolean {
  let sum = 0
  for (let i = 0; i < value.length; i++) {
    const digit = at(value, value.length - 1 - i)
    sum += i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum % 10 === 0
}

/** ISO 7064 MOD 11,10, check digit last. */
export function mod11And10(value: string): boolean {
  let product = 10
  for (let i = 0; i < value.length - 1; i++) product = (((at(value, i) + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === at(value, value.length - 1)
}

const verhoeffTurn = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258'
]
const verhoeffTable = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210'
]

/** Verhoeff, check digit last. */
export function verhoeff(value: string): boolean {
  let state = 0
  for (let i = 0; i < value.length; i++) {
    const turned = at(verhoeffTurn[i % 8] as string, at(value, value.length - 1 - i))
    state = at(verhoeffTable[state] as string, turned)
  }
  return state === 0
}

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether a month has such a day. 29 February is accepted unless the year is given and is not a leap year. */
export function isDay(month: number, day: number, year = 2000): boolean {
  if (month < 1 || month > 12 || day < 1 || day > (monthDays[month - 1] as number)) return false
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}

/** Whether `YYMMDD` stands at an index, in any century. */
export function isYymmdd(value: string, from = 0): boolean {
  const year = int(value, from, from + 2)
  return isDay(int(value, from + 2, from + 4), int(value, from + 4, from + 6), year === 0 ? 2000 : 1900 + year)
}

/** Whether `DDMMYY` stands at an index, in any century. */
export function isDdmmyy(value: string, from = 0): boolean {
  const year = int(value, from + 4, from + 6)
  return isDay(int(value, from + 2, from + 4), int(value, from, from + 2), year === 0 ? 2000 : 1900 + year)
}

/** Whether `YYYYMMDD` stands at an index, in a year from 1880 to 2099. */
export function isYyyymmdd(value: string, from = 0): boolean {
  const year = int(value, from, from + 4)
  return year >= 1880 && year < 2100 && isDay(int(value, from + 4, from + 6), int(value, from + 6, from + 8), year)
}
