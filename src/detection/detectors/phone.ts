/** Telephone numbers: international ones by their form, national ones behind a word that names them. */
import { wordGuard } from '../engine/anchor-guard.ts'
import { closesField } from '../engine/closed-field.ts'
import { charSet, codeAt, digitSet, inSet, letterSet, runEnd, wordSet } from '../text/chars.ts'
import type { Detector, Match, MatchContext } from '../detector.ts'
import { phoneNameAt, phoneNames } from './phone-names.ts'
import { isDigits, isFlat as isSame, isYyyymmdd } from '../validators/digits.ts'

/** Country code and the lengths of the number behind it, `code:min-max`. */
const countryCodes = new Map(
  (
    '1:10 7:10 20:8-10 27:9 30:10 31:9 32:8-9 33:9 34:9 36:8-9 39:8-11 40:9 41:9 43:7-13 44:9-10 45:8 46:7-10 47:8 ' +
    '48:9 49:7-12 51:8-9 52:10 53:8 54:10-11 55:10-11 56:9 57:10 58:10 60:8-10 61:9 62:8-12 63:8-10 64:8-10 65:8 ' +
    '66:8-9 81:9-10 82:8-10 84:9-10 86:10-11 90:10 91:10 92:9-10 93:9 94:9 95:7-10 98:10 211:9 212:9 213:8-9 216:8 ' +
    '218:8-9 220:7 221:9 222:8 223:8 224:8-9 225:10 226:8 227:8 228:8 229:8-10 230:7-8 231:7-9 232:8 233:9 234:8-10 ' +
    '235:8 236:8 237:8-9 238:7 239:7 240:9 241:7-8 242:9 243:7-9 244:9 245:7-9 248:7 249:9 250:9 251:9 252:7-9 253:8 254:9 ' +
    '255:9 256:9 257:8 258:8-9 260:9 261:9 262:9 263:9 264:8-9 265:7-9 266:8 267:7-8 268:8 269:7 291:7 297:7 298:6 ' +
    '299:6 350:8 351:9 352:6-11 353:7-9 354:7 355:8-9 356:8 357:8 358:6-11 359:7-9 370:8 371:8 372:7-8 373:8 374:8 ' +
    '375:9 376:6-9 377:8-9 378:6-10 380:9 381:8-9 382:8 383:8 385:8-9 386:8 387:8 389:8 420:9 421:9 423:7-9 500:5 ' +
    '501:7 502:8 503:8 504:8 505:8 506:8 507:7-8 509:8 590:9 591:8 592:7 593:8-9 594:9 595:9 596:9 597:6-7 598:8 ' +
    '599:7-8 670:7-8 673:7 675:7-8 676:5-7 677:5-7 679:7 852:8 853:8 855:8-9 856:8-10 880:8-10 886:8-9 960:7 961:7-8 ' +
    '962:8-9 963:9 964:8-10 965:8 966:9 967:7-9 968:8 970:8-9 971:8-9 972:8-9 973:8 974:8 975:7-8 976:8 977:8-10 992:9 ' +
    '993:8 994:9 995:9 996:9 998:9 246:7 247:4-5 290:4-5 508:6 672:6 674:7 678:5-7 680:7 681:6 682:5 683:4-7 685:5-7 686:5-8 ' +
    '687:6 688:5-6 689:6-8 690:4-5 691:7 692:7'
  )
    .split(' ')
    .map((entry) => {
      const [code, range] = entry.split(':') as [string, string]
      const [min, max = min] = range.split('-') as [string, string?]
      return [code, { min: Number(min), max: Number(max) }] as const
    })
)
const separatorSet = charSet(' -.()/')
/** Those of E.164, and what is dialled before them. */
const digitsMax = 18
/** Units of digits of a number that is alone on its line. */
const lineLengths = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

interface Dialled {
  readonly digits: string
  readonly end: number
  readonly separators: number
}

