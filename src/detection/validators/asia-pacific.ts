/** Identity and tax numbers of Asia and the Pacific. Values are compact and upper case. */
import { at, base36, int, isDay, isFlat, isYymmdd, isYyyymmdd, luhnOf, verhoeff, weigh } from './digits.ts'

/** India: not a palindrome, first digit two to nine. */
export function inAadhaar(value: string): boolean {
  return at(value, 0) > 1 && verhoeff(value) && value !== [...value].reverse().join('')
}

export function inPan(value: string): boolean {
  return 'ABCFGHJKLPT'.includes(value.charAt(3)) && int(value, 5, 9) > 0
}

export function inGstin(value: string): boolean {
  return inGstinForm(value) && inPan(value.slice(2, 12)) && value.charAt(13) === 'Z' && gstSum(value)
}

function gstSum(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 14; i++) {
    const product = base36(value, i) * (i % 2 === 0 ? 1 : 2)
    sum += Math.floor(product / 36) + (product % 36)
  }
  return (36 - (sum % 36)) % 36 === base36(value, 14)
}

/** South Korea. Numbers issued since October 2020 have six random digits and no check digit. */
export function krRrn(value: string): boolean {
  if (!isYymmdd(value)) return false
  if (int(value, 0, 2) >= 20 && '3478'.includes(value.charAt(6))) return true
  const sum = weigh(value, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5])
  const check = (11 - (sum % 11)) % 10
  return check === at(value, 12) || ('5678'.includes(value.charAt(6)) && (check + 2) % 10 === at(value, 12))
}

export function krBrn(value: string): boolean {
  const sum = weigh(value, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + Math.floor((at(value, 8) * 5) / 10)
  return int(value, 0, 3) > 100 && (10 - (sum % 10)) % 10 === at(value, 9)
}

export function jpMyNumber(value: string): boolean {
  const remainder = weigh(value, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (remainder < 2 ? 0 : 11 - remainder) === at(value, 11) && !isFlat(value)
}

export function jpCorporate(value: string): boolean {
  return 9 - (weigh(value, [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1], 1) % 9) === at(value, 0)
}

const cnWeights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

export function cnResidentId(value: string): boolean {
  const province = int(value, 0, 2)
  if (province < 11 || province > 83 || !isYyyymmdd(value, 6)) return false
  return '10X98765432'.charAt(weigh(value, cnWeights) % 11) === value.charAt(17)
}

/** GB 2260: municipalities, provinces and regions. */
const cnProvinces = new Set(
  '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82'.split(' ')
)

/** The number of fifteen digits that was given until 1999: region, birthday with two digits for the year, serial. */
export function cnFirstResidentId(value: string): boolean {
  return cnProvinces.has(value.slice(0, 2)) && isYymmdd(value, 6)
}

const usccLetters = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const usccWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

export function cnUscc(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 17; i++) {
    const place = usccLetters.indexOf(value.charAt(i))
    if (place < 0) return false
    sum += place * (usccWeights[i] as number)
  }
  return usccLetters.charAt((31 - (sum % 31)) % 31) === value.charAt(17)
}

const twAreas = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'

export function twNationalId(value: string): boolean {
  const area = twAreas.indexOf(value.charAt(0)) + 10
  const second = value.charCodeAt(1) > 64 ? (twAreas.indexOf(value.charAt(1)) + 10) % 10 : at(value, 1)
  // The sex, as a digit or, in the older numbers of residents, a letter.
  if (area < 10 || !'1289ABCD'.includes(value.charAt(1))) return false
  const sum = Math.floor(area / 10) + (area % 10) * 9 + second * 8 + weigh(value, [7, 6, 5, 4, 3, 2, 1, 1], 2)
  return sum % 10 === 0
}

export function twUbn(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 8; i++) {
    const product = at(value, i) * ([1, 2, 1, 2, 1, 2, 4, 1][i] as number)
    sum += Math.floor(product / 10) + (product % 10)
  }
  return sum % 5 === 0 || (at(value, 6) === 7 && (sum + 1) % 5 === 0)
}

/** Hong Kong: one or two letters (a missing one counts as 36), six digits, a check character. */
export function hkId(value: string): boolean {
  const single = value.length === 8
  let sum = (single ? 36 : base36(value, 0)) * 9 + base36(value, single ? 0 : 1) * 8
  sum += weigh(value, [7, 6, 5, 4, 3, 2], single ? 1 : 2)
  return '0A987654321'.charAt(sum % 11) === value.charAt(value.length - 1)
}

/** Singapore: S and T for citizens, F, G and M for foreigners; each series has a table of check letters. */
export function sgNric(value: string): boolean {
  const series = value.charAt(0)
  const sum = weigh(value, [2, 7, 6, 5, 4, 3, 2], 1) + (series === 'T' || series === 'G' ? 4 : series === 'M' ? 3 : 0)
  const table = series === 'S' || series === 'T' ? 'JZIHGFEDCBA' : series === 'M' ? 'XWUTRQPNJLK' : 'XWUTRQPNMLK'
  return 'STFGM'.includes(series) && table.charAt(sum % 11) === value.charAt(8)
}

const myPlacesVoid = [0, 17, 18, 19, 20, 69, 70, 73, 80, 81, 94, 95, 96, 97]

export function myKad(value: string): boolean {
  return isYymmdd(value) && !myPlacesVoid.includes(int(value, 6, 8))
}

