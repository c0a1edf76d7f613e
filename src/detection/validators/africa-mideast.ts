/** Identity and tax numbers of Africa and the Middle East. Values are compact and upper case. */
import { at, base36, int, isDay, isDdmmyy, isFlat, isYymmdd, luhnOf, verhoeff, weigh } from './digits.ts'

export function trTckn(value: string): boolean {
  const odd = at(value, 0) + at(value, 2) + at(value, 4) + at(value, 6) + at(value, 8)
  const even = at(value, 1) + at(value, 3) + at(value, 5) + at(value, 7)
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return at(value, 0) > 0 && tenth === at(value, 9) && (odd + even + tenth) % 10 === at(value, 10)
}

export function trVkn(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 9; i++) {
    const shifted = (at(value, i) + 9 - i) % 10
    sum += shifted === 0 ? 0 : (shifted * 2 ** (9 - i)) % 9 || 9
  }
  return (10 - (sum % 10)) % 10 === at(value, 9)
}

export function ilId(value: string): boolean {
  return luhnOf(value) && int(value) > 0
}

/** United Arab Emirates: 784, year of birth, serial, Luhn. */
export function aeEmirates(value: string): boolean {
  const year = int(value, 3, 7)
  return value.startsWith('784') && year >= 1880 && year < 2100 && luhnOf(value)
}

/** Saudi Arabia: citizens begin with 1, residents with 2. */
export function saNational(value: string): boolean {
  return (at(value, 0) === 1 || at(value, 0) === 2) && luhnOf(value)
}

export function zaId(value: string): boolean {
  return isYymmdd(value) && at(value, 10) < 3 && luhnOf(value)
}

export function ngNin(value: string): boolean {
  return verhoeff(value) && !isFlat(value)
}

const egyptGovernorates = [
  1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33, 34, 35, 88
]

export function egNational(value: string): boolean {
  return '23'.includes(value.charAt(0)) && isYymmdd(value, 1) && egyptGovernorates.includes(int(value, 7, 9))
}

/** Mauritius: first letter of the surname, birthday, serial, check character: weights 14 to 2, modulo 17. */
export function muNid(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 13; i++) sum += base36(value, i) * (14 - i)
  return isDdmmyy(value, 1) && '0123456789ABCDEFG'.charAt((17 - (sum % 17)) % 17) === value.charAt(13)
}

export function maIce(value: string): boolean {
  let remainder = 0
  for (let i = 0; i < value.length; i++) remainder = (remainder * 10 + at(value, i)) % 97
  return remainder === 0 && int(value) > 0
}

/** Iran: weights 10 to 2, modulo 11. */
export function irMelli(value: string): boolean {
  const remainder = weigh(value, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return (remainder < 2 ? remainder : 11 - remainder) === at(value, 9) && !isFlat(value)
}

/** Libya: sex, year of birth, serial. There is no check digit. */
export function lyNational(value: string): boolean {
  const year = int(value, 1, 5)
  return (at(value, 0) === 1 || at(value, 0) === 2) && year >= 1900 && year < 2100
}

export function mzNuit(value: string): boolean {
  return '01234567891'.charAt(weigh(value, [8, 9, 4, 5, 6, 7, 8, 9]) % 11) === value.charAt(8)
}

export function ghTin(value: string): boolean {
  const sum = weigh(value, [1, 2, 3, 4, 5, 6, 7, 8, 9], 1) % 11
  return 'PCGQV'.includes(value.charAt(0)) && (sum === 10 ? 'X' : String(sum)) === value.charAt(10)
}

export function isKuwaitCivil(value: string): boolean {
  const check = 11 - (weigh(value, [2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11)
  return '123'.includes(value.charAt(0)) && isDay(int(value, 3, 5), int(value, 5, 7)) && check === at(value, 11)
}
