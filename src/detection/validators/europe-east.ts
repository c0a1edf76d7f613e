/** Identity and tax numbers of central, southern and eastern Europe. Values are compact and upper case. */
import { at, base36, int, isDay, isYymmdd, luhnOf, mod11And10, rest, weigh } from './digits.ts'

const cfMonths = 'ABCDEHLMPRST'
const cfOmocodia = 'LMNPQRSTUV'
const cfOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
const cfDigitPlaces = [6, 7, 9, 10, 12, 13, 14]

/** Italy. Letters that replace digits, where two people would have the same code, count as letters in the sum. */
export function itCodiceFiscale(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const isDigit = value.charCodeAt(i) < 58
    if (cfDigitPlaces.includes(i) ? !isDigit && !cfOmocodia.includes(value.charAt(i)) : isDigit) return false
    const order = isDigit ? at(value, i) : base36(value, i) - 10
    sum += i % 2 === 0 ? (cfOdd[order] as number) : order
  }
  return cfMonths.includes(value.charAt(8)) && sum % 26 === value.charCodeAt(15) - 65
}

/** Poland. The century is added to the month: 80 for 18xx, 20 for 20xx, 40 and 60 for the following ones. */
export function plPesel(value: string): boolean {
  return isDay(int(value, 2, 4) % 20, int(value, 4, 6)) && weigh(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
}

export function plNip(value: string): boolean {
  return weigh(value, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === at(value, 9) && int(value, 0, 3) > 0
}

export function plRegon(value: string): boolean {
  if ((weigh(value, [8, 9, 2, 3, 4, 5, 6, 7]) % 11) % 10 !== at(value, 8)) return false
  return value.length === 9 || (weigh(value, [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8]) % 11) % 10 === at(value, 13)
}

/**
 * Czech Republic and Slovakia. The month has 50 added for women, and 20 more if the numbers of a day ran out. Nine
 * digits until 1953.
 */
export function rodneCislo(value: string): boolean {
  const month = (int(value, 2, 4) % 50) % 20
  if (!isDay(month, int(value, 4, 6))) return false
  if (value.length === 9) return int(value, 0, 2) < 54
  return rest(value, 11, 0, 9) % 10 === at(value, 9)
}

export function huTaj(value: string): boolean {
  return weigh(value, [3, 7, 3, 7, 3, 7, 3, 7]) % 10 === at(value, 8) && int(value) > 0
}

export function huTaxId(value: string): boolean {
  return at(value, 0) === 8 && weigh(value, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 === at(value, 9)
}

/**
 * Romania. The county is 01 to 52 as in the SIRUTA register, 70 since numbers are given out electronically, 80 to 83 at
 * consulates; the population register says that it has given out others as well.
 */
export function roCnp(value: string): boolean {
  const check = weigh(value, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  const county = int(value, 7, 9)
  return at(value, 0) > 0 && isYymmdd(value, 1) && county > 0 && (check === 10 ? 1 : check) === at(value, 12)
}

/** Bulgaria. The month has 20 added for 18xx, 40 for 20xx. */
export function bgEgn(value: string): boolean {
  const month = int(value, 2, 4) % 20
  return (
    isDay(month, int(value, 4, 6)) &&
    int(value, 2, 4) < 53 &&
    (weigh(value, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === at(value, 9)
  )
}

/** Bulgaria, foreigners (ЛНЧ): weights 21 19 17 13 11 9 7 3 1, modulo 10; there is no date. */
export function bgPnf(value: string): boolean {
  return weigh(value, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10 === at(value, 9) && int(value) > 0
}

export function hrOib(value: string): boolean {
  return mod11And10(value) && int(value) > 0
}

/** Former Yugoslavia: day, month, last three digits of the year, region, serial; a check digit of ten is written 0. */
export function jmbg(value: string): boolean {
  const year = int(value, 4, 7)
  if (!isDay(int(value, 2, 4), int(value, 0, 2)) || (year > 99 && year < 800)) return false
  const check = (11 - (weigh(value, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  return check % 10 === at(value, 12)
}

/**
 * Lithuania and Estonia: century and sex, date, serial. A second round of weights applies if the first gives ten.
 * Lithuanian numbers with a 9 are exceptions without a date.
 */
export function balticCode(value: string): boolean {
  if (at(value, 0) < 1 || (at(value, 0) < 9 && !isYymmdd(value, 1))) return false
  const first = weigh(value, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const check = first < 10 ? first : (weigh(value, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10
  return check === at(value, 10)
}

/** Latvia. Numbers issued since 2017 begin with 32 and contain no date. */
export function lvPersonasKods(value: string): boolean {
  if (value.startsWith('32')) return true
  if (!isDay(int(value, 2, 4), int(value, 0, 2)) || at(value, 6) > 2) return false
  return ((1 + weigh(value, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10 === at(value, 10)
}

export function grAmka(value: string): boolean {
  return isDay(int(value, 2, 4), int(value, 0, 2)) && luhnOf(value)
}

export function grAfm(value: string): boolean {
  return (weigh(value, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === at(value, 8) && int(value) > 0
}

const cyOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]

export function cyTic(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 8; i++) sum += i % 2 === 0 ? (cyOdd[at(value, i)] as number) : at(value, i)
  return sum % 26 === value.charCodeAt(8) - 65 && !value.startsWith('12')
}

export function uaRnokpp(value: string): boolean {
  const sum = weigh(value, [-1, 5, 7, 9, 4, 6, 10, 5, 7])
  return (((sum % 11) + 11) % 11) % 10 === at(value, 9) && int(value) > 0
}

export function ruInn(value: string): boolean {
  if (value.length === 10) return (weigh(value, [2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10 === at(value, 9)
  return (
    (weigh(value, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10 === at(value, 10) &&
    (weigh(value, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10 === at(value, 11)
  )
}

export function ruSnils(value: string): boolean {
  return (weigh(value, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === int(value, 9, 11) && int(value, 0, 9) > 1001998
}

const byWeights = [7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1, 7]

/** Belarus: sex and century, birthday, region letter, serial, citizenship, check digit; letters count as 10 to 35. */
export function byPersonal(value: string): boolean {
  const sum = byWeights.reduce((total, weight, i) => total + weight * base36(value, i), 0)
  return sum % 10 === at(value, 13) && isDay(int(value, 3, 5), int(value, 1, 3)) && at(value, 0) > 0 && at(value, 0) < 7
}

export function kzIin(value: string): boolean {
  if (!isYymmdd(value) || at(value, 6) > 6) return false
  const first = weigh(value, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11
  const check = first < 10 ? first : weigh(value, [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]) % 11
  return check === at(value, 11)
}

/** Polish identity card: three letters, a check digit, five digits, weights 7-3-1. */
export function plIdCard(value: string): boolean {
  let sum = 0
  const weights = [7, 3, 1, 9, 7, 3, 1, 7, 3]
  for (let i = 0; i < 9; i++) sum += base36(value, i) * (weights[i] as number)
  return sum % 10 === 0
}