export function idNik(value: string): boolean {
  const province = int(value, 0, 2)
  const day = int(value, 6, 8)
  return (
    province >= 11 && province <= 97 && isDay(int(value, 8, 10), day > 40 ? day - 40 : day) && int(value, 12, 16) > 0
  )
}

/** Indonesia, tax: fifteen digits, since 2024 with a zero before them. People have their identity number instead. */
export function idNpwp(value: string): boolean {
  const old = value.length === 16 ? value.slice(1) : value
  return (old === value || value.startsWith('0')) && luhnOf(old.slice(0, 9)) && int(old, 0, 9) > 0
}

/** Thailand: the first digit is the sort of person, 1 to 8. */
export function thPin(value: string): boolean {
  if (at(value, 0) < 1 || at(value, 0) > 8) return false
  const sum = weigh(value, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  return (11 - (sum % 11)) % 10 === at(value, 12)
}

export function phTin(value: string): boolean {
  return int(value, 0, 9) > 0
}

/** Vietnam: province, sex and century, year, serial. There is no check digit. */
export function vnCccd(value: string): boolean {
  const province = int(value, 0, 3)
  return province >= 1 && province <= 96 && at(value, 3) < 4 && int(value, 6, 12) > 0
}

export function vnMst(value: string): boolean {
  return 10 - (weigh(value, [31, 29, 23, 19, 17, 13, 7, 5, 3]) % 11) === at(value, 9) && int(value, 2, 9) > 0
}

export function pkCnic(value: string): boolean {
  return at(value, 0) > 0 && at(value, 0) < 8 && at(value, 12) > 0
}

/** Sri Lanka: day of the year, 500 more for women. */
export function lkNic(value: string): boolean {
  const from = value.length === 12 ? 4 : 2
  const day = int(value, from, from + 3)
  const year = value.length === 12 ? int(value, 0, 4) : 1950
  return year >= 1880 && year < 2100 && ((day >= 1 && day <= 366) || (day >= 501 && day <= 866))
}

export function auTfn(value: string): boolean {
  const weights = value.length === 8 ? [10, 7, 8, 4, 6, 3, 5, 1] : [1, 4, 3, 7, 5, 8, 6, 9, 10]
  return weigh(value, weights) % 11 === 0 && int(value) > 0
}

export function auMedicare(value: string): boolean {
  return '23456'.includes(value.charAt(0)) && weigh(value, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === at(value, 8)
}

export function auAbn(value: string): boolean {
  return at(value, 0) > 0 && (weigh(value, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0
}

export function auAcn(value: string): boolean {
  return (10 - (weigh(value, [8, 7, 6, 5, 4, 3, 2, 1]) % 10)) % 10 === at(value, 8) && int(value) > 0
}

export function nzIrd(value: string): boolean {
  const full = value.length === 8 ? '0' + value : value
  const number = int(full)
  if (number < 10_000_000 || number > 150_000_000) return false
  const first = (11 - (weigh(full, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  if (first < 10) return first === at(full, 8)
  return (11 - (weigh(full, [7, 4, 3, 2, 5, 2, 7, 6]) % 11)) % 11 === at(full, 8)
}

const nhiLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

/** New Zealand, health: three letters and four digits modulo 11, or the newer form that ends in a letter, modulo 23. */
export function nzNhi(value: string): boolean {
  let sum = 0
  for (let i = 0; i < 6; i++) {
    const place = i < 3 || value.charCodeAt(i) > 64 ? nhiLetters.indexOf(value.charAt(i)) + 1 : at(value, i)
    if (place === 0 && i < 3) return false
    sum += place * (7 - i)
  }
  const isOld = value.charCodeAt(6) < 58
  if (!isOld) return nhiLetters.charAt(23 - (sum % 23) - 1) === value.charAt(6)
  return sum % 11 !== 0 && (11 - (sum % 11)) % 10 === at(value, 6)
}

export function sgUen(value: string): boolean {
  if (value.length === 9) return 'XMKECAWLJDB'.charAt(weigh(value, [10, 4, 9, 3, 8, 2, 7, 1]) % 11) === value.charAt(8)
  if (value.charCodeAt(0) < 58)
    return 'ZKCMDNERGWH'.charAt(weigh(value, [10, 8, 6, 4, 9, 7, 5, 3, 1]) % 11) === value.charAt(9)
  const letters = 'ABCDEFGHJKLMNPQRSTUVWX0123456789'
  let sum = 0
  for (let i = 0; i < 9; i++) sum += letters.indexOf(value.charAt(i)) * ([4, 3, 5, 3, 10, 2, 2, 5, 7][i] as number)
  return 'RST'.includes(value.charAt(0)) && letters.charAt((((sum - 5) % 11) + 11) % 11) === value.charAt(9)
}

/**
 * India, tax: state and form alone, for numbers with a made-up check character. 97 is any other territory, 99 the
 * centre.
 */
export function inGstinForm(value: string): boolean {
  const state = int(value, 0, 2)
  return (state > 0 && state < 39) || state === 97 || state === 99
}

/**
 * South Korea: birthday and sex alone, for numbers whose check digit does not hold; 9 and 0 are people born before
 * 1900.
 */
export function krRrnForm(value: string): boolean {
  return isYymmdd(value) && at(value, 6) > 0 && at(value, 6) < 9
}

/** Philippines, tax: a number whose branch is the head office. */
export function phHeadOffice(value: string): boolean {
  return value.endsWith('000') && int(value, 0, 9) > 0
}