/** Reads digits with at most two separators between (`) `), up to the last digit. */
function dialled(text: string, from: number): Dialled | undefined {
  let digits = ''
  let end = from
  let separators = 0
  let gap = 0
  for (let i = from; digits.length <= digitsMax; i++) {
    const code = text.charCodeAt(i)
    if (inSet(digitSet, code)) {
      if (gap > 0) separators++
      gap = 0
      digits += String.fromCharCode(code)
      end = i + 1
    } else if (inSet(separatorSet, code) && gap < 2) gap++
    else break
  }
  if (digits.length > digitsMax || inSet(wordSet, text.charCodeAt(end))) return undefined
  return { digits, end, separators }
}

/** The North American plan: area and exchange begin with 2 to 9; 555-01xx belongs to films and documents. */
function isNorthAmerican(national: string): boolean {
  return (
    national.length === 10 &&
    national.charAt(0) >= '2' &&
    national.charAt(3) >= '2' &&
    !(national.slice(3, 8) === '55501')
  )
}

function isInternational(digits: string): boolean {
  for (let length = 1; length <= 3; length++) {
    const plan = countryCodes.get(digits.slice(0, length))
    if (plan === undefined) continue
    const national = digits.slice(length)
    // Some countries dial the zero from abroad as well; of others people leave it in: +49 (0)30 ...
    const count = national.length
    const isCut = national.startsWith('0') && length > 1 && fits(plan, count - 1)
    return (
      (isCut || fits(plan, count)) &&
      (length > 1 || digits.charAt(0) !== '1' || isNorthAmerican(national)) &&
      !isFlat(digits)
    )
  }
  return false
}

function fits(plan: { readonly min: number; readonly max: number }, count: number): boolean {
  return count >= plan.min && count <= plan.max
}

function isFlat(digits: string): boolean {
  return [...digits.slice(3)].every((one) => one === digits.charAt(3))
}

function international(text: string, at: number): Match | undefined {
  const before = text.charCodeAt(at - 1)
  if (inSet(wordSet, before) || before === 43 || before === 46) return undefined
  const read = dialled(text, at + 1)
  if (read === undefined || !isInternational(read.digits) || isPlaceOrDecimal(text, at, read)) return undefined
  return { start: at, end: read.end, confidence: 'strong' }
}

/** `+4612-05957`, a latitude and a longitude of ISO 6709, and `+35236450.6`. */
function isPlaceOrDecimal(text: string, at: number, { digits, end, separators }: Dialled): boolean {
  if (separators !== 1) return false
  const first = runEnd(text, at + 1, digitSet, digitsMax)
  const lead = first - at - 1
  // Seconds since the start behind a time, as Go prints it: `m=+26.856583003`.
  if (text.charCodeAt(first) === 46)
    return lead > 3 || !countryCodes.has(digits.slice(0, lead)) || text.startsWith('m=', at - 2)
  const isPlace = end - first === digits.length - lead + 1 && text.charCodeAt(first) === 45 && digits.charAt(lead) < '2'
  return isPlace && ((lead === 4 && digits.length === 9) || (lead === 6 && digits.length === 13))
}

const valueUnitsMax = 28
const nameTailMax = 12

/** The first digit behind a name, past a short word, a colon and quotes. */
function firstDigit(text: string, from: number): number {
  for (let i = from; i < from + valueUnitsMax && i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inSet(digitSet, code)) return isInside(text, i) ? -1 : i
    if (code === 43 || code === 10 || code === 64) return -1
  }
  return -1
}

/** Whether digits go on a word, or a name with a dash, as in `CVE-2013-1997`. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return inSet(wordSet, before) || (before === 45 && inSet(letterSet, codeAt(text, at - 2)))
}

/** A national number: ten digits of the North American plan, or a trunk zero and seven to twelve digits. */
function isNational(read: Dialled): boolean {
  const { digits } = read
  if (isFlat(digits)) return false
  const prefix = abroad.find((one) => digits.startsWith(one))
  if (prefix !== undefined && isInternational(digits.slice(prefix.length))) return true
  if (digits.startsWith('0')) return digits.length >= 8 && digits.length <= 13 && digits.charAt(1) !== '0'
  if (digits.length === 11 && digits.startsWith('1')) return digits.charAt(1) >= '3' || isNorthAmerican(digits.slice(1))
  return isNorthAmerican(digits) || (digits.length >= 8 && digits.length <= 11 && read.separators >= 2)
}

