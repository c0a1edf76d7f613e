/** Company numbers beyond European VAT. Values are compact and upper case. */
import { at, int, mod11And10, rest, weigh } from './digits.ts'

/** Oman: the country's letters and a form; the register publishes no check. */
export function omVat(value: string): boolean {
  return value.startsWith('OM1')
}

export function byUnp(value: string): boolean {
  return weigh(value, [29, 23, 19, 17, 13, 7, 5, 3]) % 11 === at(value, 8) && '1234567'.includes(value.charAt(0))
}

export function mdIdno(value: string): boolean {
  return weigh(value, [7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1]) % 10 === at(value, 12) && at(value, 0) === 1
}

export function mePib(value: string): boolean {
  return ((11 - (weigh(value, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === at(value, 7)
}

export function mkEdb(number: string): boolean {
  const value = number.startsWith('MK') ? number.slice(2) : number
  return (
    ((11 - (weigh(value, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === at(value, 12) &&
    '45'.includes(value.charAt(0))
  )
}

export function rsPib(value: string): boolean {
  return at(value, 0) > 0 && mod11And10(value)
}

export function uaEdrpou(value: string): boolean {
  const inner = value >= '30000000' && value <= '60000000'
  const first = inner ? [7, 1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5, 6, 7]
  const check = weigh(value, first) % 11
  if (check < 10) return check === at(value, 7)
  return (
    (weigh(
      value,
      first.map((weight) => weight + 2)
    ) %
      11) %
      10 ===
    at(value, 7)
  )
}

/** Senegal: seven or nine digits and a tax code, such as `2G3`. */
export function snNinea(value: string): boolean {
  const letter = value.length - 2
  return 'ABCDEFGHJKLMNPQRSTUVWZ'.includes(value.charAt(letter))
}

export function azVoen(value: string): boolean {
  return '12'.includes(value.charAt(9)) && weigh(value, [4, 1, 8, 6, 2, 7, 5, 3]) % 11 === at(value, 8)
}

export function alNipt(value: string): boolean {
  const from = value.length > 10 ? 2 : 0
  return 'ABCDEFGHIJKLMN'.includes(value.charAt(from)) && int(value, from + 1, from + 3) > 0
}

export function adNrt(value: string): boolean {
  return 'ACDEFGLOPU'.includes(value.charAt(0))
}

/** Dominican Republic: serial of an invoice, type, number. */
export function doNcf(value: string): boolean {
  return 'BEAP'.includes(value.charAt(0))
}

/**
 * Tunisia: the letter behind seven digits is their sum with weights 7 to 1, modulo 23, in an alphabet without I, O and
 * U. No official text says so; 144 of 148 numbers that companies publish fit. Behind a regime, a category and a branch
 * any letter will do.
 */
export function tnMf(value: string): boolean {
  const letter = tnLetters.indexOf(value.charAt(7))
  return value.length === 8 ? letter === weigh(value, [7, 6, 5, 4, 3, 2, 1]) % 23 : letter >= 0
}
const tnLetters = 'ABCDEFGHJKLMNPQRSTVWXYZ'

export function siMaticna(value: string): boolean {
  const check = 11 - (weigh(value, [7, 6, 5, 4, 3, 2]) % 11)
  return (check === 10 ? 0 : check) === at(value, 6)
}

export function ruOgrn(value: string): boolean {
  const last = value.length - 1
  return '15'.includes(value.charAt(0)) || value.length === 15
    ? rest(value, value.length - 2, 0, last) % 10 === at(value, last)
    : false
}
