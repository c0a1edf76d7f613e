/** Identity and tax numbers of western and northern Europe. Values are compact and upper case. */
import {
  at,
  base36,
  int,
  isDay,
  isDdmmyy,
  isDigits,
  isFlat,
  isYyyymmdd,
  luhnOf,
  mod11And10,
  rest,
  weigh
} from './digits.ts'

const ninoFirst = 'ABCEGHJKLMNOPRSTWXYZ'
const ninoSecond = 'ABCEGHJKLMNPRSTWXYZ'
const ninoVoid = ['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ']

/**
 * United Kingdom (HMRC): no D, F, I, Q, U, V in the prefix, no O as its second letter, some pairs never issued; suffix
 * A to D.
 */
export function gbNino(value: string): boolean {
  return (
    ninoFirst.includes(value.charAt(0)) &&
    ninoSecond.includes(value.charAt(1)) &&
    !ninoVoid.includes(value.slice(0, 2)) &&
    'ABCD'.includes(value.charAt(8))
  )
}

export function gbNhs(value: string): boolean {
  return (11 - (weigh(value, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === at(value, 9) && !isFlat(value)
}

export function gbUtr(value: string): boolean {
  return '21987654321'.charAt(weigh(value, [6, 7, 8, 9, 10, 5, 4, 3, 2], 1) % 11) === value.charAt(0)
}

/** France: sex, year, month, department (2A and 2B count as 19 and 18), commune, order, key. */
export function frNir(value: string): boolean {
  const month = int(value, 3, 5)
  return (
    '12'.includes(value.charAt(0)) && month > 0 && (month <= 12 || (month >= 20 && month <= 42)) && hasNirKey(value)
  )
}

/**
 * France: the same with the first digits of provisional numbers (3 and 4, 7 and 8) and with the months of people whose
 * record of birth is incomplete (20 to 42, 50 to 99).
 */
export function frNirProvisional(value: string): boolean {
  const month = int(value, 3, 5)
  const isMonth = month > 0 && (month <= 12 || (month >= 20 && month <= 42) || month >= 50)
  return '123478'.includes(value.charAt(0)) && isMonth && hasNirKey(value)
}

function hasNirKey(value: string): boolean {
  const plain = value.slice(0, 5) + value.slice(5, 7).replace('2A', '19').replace('2B', '18') + value.slice(7)
  return isDigits(plain) && 97 - rest(plain, 97, 0, 13) === int(plain, 13, 15)
}

export function frNif(value: string): boolean {
  return at(value, 0) < 4 && rest(value, 511, 0, 10) === int(value, 10, 13) && !isFlat(value)
}

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'

export function esDni(value: string): boolean {
  return dniLetters.charAt(int(value, 0, 8) % 23) === value.charAt(8)
}

/** Spain, social security: a province, a number, and both modulo 97; the leading zeros of a short number do not count. */
export function esSocial(value: string): boolean {
  const [province, number] = [int(value, 0, 2), int(value, 2, 10)]
  const all = number < 10_000_000 ? number + province * 10_000_000 : Number(value.slice(0, 10))
  return province > 0 && province <= 66 && number > 0 && all % 97 === int(value, 10, 12)
}

export function esNie(value: string): boolean {
  const lead = 'XYZ'.indexOf(value.charAt(0))
  return lead >= 0 && dniLetters.charAt((lead * 10_000_000 + int(value, 1, 8)) % 23) === value.charAt(8)
}

/** Germany: among the first ten digits, one occurs two or three times, all others at most once. */
export function deSteuerId(value: string): boolean {
  if (at(value, 0) === 0 || !mod11And10(value)) return false
  const counts = new Uint8Array(10)
  for (let i = 0; i < 10; i++) counts[at(value, i)] = (counts[at(value, i)] as number) + 1
  const repeated = [...counts].filter((one) => one > 1)
  return repeated.length === 1 && (repeated[0] as number) <= 3
}

/** Germany: the check digit alone. Test numbers break the rule about repeated digits. */
export function deSteuerIdLoose(value: string): boolean {
  return at(value, 0) > 0 && mod11And10(value)
}

function crossSum(number: number): number {
  return number > 9 ? (number % 10) + Math.floor(number / 10) : number
}

/** Germany, pension: area, birthday, first letter of the birth name (as two digits), serial, check digit. */
export function deSozialversicherung(value: string): boolean {
  const letter = base36(value, 8) - 9
  if (letter < 1 || letter > 26) return false
  const day = int(value, 2, 4) % 50
  if (!isDay(int(value, 4, 6), day === 0 ? 1 : day)) return false
  const plain = value.slice(0, 8) + (letter < 10 ? '0' : '') + letter + value.slice(9)
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]
  const sum = weights.reduce((total, weight, i) => total + crossSum(weight * at(plain, i)), 0)
  return sum % 10 === at(plain, 12)
}

/** German identity cards and passports: nine characters without vowels, weights 7-3-1, the check digit tenth. */
export function deDocument(value: string): boolean {
  let sum = 0
  for (let i = 0; i < value.length - 1; i++) sum += base36(value, i) * ([7, 3, 1][i % 3] as number)
  return sum % 10 === at(value, value.length - 1)
}

/**
 * Germany, health insurance: a letter as two digits, eight digits, a check digit: Luhn with weights 1 and 2 from the
 * left.
 */
export function deHealthInsurance(value: string): boolean {
  const letter = base36(value, 0) - 9
  const plain = (letter < 10 ? '0' : '') + letter + value.slice(1)
  let sum = 0
  for (let i = 0; i < 10; i++) sum += crossSum(at(plain, i) * (i % 2 === 0 ? 1 : 2))
  return sum % 10 === at(plain, 10)
}

export function nlBsn(value: string): boolean {
  const full = value.length === 8 ? '0' + value : value
  return weigh(full, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && int(full) > 0
}

/** Sweden: ten or twelve digits. A coordination number has 60 added to its day. */
export function sePersonnummer(value: string): boolean {
  const short = value.length === 12 ? value.slice(2) : value
  if (!luhnOf(short)) return false
  const day = int(short, 4, 6)
  const year = value.length === 12 ? int(value, 0, 4) : int(short, 0, 2) === 0 ? 2000 : 1900 + int(short, 0, 2)
  if (value.length === 12 && (year < 1840 || year > 2099)) return false
  return isDay(int(short, 2, 4), day > 60 ? day - 60 : day, year)
}

/** From this year of birth on, numbers read like the batches and tickets of a recent day: `20261123-0042`. */
const recentYear = 2016
const yearMax = 2035

/** Sweden: the number of a person who is not a small child. */
export function sePersonnummerOfYears(value: string): boolean {
  const year = value.length === 12 ? int(value, 0, 4) : 2000 + int(value, 0, 2)
  return (year < recentYear || (value.length < 12 && year > yearMax)) && sePersonnummer(value)
}

/** Sweden, companies: the third digit is 2 or more, so that it cannot be a month. */
export function seOrgnr(value: string): boolean {
  const short = value.length === 12 ? value.slice(2) : value
  return at(short, 2) >= 2 && at(short, 0) > 0 && luhnOf(short)
}

const hetuLetters = '0123456789ABCDEFHJKLMNPRSTUVWXY'

/**
 * Finland: six digits of the birthday, a sign for the century (dropped from a compact value), three digits, a check
 * character.
 */
export function fiHetu(birthday: string, individual: string, check: string): boolean {
  return isDdmmyy(birthday) && int(individual) >= 2 && hetuLetters.charAt(int(birthday + individual) % 31) === check
}

/** Norway. Temporary numbers have 40 or 80 added to the day or month. */
export function noFodselsnummer(value: string): boolean {
  const first = (11 - (weigh(value, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11
  const second = (11 - (weigh(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  if (first !== at(value, 9) || second !== at(value, 10)) return false
  return isDay((int(value, 2, 4) % 40) % 65, int(value, 0, 2) % 40)
}

/** Denmark. The check digit was given up in 2007, so only the date is checked. */
export function dkCpr(value: string): boolean {
  return isDdmmyy(value) && int(value, 6, 10) > 0
}

/** Belgium. BIS numbers have 20 or 40 added to the month; an unknown birthday leaves it zero. */
export function beNn(value: string): boolean {
  const base = int(value, 0, 9)
  const check = int(value, 9, 11)
  if (97 - (base % 97) !== check && 97 - ((2_000_000_000 + base) % 97) !== check) return false
  return int(value, 2, 4) % 20 <= 12 && int(value, 2, 4) < 60 && int(value, 4, 6) <= 31
}

export function ptNif(value: string): boolean {
  const sum = weigh(value, [9, 8, 7, 6, 5, 4, 3, 2])
  const isKnown = '12356789'.includes(value.charAt(0)) || value.startsWith('45')
  return isKnown && ((11 - (sum % 11)) % 11) % 10 === at(value, 8)
}

/** Portugal: nine digits, two letters, a check digit. */
export function ptCc(value: string): boolean {
  return base36(value, 10) >= 0 && cardSum(value) % 10 === 0
}

/**
 * Every second character from the right, except the last, is doubled, less nine if above nine; letters count as 10 to
 * 35.
 */
function cardSum(value: string): number {
  let sum = 0
  for (let i = value.length - 1; i >= 0; i--) {
    const twice = (value.length - i) % 2 === 0 ? base36(value, i) * 2 : base36(value, i)
    sum += (value.length - i) % 2 === 0 && twice > 9 ? twice - 9 : twice
  }
  return sum
}

/** The check digit of EAN-13: weights 1 and 3 from the left. */
function ean13(value: string): boolean {
  return weigh(value, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0
}

export function chAhv(value: string): boolean {
  return value.startsWith('756') && ean13(value)
}

export function atSvnr(value: string): boolean {
  const month = int(value, 6, 8)
  return (
    at(value, 0) > 0 &&
    weigh(value, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === at(value, 3) &&
    month >= 1 &&
    month <= 15 &&
    int(value, 4, 6) <= 31
  )
}

/** Austria: every second digit doubled, cross sums added; the total is subtracted from 80. */
export function atTin(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 8; i++) sum += i % 2 === 1 ? crossSum(at(value, i) * 2) : at(value, i)
  return (100 - sum) % 10 === at(value, 8)
}

const ppsLetters = 'WABCDEFGHIJKLMNOPQRSTUV'

export function iePps(value: string): boolean {
  const second = value.length > 8 ? value.charCodeAt(8) - 64 : 0
  // These letters were for a spouse and do not count.
  const extra = 'WTX'.includes(value.charAt(8)) ? 0 : second
  return ppsLetters.charAt((weigh(value, [8, 7, 6, 5, 4, 3, 2]) + 9 * extra) % 23) === value.charAt(7)
}

export function isKennitala(value: string): boolean {
  const day = int(value, 0, 2)
  if (!isDay(int(value, 2, 4), day > 40 ? day - 40 : day)) return false
  return weigh(value, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 && '890'.includes(value.charAt(9))
}

/** Luxembourg: birthday, serial, a Luhn digit over the first eleven and a Verhoeff digit over the same. */
export function luNin(value: string): boolean {
  return isYyyymmdd(value) && luhnOf(value.slice(0, 12))
}

/** German Steuernummer in its long form: state, and `0` in the fifth place. */
export function deTaxNumber(value: string): boolean {
  return value.length === 13 ? at(value, 4) === 0 && isGermanState(value) : true
}

function isGermanState(value: string): boolean {
  const state = ['10', '11', '21', '22', '23', '24', '26', '27', '28', '30', '31', '32', '40', '41'].includes(
    value.slice(0, 2)
  )
  return state || '59'.includes(value.charAt(0)) || value.charAt(0) === '0'
}

/** Serials of German cards and passports begin with the letter of an authority, or with C to K for passports. */
export function deSerial(value: string): boolean {
  for (let i = 0; i < value.length; i++) if ('ABDEIOQSU'.includes(value.charAt(i))) return false
  let digits = 0
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) < 58) digits++
  return digits >= 3
}