/** What is dialled for another country, from most of them and from North America. */
const abroad = ['00', '011']

/** Ten or eleven digits right behind a name: `Phone: 5321234567`; or as many as small countries have. */
function isNamed(text: string, at: number, read: Dialled, nameEnd: number, name: string): boolean {
  const { digits } = read
  if (at - nameEnd > namedGapMax || isFlat(digits)) return false
  if (digits.length === 10 || digits.length === 11) return true
  return name !== 'cell' && digits.charAt(0) > '0' && isShort(text, at, read, text.slice(nameEnd, at))
}
const namedGapMax = 4

/** `6521 1234`, `65211234` where it is assigned, `321-4567`: all that is dialled in a small country, or in one town. */
function isShort(text: string, at: number, { digits, end, separators }: Dialled, gap: string): boolean {
  const isTight = end - at === digits.length + separators && runEnd(text, at, digitSet, digitsMax) - at > 1
  if (digits.length === 7) return isTight && (separators === 1 || separators === 2) && !digits.startsWith('555')
  if (digits.length !== 8 || isYyyymmdd(digits)) return false
  return separators === 0
    ? digits.charAt(0) > '1' && signs.some((sign) => gap.includes(sign))
    : separators === 1 && isTight
}
const signs = [':', '=', '>', '|']

function national(text: string, at: number): Match | undefined {
  const name = phoneNameAt(text, at)
  if (name === undefined) return undefined
  // `XAllocColorCells` has no telephone.
  if (name === 'cell' && inSet(letterSet, codeAt(text, at - 1))) return undefined
  const digitAt = firstDigit(text, at + name.length)
  if (digitAt < 0 || closesField(text, at + name.length, digitAt)) return undefined
  const read = dialled(text, digitAt)
  if (read === undefined || isDate(text, digitAt, read.end)) return undefined
  // `phoneNumber`, `phone_no`: the rest of the name.
  const nameEnd = runEnd(text, at + name.length, wordSet, nameTailMax)
  if (!isNational(read) && !isNamed(text, digitAt, read, Math.min(nameEnd, digitAt), name)) return undefined
  // The bracket of an area code belongs to the number, the one of a call does not.
  const isArea = text.charCodeAt(digitAt - 1) === 40 && text.slice(digitAt, read.end).includes(')')
  return { start: isArea ? digitAt - 1 : digitAt, end: read.end, confidence: 'strong', byContext: true }
}

/** `2016-06-02`, and the like with dots or slashes, is the day of something. */
function isDate(text: string, start: number, end: number): boolean {
  // A time of the day goes on behind its hours.
  if (codeAt(text, end) === 58 && inSet(digitSet, codeAt(text, end + 1))) return true
  if (end - start !== 10 || text.charCodeAt(start + 4) !== text.charCodeAt(start + 7)) return false
  const day = text.slice(start, start + 4) + text.slice(start + 5, start + 7) + text.slice(start + 8, end)
  return isDigits(day) && isYyyymmdd(day)
}

/** A line that is nothing but a number: with a plus, a prefix for abroad, a trunk zero, or as people write at home. */
function alone(text: string, at: number, context: MatchContext): Match | undefined {
  const value = context.line
  if (!isDigits(value) || isFlatTail(value) || isTime(value)) return undefined
  const match: Match = { start: at, end: context.wordEnd, confidence: 'medium' }
  const first = text.charCodeAt(at)
  if (first === 43) return value.length >= 7 && isAbroad(value) ? match : undefined
  if (value.startsWith('00')) return isAbroad(value.slice(2)) ? match : undefined
  if (value.startsWith('0')) return value.length >= 8 && value.length <= 13 ? match : undefined
  if (hasGroups(text, at, context.wordEnd)) return value.length >= 7 && value.length <= 13 ? match : undefined
  if (!isBare(text, at, context.wordEnd)) return undefined
  return isAtHome(value) || (value.length >= 10 && isAbroad(value)) ? match : undefined
}

