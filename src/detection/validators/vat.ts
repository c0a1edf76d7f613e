/** VAT numbers by country, without the country's letters. Values are compact and upper case. */
import { auAbn } from './asia-pacific.ts'
import { at, int, isDigits, luhnOf, mod11And10, rest, weigh } from './digits.ts'
import { bgEgn, bgPnf, cyTic, grAfm, hrOib, plNip, rodneCislo } from './europe-east.ts'
import { esDni, esNie, iePps, nlBsn, ptNif } from './europe-west.ts'

/** The sum of the first seven digits with every second one doubled, cross sums added. */
function doubled(value: string): number {
  let sum = 0
  for (let i = 0; i < 7; i++) {
    const digit = at(value, i) * (i % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum
}

function atUid(value: string): boolean {
  return (10 - ((doubled(value) + 4) % 10)) % 10 === at(value, 7)
}

export function beVat(value: string): boolean {
  const full = value.length === 9 ? '0' + value : value
  return at(full, 0) < 2 && int(full, 0, 8) > 0 && 97 - (int(full, 0, 8) % 97) === int(full, 8, 10)
}

export function bgVat(value: string): boolean {
  if (value.length === 10) return bgEgn(value) || bgOther(value)
  const first = weigh(value, [1, 2, 3, 4, 5, 6, 7, 8]) % 11
  const check = first < 10 ? first : (weigh(value, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10
  return check === at(value, 8)
}

function bgOther(value: string): boolean {
  return bgPnf(value) || (11 - (weigh(value, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === at(value, 9)
}

export function czVat(value: string): boolean {
  if (value.length > 8) return rodneCislo(value)
  const check = (11 - (weigh(value, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  return (check === 10 ? 0 : check || 1) === at(value, 7) || check % 10 === at(value, 7)
}

export function deVat(value: string): boolean {
  return at(value, 0) > 0 && mod11And10(value)
}

export function dkVat(value: string): boolean {
  return at(value, 0) > 0 && weigh(value, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
}

export function eeVat(value: string): boolean {
  return weigh(value, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
}

export function fiVat(value: string): boolean {
  return weigh(value, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0 && int(value) > 0
}

const frLetters = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** France: a key of two digits (with letters since 1988) before the company's number. */
export function frVat(value: string): boolean {
  if (!isDigits(value, 2)) return false
  if (isDigits(value, 0, 2)) return int(value, 0, 2) === (int(value, 2, 11) * 100 + 12) % 97
  const one = frLetters.indexOf(value.charAt(0))
  const two = frLetters.indexOf(value.charAt(1))
  if (one < 0 || two < 0) return false
  const check = one < 10 ? one * 24 + two - 10 : one * 34 + two - 100
  return (int(value, 2, 11) + 1 + Math.floor(check / 11)) % 11 === check % 11
}

export function fiscalSiren(value: string): boolean {
  return luhnOf(value.slice(0, 9)) && (value.length === 9 || luhnOf(value) || value.startsWith('356000000'))
}

export function huVat(value: string): boolean {
  return weigh(value, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0 && int(value) > 0
}

/** Ireland: the old form has a letter or sign in its second place. */
export function ieVat(value: string): boolean {
  if (isDigits(value, 0, 7)) return iePps(value)
  return isDigits(value, 2, 7) && iePps('0' + value.slice(2, 7) + value.charAt(0) + value.charAt(7))
}

/** Italy: the company, the office that gave out the number (three digits), Luhn. */
export function itVat(value: string): boolean {
  const office = int(value, 7, 10)
  const isOffice = (office > 0 && office <= 100) || itOffices.includes(office)
  return int(value, 0, 7) > 0 && isOffice && luhnOf(value)
}
const itOffices = [120, 121, 888, 999]

export function ltVat(value: string): boolean {
  const count = value.length - 1
  const sum = (from: number) => {
    let total = 0
    for (let i = 0; i < count; i++) total += at(value, i) * (1 + ((i + from) % 9))
    return total % 11
  }
  const first = sum(0)
  return at(value, count - 1) === 1 && (first < 10 ? first : sum(2) % 10) === at(value, count)
}

export function luVat(value: string): boolean {
  return int(value, 0, 6) % 89 === int(value, 6, 8) && int(value) > 0
}

export function lvVat(value: string): boolean {
  return at(value, 0) > 3 ? weigh(value, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3 : true
}

export function mtVat(value: string): boolean {
  return weigh(value, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0
}

/** Netherlands: nine digits of a person or company, B, two digits; since 2020 modulo 97 over NL and the whole. */
export function nlVat(value: string): boolean {
  return value.charAt(9) === 'B' && int(value, 10, 12) > 0 && (nlBsn(value.slice(0, 9)) || nlSoleTrader(value))
}

function nlSoleTrader(value: string): boolean {
  let remainder = 0
  const text = '2321' + value.slice(0, 9) + '11' + value.slice(10)
  for (let i = 0; i < text.length; i++) remainder = (remainder * 10 + at(text, i)) % 97
  return remainder === 1
}

export function roVat(value: string): boolean {
  const full = value.padStart(10, '0')
  return ((weigh(full, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === at(full, 9) && int(full) > 0
}

function seVat(value: string): boolean {
  return luhnOf(value.slice(0, 10)) && value.endsWith('01')
}

export function siVat(value: string): boolean {
  const check = 11 - (weigh(value, [8, 7, 6, 5, 4, 3, 2]) % 11)
  return at(value, 0) > 0 && (check === 10 ? 0 : check) === at(value, 7)
}

/** Slovakia: of a company, or the birth number of a person. */
export function skVat(value: string): boolean {
  if (rodneCislo(value)) return true
  return at(value, 0) > 0 && '234789'.includes(value.charAt(2)) && rest(value, 11) === 0
}

export function gbVat(value: string): boolean {
  if (value.length === 5)
    return value.startsWith('GD') ? int(value, 2) < 500 : value.startsWith('HA') && int(value, 2) > 499
  const remainder = weigh(value, [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97
  return remainder === 0 || remainder === 42
}

const cifLetters = 'JABCDEFGHI'

/** Spain: a letter for the type of company, seven digits, a check digit or letter. */
function esCif(value: string): boolean {
  let sum = 0
  for (let i = 1; i < 8; i++) {
    const digit = at(value, i) * (i % 2 === 1 ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  const check = (10 - (sum % 10)) % 10
  const last = value.charAt(8)
  return 'ABCDEFGHJNPQRSUVW'.includes(value.charAt(0)) && (last === String(check) || last === cifLetters.charAt(check))
}

export function esVat(value: string): boolean {
  if (isDigits(value, 0, 8)) return esDni(value)
  if (!isDigits(value, 1, 8)) return false
  return esCif(value) || esNie(value) || ('KLM'.includes(value.charAt(0)) && esDni('0' + value.slice(1)))
}

export function chVat(value: string): boolean {
  return (11 - (weigh(value, [5, 4, 3, 2, 7, 6, 5, 4]) % 11)) % 11 === at(value, 8)
}

export function noVat(value: string): boolean {
  return (11 - (weigh(value, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === at(value, 8) && '89'.includes(value.charAt(0))
}

/** The forms of each country's number behind its letters, and the check. */
export const vatForms: readonly (readonly [
  country: string,
  forms: readonly string[],
  check: (value: string) => boolean
])[] = [
  ['ATU', ['99999999'], atUid],
  ['AU', ['99999999999'], auAbn],
  ['BE', ['9999999999', '999999999'], beVat],
  ['BG', ['999999999', '9999999999'], bgVat],
  ['CY', ['99999999@'], cyTic],
  ['CZ', ['99999999', '999999999', '9999999999'], czVat],
  ['DE', ['999999999'], deVat],
  ['DK', ['99999999'], dkVat],
  ['EE', ['999999999'], eeVat],
  ['EL', ['999999999'], grAfm],
  ['GR', ['999999999'], grAfm],
  ['ES', ['?9999999?'], esVat],
  ['FI', ['99999999'], fiVat],
  ['FR', ['??999999999'], frVat],
  ['HR', ['99999999999'], hrOib],
  ['HU', ['99999999'], huVat],
  ['IE', ['9999999@', '9999999@@', '9@99999@'], ieVat],
  ['IT', ['99999999999'], itVat],
  ['LT', ['999999999', '999999999999'], ltVat],
  ['LU', ['99999999'], luVat],
  ['LV', ['99999999999'], lvVat],
  ['MT', ['99999999'], mtVat],
  ['NL', ['999999999B99'], nlVat],
  ['PL', ['9999999999'], plNip],
  ['PT', ['999999999'], ptNif],
  ['RO', ['9999999999', '999999999', '99999999', '9999999', '999999'], roVat],
  ['SE', ['999999999999'], seVat],
  ['SI', ['99999999'], siVat],
  ['SK', ['9999999999'], skVat],
  ['GB', ['999999999', '999999999999', 'GD999', 'HA999'], gbVat],
  ['XI', ['999999999', '999999999999', 'GD999', 'HA999'], gbVat],
  ['CHE', ['999999999', '999999999MWST', '999999999TVA', '999999999IVA', '999999999TPV'], chVat],
  ['NO', ['999999999', '999999999MVA'], noVat]
]
