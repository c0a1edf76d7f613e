/** Identity and tax numbers of the Americas. Values are compact and upper case. */
import { at, int, isFlat, isYymmdd, luhnOf, weigh } from './digits.ts'

/** United States: areas, groups and serials that are never issued, and numbers that advertisements made public. */
export function usSsn(value: string): boolean {
  const area = int(value, 0, 3)
  if (area === 0 || area === 666 || area >= 900 || int(value, 3, 5) === 0 || int(value, 5, 9) === 0) return false
  return value !== '219' + '09' + '9999' && value !== '457' + '55' + '5462' && !isFlat(value)
}

/** The first digits of ten numbers that are reserved for advertisements. */
const advertised = '98765432'

export function usItin(value: string): boolean {
  if (value.startsWith(advertised)) return false
  const group = int(value, 3, 5)
  return (
    at(value, 0) === 9 && ((group >= 50 && group <= 65) || (group >= 70 && group <= 99 && group !== 89 && group !== 93))
  )
}

const einVoid = [0, 7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96, 97]

/** United States, employers: the prefixes of the campuses that issue numbers. */
export function usEin(value: string): boolean {
  return !einVoid.includes(int(value, 0, 2))
}

/** United States, banks: weights 3, 7, 1; the first two digits name a Federal Reserve district. */
export function usRouting(value: string): boolean {
  const lead = int(value, 0, 2)
  const known = (lead >= 1 && lead <= 12) || (lead >= 21 && lead <= 32) || (lead >= 61 && lead <= 72) || lead === 80
  return known && weigh(value, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
}

/** United States, health care providers: Luhn with 80840, the prefix of US health applications, before it. */
export function usNpi(value: string): boolean {
  return (at(value, 0) === 1 || at(value, 0) === 2) && luhnOf('80840' + value)
}

const mbiDigits = '0123456789'
const mbiLetters = 'ACDEFGHJKMNPQRTUVWXY'
const mbiPlaces = [
  '123456789',
  mbiLetters,
  mbiDigits + mbiLetters,
  mbiDigits,
  mbiLetters,
  mbiDigits + mbiLetters,
  mbiDigits,
  mbiLetters,
  mbiLetters,
  mbiDigits,
  mbiDigits
]

/** United States, Medicare: the characters that may stand in each of the eleven places. */
export function usMbi(value: string): boolean {
  return mbiPlaces.every((letters, i) => letters.includes(value.charAt(i)))
}

/** United States, prescribers (DEA): two letters, or one and a 9 for those registered under the name of a business. */
export function usDea(value: string): boolean {
  const sum = at(value, 2) + at(value, 4) + at(value, 6) + 2 * (at(value, 3) + at(value, 5) + at(value, 7))
  const isRegistrant = value.charCodeAt(1) > 64 || value.charAt(1) === '9'
  return 'ABCDEFGHJKLMPRSTUX'.includes(value.charAt(0)) && isRegistrant && sum % 10 === at(value, 8)
}

export function caSin(value: string): boolean {
  return at(value, 0) !== 0 && at(value, 0) !== 8 && luhnOf(value)
}

export function caBn(value: string): boolean {
  return luhnOf(value.slice(0, 9)) && !isFlat(value.slice(0, 9))
}

export function brCpf(value: string): boolean {
  if (isFlat(value)) return false
  const check = (count: number) => {
    let sum = 0
    for (let i = 0; i < count; i++) sum += at(value, i) * (count + 1 - i)
    return ((sum * 10) % 11) % 10
  }
  return check(9) === at(value, 9) && check(10) === at(value, 10)
}

/** Brazil, social insurance: PIS, PASEP and NIS are the same number. */
export function brPis(value: string): boolean {
  const weights = [3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
  let sum = 0
  weights.forEach((weight, i) => (sum += weight * at(value, i)))
  const check = 11 - (sum % 11)
  return !isFlat(value) && (check > 9 ? 0 : check) === at(value, 10)
}

/** Brazil, companies. Letters, allowed since July 2026, count by their ASCII code less 48. */
export function brCnpj(value: string): boolean {
  if (isFlat(value)) return false
  const check = (weights: readonly number[]) => {
    const remainder = weigh(value, weights) % 11
    return remainder < 2 ? 0 : 11 - remainder
  }
  return (
    check([5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) === at(value, 12) &&
    check([6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) === at(value, 13)
  )
}

const curpLetters = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'
const curpStates =
  'AS BC BS CC CH CL CM CS DF DG GR GT HG JC MC MN MS NE NL NT OC PL QR QT SL SP SR TC TL TS VZ YN ZS'.split(' ')

export function mxCurp(value: string): boolean {
  if (!isYymmdd(value, 4) || !'HMX'.includes(value.charAt(10)) || !curpStates.includes(value.slice(11, 13)))
    return false
  let sum = 0
  for (let i = 0; i < 17; i++) sum += curpLetters.indexOf(value.charAt(i)) * (18 - i)
  return (10 - (sum % 10)) % 10 === at(value, 17)
}

const rfcLetters = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/**
 * Mexico: three letters for a company or four for a person, a date, two characters, and a check character that not all
 * have right.
 */
export function mxRfc(value: string): boolean {
  const from = value.length - 9
  return isYymmdd(value, from)
}

function mxRfcChecked(value: string): boolean {
  const padded = value.length === 12 ? ' ' + value : value
  let sum = 0
  for (let i = 0; i < 12; i++) sum += rfcLetters.indexOf(padded.charAt(i)) * (13 - i)
  return mxRfc(value) && '0123456789A'.charAt((11 - (sum % 11)) % 11) === value.charAt(value.length - 1)
}

/** The same, if the two characters of the homoclave are not both digits: `LOC100724838` is the name of a gene. */
export function mxRfcLettered(value: string): boolean {
  return mxRfcChecked(value) && Number.isNaN(Number(value.slice(-3, -1)))
}

export function arCuit(value: string): boolean {
  const check = weigh(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (
    ['20', '23', '24', '27', '30', '33', '34', '50', '51', '55'].includes(value.slice(0, 2)) &&
    '012345678990'.charAt((11 - check) % 11 === 10 ? 9 : (11 - check) % 11) === value.charAt(10)
  )
}

export function clRut(value: string): boolean {
  let sum = 0
  for (let i = value.length - 2, weight = 2; i >= 0; i--, weight = weight === 7 ? 2 : weight + 1)
    sum += at(value, i) * weight
  return '0K987654321'.charAt(sum % 11) === value.charAt(value.length - 1)
}

const nitWeights = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71]

export function coNit(value: string): boolean {
  let sum = 0
  for (let i = 0; i < value.length - 1; i++) sum += at(value, value.length - 2 - i) * (nitWeights[i] as number)
  return '01987654321'.charAt(sum % 11) === value.charAt(value.length - 1)
}

export function peRuc(value: string): boolean {
  const check = (11 - (weigh(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 10
  return ['10', '15', '16', '17', '20'].includes(value.slice(0, 2)) && check === at(value, 10)
}

/** Peru: the check character of the DNI, a digit or a letter. */
export function peCui(value: string): boolean {
  const place = weigh(value, [3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return '65432110987'.charAt(place) === value.charAt(8) || 'KJIHGFEDCBA'.charAt(place) === value.charAt(8)
}

function ecProvince(value: string): boolean {
  const province = int(value, 0, 2)
  return (province >= 1 && province <= 24) || province === 30 || province === 50
}

export function ecCedula(value: string): boolean {
  return ecProvince(value) && at(value, 2) < 7 && luhnOf(value.slice(0, 10))
}

/** Ecuador: for a person the identity number and 001; companies and public bodies have weights of their own. */
export function ecRuc(value: string): boolean {
  if (!ecProvince(value) || int(value, 10, 13) === 0) return false
  const third = at(value, 2)
  if (third < 6) return luhnOf(value.slice(0, 10))
  const isPublic = weigh(value, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  if ((third === 6 || third === 9) && isPublic) return int(value, 9, 13) > 0
  return third === 9
    ? weigh(value, [4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
    : third === 6 && luhnOf(value.slice(0, 10))
}

export function uyCi(value: string): boolean {
  const full = value.length === 7 ? '0' + value : value
  // Offsets in dumps are padded with zeros, and the lowest numbers in use have six digits.
  return int(full, 0, 7) >= 10_000 && (10 - (weigh(full, [2, 9, 8, 7, 6, 3, 4]) % 10)) % 10 === at(full, 7)
}

export function uyRut(value: string): boolean {
  const lead = int(value, 0, 2)
  if (lead < 1 || lead > 22 || int(value, 2, 8) === 0 || int(value, 8, 11) !== 1) return false
  return (11 - (weigh(value, [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === at(value, 11)
}

/** Dominican Republic. Some numbers in use fail the check; the registry's list of them is not repeated here. */
export function doCedula(value: string): boolean {
  return luhnOf(value) && !isFlat(value)
}

/** Dominican Republic, companies (DGII): weights 7 9 8 6 5 4 3 2, modulo 11; the check digit is never zero. */
export function doRnc(value: string): boolean {
  const check = weigh(value, [7, 9, 8, 6, 5, 4, 3, 2]) % 11
  return ((10 - check) % 9) + 1 === at(value, 8)
}

/** Guatemala, identity card: eight digits and their check digit, weights from 2 to 9, modulo 11; 22 departments. */
export function gtCui(value: string): boolean {
  const department = int(value, 9, 11)
  return weigh(value, [2, 3, 4, 5, 6, 7, 8, 9]) % 11 === at(value, 8) && department > 0 && department <= 22
}

/** Venezuela: a letter or digit for the type of person, eight digits, a check digit. */
export function veRif(value: string): boolean {
  const kind = 'VEJPGC'.indexOf(value.charAt(0))
  const offset = [4, 8, 12, 16, 20, 12][kind] ?? 0
  const sum = offset + weigh(value, [3, 2, 7, 6, 5, 4, 3, 2], 1)
  return kind >= 0 && '00987654321'.charAt(sum % 11) === value.charAt(9)
}

export function gtNit(value: string): boolean {
  const last = value.length - 1
  let sum = 0
  for (let i = 0; i < last; i++) sum += at(value, last - 1 - i) * (i + 2)
  const check = ((-sum % 11) + 11) % 11
  return (check === 10 ? 'K' : String(check)) === value.charAt(last)
}

/**
 * El Salvador: department, municipality, date of birth or registration, serial, check digit by the older or newer rule.
 */
export function svNit(value: string): boolean {
  if (int(value, 0, 1) > 1 && at(value, 0) !== 9) return false
  if (int(value, 10, 13) <= 100)
    return (weigh(value, [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11) % 10 === at(value, 13)
  const sum = weigh(value, [2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2])
  return (((-sum % 11) + 11) % 11) % 10 === at(value, 13)
}

export function svDui(value: string): boolean {
  return (10 - (weigh(value, [9, 8, 7, 6, 5, 4, 3, 2]) % 10)) % 10 === at(value, 8)
}

export function pyRuc(value: string): boolean {
  const last = value.length - 1
  let sum = 0
  for (let i = 0; i < last; i++) sum += at(value, last - 1 - i) * (i + 2)
  return (((-sum % 11) + 11) % 11) % 10 === at(value, last)
}

/** Costa Rica: the class of a person. There is no check digit. */
export function crCedula(value: string): boolean {
  const full = value.length === 9 ? '0' + value : value
  return at(full, 0) === 0 && at(full, 1) > 0 && int(full, 2) > 0
}

/** Costa Rica, companies: the first digit is the type. There is no check digit. */
export function crJuridica(value: string): boolean {
  const kind = at(value, 0)
  const type = int(value, 1, 4)
  return (
    (kind === 2 && [100, 200, 300, 400].includes(type)) ||
    (kind === 3 && type > 0 && type < 111) ||
    (kind === 4 && type === 0) ||
    (kind === 5 && type === 1)
  )
}

/** Mexico: a person's code without its homoclave, of which only the date can be checked. */
export function mxRfcShort(value: string): boolean {
  return value.length === 10 && isYymmdd(value, 4)
}

const departments = ['LP', 'CB', 'SC', 'PT', 'CH', 'OR', 'TJ', 'BE', 'PA', 'PD', 'BN']

export function boDepartment(value: string): boolean {
  return departments.includes(value.slice(-2))
}