/** A known country and about as many digits as it uses. */
function isAbroad(digits: string): boolean {
  for (let length = 1; length <= 3; length++) {
    const plan = countryCodes.get(digits.slice(0, length))
    const count = digits.length - length
    if (plan !== undefined) return length === 1 ? count === plan.max : count >= plan.min - 1 && count <= plan.max + 2
  }
  return false
}

/** First digits of numbers without a trunk zero, by length: eight and nine in small countries, ten and eleven in large. */
function isAtHome(value: string): boolean {
  const first = value.charAt(0)
  if (value.length === 11) return value.startsWith('1') ? value.charAt(1) >= '3' : first === '7' || first === '8'
  return value.length >= 8 && value.length <= 10 && first >= '2'
}

/** `20260131` and seconds since 1970 are numbers of another sort. */
function isTime(value: string): boolean {
  if (value.length === 8) return isYyyymmdd(value)
  return value.length === 10 && value >= '1400000000' && value < '1900000000'
}

function isFlatTail(value: string): boolean {
  return value.length < 7 || isSame(value)
}

function isBare(text: string, start: number, end: number): boolean {
  return runEnd(text, start, digitSet, end - start) === end
}

function hasGroups(text: string, start: number, end: number): boolean {
  let groups = 0
  for (let i = start + 1; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === 46) return false
    if (code === 32 || code === 45) groups++
  }
  return groups > 0 && groups < 6
}

const plus = [...'123456789'].map((digit) => ({ literal: '+' + digit }))

export const phoneDetectors: readonly Detector[] = [
  {
    id: 'phone_number',
    label: 'PHONE',
    lengthMin: 7,
    title: 'telephone number',
    group: 'contact',
    tier: 'medium',
    anchors: [
      ...plus,
      { line: lineLengths },
      ...phoneNames.map((literal) => ({ literal, fold: true, guard: wordGuard(literal, 's') }) as const)
    ],
    match(text, at, context) {
      if (context.by === 'line') return alone(text, at, context)
      return text.charCodeAt(at) === 43 ? international(text, at) : national(text, at)
    },
    hits: () => [
      'reach me at +44 20 7946 0958',
      '+4930' + '901820',
      '+1 (212) 736-5000',
      'phone: 06 12 34 56 78',
      'Mobile (415) 736-2201',
      'Tel.: 0049 89 ' + '9018 2077',
      'fax: 011 44 20 7946 0958',
      'phone: 6521 ' + '1234',
      '"phoneNumber": "6521' + '1234"',
      'Phone: 321-' + '4567',
      '"phoneNumber": "2127365000"',
      'Meine Handynummer ist 0171 ' + '2345678',
      'mon numéro est le 06 12 ' + '34 56 78',
      'Il mio numero di telefono è 347 ' + '123 4567',
      'мой телефон 8 (912) ' + '345-67-89',
      '我的手机号是138' + '12345678',
      '電話番号は090-1234' + '-5678です',
      '내 번호는 010-1234' + '-5678'
    ],
    misses: () => [
      '06 12 34 56 78',
      '+1 212 555 0123',
      'x+4930901820',
      '+123',
      '+1700000000000',
      'started 14:35:55 m=+44.2071838750',
      'took +26.856583003 of it',
      'phone: 1.2.3',
      'phone: 555-1234',
      'phone 20260131',
      'mobile = 16777216',
      'cell: 65211234',
      'phone: 0000 1234 5678',
      'telemetry: 0612345678',
      'microphone 0612345678',
      'mobile : 2016-06-02',
      'FAX [ dir ] 93-12-12 18:30',
      'CA +4612-05957 America/Glace_Bay',
      'lengths in XAllocColorCells() [2013-1997 1/15]',
      'fax machines of CVE-2013-1997 1/15',
      "Decimal('+35236450.6')",
      '+000000000000'
    ],
    source:
      'ITU-T E.164 and its list of assigned country codes; lengths as national numbering plans state them. The lengths are from memory.'
  }
]
