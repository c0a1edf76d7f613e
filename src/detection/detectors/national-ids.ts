/** National identifiers. High and strong only beside a word that names them; digits alone never block. */
import { charSet, digitSet, inSet, leftClear, letterSet, rightClear, runEnd, upperSet, wordSet } from '../chars.ts'
import type { Detector, Match, MatchContext } from '../detector.ts'
import type { NumberRun } from '../number-run.ts'
import { allSame, luhn, mod1110, weighted } from '../validators/checksums.ts'

type Parts = Pick<
  Detector,
  'id' | 'label' | 'title' | 'anchors' | 'context' | 'lengthMin' | 'match' | 'hits' | 'misses' | 'source'
>

function nationalId(parts: Parts): Detector {
  return { ...parts, group: 'national_id', tier: 'high' }
}

/** How much a value proves by itself: a form alone, a checksum that one number in ten passes, or one that few pass. */
type Proof = 'form' | 'loose' | 'tight'

function rate(start: number, end: number, proof: Proof, context: MatchContext): Match {
  if (context.near(start)) return { start, end, confidence: 'strong', byContext: true }
  if (proof === 'tight') return { start, end, confidence: 'medium', tier: 'medium' }
  return { start, end, confidence: 'weak', tier: 'low' }
}

/**
 * A match for a number in one of some shapes whose checksum is right. A loose checksum counts for more in a written-
 * out shape.
 */
function numberMatch(
  shapes: readonly string[],
  proof: Proof,
  check: (number: NumberRun) => boolean
): Detector['match'] {
  const known = new Set(shapes)
  return (_text, _at, context) => {
    const { number } = context
    if ((number.groups > 1 && !known.has(number.shape())) || allSame(number.digits, number.count) || !check(number))
      return undefined
    return rate(number.start, number.end, proof === 'loose' && number.groups > 1 ? 'tight' : proof, context)
  }
}

/** Areas, groups and serials that are never given out. */
function isSsn(number: NumberRun): boolean {
  const area = number.value(0, 3)
  return area > 0 && area !== 666 && area < 900 && number.value(3, 5) > 0 && number.value(5, 9) > 0
}

const usSsn = nationalId({
  id: 'us_ssn',
  label: 'US_SSN',
  title: 'US social security number',
  anchors: [{ number: [9] }],
  context: [
    'ssn',
    'social security',
    'social_security',
    'socialsecurity',
    'social-security',
    'soc sec',

    'taxpayer id'
  ],
  match(_text, _at, context) {
    const { number } = context
    const shape = number.shape()
    if ((number.groups > 1 && shape !== '3-2-4' && shape !== '3 2 4') || !isSsn(number)) return undefined
    if (number.groups === 1 && !context.near(number.start)) return undefined
    return rate(number.start, number.end, 'form', context)
  },
  hits: () => [
    'SSN: ' + ['536', '22', '8726'].join('-'),
    'my social security number is ' + ['536', '22', '8726'].join(' '),
    '"ssn":"' + '5362' + '28726"'
  ],
  misses: () => [
    'ssn ' + ['078', '05', '1120'].join('-'),
    'ssn 666-12-3456',
    'ssn 123-00-4567',
    '536228726',
    'ssn 536-22-87261',
    'ssn 900-12-3456'
  ],
  source:
    'Social Security Administration, "SSN randomization": areas 000, 666 and 900-999, group 00 and serial 0000 are ' +
    'not assigned.'
})

const nhsWeights = [10, 9, 8, 7, 6, 5, 4, 3, 2]

const gbNhs = nationalId({
  id: 'gb_nhs',
  label: 'UK_NHS',
  title: 'UK NHS number',
  anchors: [{ number: [10] }],
  context: ['nhs', 'nhs number', 'nhsnumber'],
  match: numberMatch(
    ['3 3 4', '3-3-4'],
    'loose',
    ({ digits }) => (11 - (weighted(digits, nhsWeights) % 11)) % 11 === digits[9]
  ),
  hits: () => ['NHS number ' + ['943', '476', '5919'].join(' '), ['943', '476', '5919'].join(' ')],
  misses: () => ['NHS 943 476 5918', 'nhs x9434765919', 'nhs 943-476 5919'],
  source: 'NHS Data Dictionary, "NHS number": modulus 11 with weights 10 to 2.'
})

const ninoPrefixSet = charSet('A-C', 'E', 'G-H', 'J-P', 'R-T', 'W-Z')
const ninoSecondSet = charSet('A-C', 'E', 'G-H', 'J-N', 'P', 'R-T', 'W-Z')
const ninoVoid = new Set(['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'])
const ninoNames = ['nino', 'national insurance', 'ni number', 'ni no']

/** Reads two letters, six digits and a letter, with blanks between pairs or none; gives the end or -1. */
function ninoEnd(text: string, start: number): number {
  if (!inSet(ninoPrefixSet, text.charCodeAt(start)) || !inSet(ninoSecondSet, text.charCodeAt(start + 1))) return -1
  if (ninoVoid.has(text.slice(start, start + 2)) || !leftClear(text, start, wordSet)) return -1
  let i = start + 2
  for (let pair = 0; pair < 3; pair++) {
    if (text.charCodeAt(i) === 32) i++
    if (runEnd(text, i, digitSet, 2) !== i + 2) return -1
    i += 2
  }
  if (text.charCodeAt(i) === 32) i++
  const suffix = text.charCodeAt(i)
  return suffix >= 65 && suffix <= 68 && rightClear(text, i + 1, wordSet) ? i + 1 : -1
}

const gbNino = nationalId({
  id: 'gb_nino',
  label: 'UK_NINO',
  lengthMin: 9,
  title: 'UK national insurance number',
  anchors: [{ word: [9] }, ...ninoNames.map((literal) => ({ literal, fold: true }) as const)],
  context: [...ninoNames, 'national_insurance', 'nationalinsurance'],
  match(text, at, context) {
    if (context.by === 'literal') {
      for (let i = at; i < at + 48; i++) {
        const end = inSet(upperSet, text.charCodeAt(i)) ? ninoEnd(text, i) : -1
        if (end > 0) return rate(i, end, 'form', context)
      }
      return undefined
    }
    const end = ninoEnd(text, at)
    return end < 0 ? undefined : rate(at, end, 'form', context)
  },
  hits: () => ['National Insurance: ' + 'AB' + '123456C', 'nino ' + ['JG', '10', '37', '59', 'A'].join(' ')],
  misses: () => ['nino BG123456A', 'nino AB123456E', 'nino DA123456A', 'nino AB1234567C'],
  source: 'HMRC National Insurance Manual NIM39110: prefixes and suffixes.'
})

const caSin = nationalId({
  id: 'ca_sin',
  label: 'CA_SIN',
  title: 'Canadian social insurance number',
  anchors: [{ number: [9] }],
  // The bare word is a function in mathematics and a preposition in Spanish, so it must read as a name.
  context: [
    'sin:',
    'sin=',
    'sin"',
    "sin'",
    'sin number',
    'sin no',
    'sin is',
    'sin #',
    'social insurance',
    'assurance sociale'
  ],
  match: numberMatch(
    ['3-3-3', '3 3 3'],
    'loose',
    ({ digits, count }) => digits[0] !== 0 && digits[0] !== 8 && luhn(digits, count)
  ),
  hits: () => ['SIN: ' + ['130', '692', '544'].join(' '), ['130', '692', '544'].join('-')],
  misses: () => ['SIN 130 692 545', 'SIN 046 454 286', 'SIN 130-692 544'],
  source: 'Employment and Social Development Canada: Luhn; first digit neither 0 nor 8.'
})

/** One digit stands two or three times among the first ten, all others at most once. */
function isSteuerId({ digits, count }: { readonly digits: ArrayLike<number>; readonly count: number }): boolean {
  if (digits[0] === 0 || !mod1110(digits, count)) return false
  const counts = new Uint8Array(10)
  for (let i = 0; i < 10; i++) counts[digits[i] as number] = (counts[digits[i] as number] as number) + 1
  const repeated = [...counts].filter((one) => one > 1)
  return repeated.length === 1 && (repeated[0] as number) <= 3
}

const deSteuerId = nationalId({
  id: 'de_steuer_id',
  label: 'DE_STEUER_ID',
  lengthMin: 11,
  title: 'German tax identification number',
  anchors: [{ number: [11] }, { run: true }],
  context: [
    'steuer-id',
    'steuer id',
    'steuerid',
    'steuer-idnr',
    'steuernummer',
    'idnr',
    'id-nr',
    'identifikationsnummer',
    'steueridentifikationsnummer',
    'tin'
  ],
  match(text, at, context) {
    const { number } = context
    if (context.by === 'run') return spacedSteuerId(text, at, context)
    return number.groups === 1 && isSteuerId(number) ? rate(number.start, number.end, 'loose', context) : undefined
  },
  hits: () => ['Steuer-ID ' + '86095' + '742719', 'IdNr. ' + ['86', '095', '742', '719'].join(' ')],
  misses: () => ['Steuer-ID 86095742718', 'Steuer-ID 11111111111', '1700000000000'],
  source: 'Bundeszentralamt fuer Steuern: ISO 7064 MOD 11,10 and the rule of repeated digits.'
})

/** `12 345 678 901`: the first group is too short to be an anchor, so the second is. */
function spacedSteuerId(text: string, at: number, context: MatchContext): Match | undefined {
  if (text.charCodeAt(at - 1) !== 32 || text.charCodeAt(at + 3) !== 32) return undefined
  const start = at - 3
  const end = at + 11
  if (!leftClear(text, start, wordSet) || !rightClear(text, end, wordSet)) return undefined
  const digits: number[] = []
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (i === at - 1 || i === at + 3 || i === at + 7) {
      if (code !== 32) return undefined
    } else if (inSet(digitSet, code)) digits.push(code - 48)
    else return undefined
  }
  return isSteuerId({ digits, count: 11 }) ? rate(start, end, 'tight', context) : undefined
}

/** Lengths of the groups: sex, year, month, department, commune, order, key. */
const nirShape = [1, 2, 2, 2, 3, 3, 2]

/**
 * Reads a number in NIR groups that starts at `start`, blanks apart or none; Corsica's 2A and 2B count as 19 and 18.
 */
function nirEnd(text: string, start: number): number {
  let i = start
  let digits = ''
  const gap = text.charCodeAt(start + 1) === 32
  for (const [index, length] of nirShape.entries()) {
    if (index > 0 && gap && text.charCodeAt(i) === 32) i++
    const group = text.slice(i, i + length)
    digits += index === 3 ? (group === '2A' ? '19' : group === '2B' ? '18' : group) : group
    i += length
  }
  if (
    digits.length !== 15 ||
    runEnd(digits, 0, digitSet, 15) !== 15 ||
    !leftClear(text, start, wordSet) ||
    !rightClear(text, i, wordSet)
  )
    return -1
  const month = Number(digits.slice(3, 5))
  if ((digits[0] !== '1' && digits[0] !== '2') || month < 1 || (month > 12 && month < 20) || month > 42) return -1
  return 97 - (Number(digits.slice(0, 13)) % 97) === Number(digits.slice(13)) ? i : -1
}

const frNir = nationalId({
  id: 'fr_nir',
  label: 'FR_NIR',
  lengthMin: 15,
  title: 'French social security number',
  anchors: [{ number: [15] }, { word: [15] }, { run: true }],
  context: [
    'nir',
    'insee',
    'sécu',
    'secu',
    'sécurité sociale',
    'securite sociale',
    'sécurité',
    'numéro de sécurité',
    'nss'
  ],
  match(text, at, context) {
    // With blanks between the groups the sixth is the first of three digits, eleven units behind the start.
    if (context.by === 'run' && (text.charCodeAt(at - 1) !== 32 || text.charCodeAt(at + 3) !== 32)) return undefined
    const start = context.by === 'run' ? at - 11 : at
    const first = text.charCodeAt(start)
    if (first !== 49 && first !== 50) return undefined
    const end = nirEnd(text, start)
    return end < 0 ? undefined : rate(start, end, 'tight', context)
  },
  hits: () => ['NIR ' + '18505780' + '0608491', 'sécu ' + ['2', '55', '08', '14', '168', '025', '38'].join(' ')],
  misses: () => ['NIR 185057800608492', '185057800608', 'NIR 385057800608491'],
  source: 'INSEE, "Numéro de sécurité sociale": 97 less the number modulo 97; 2A as 19, 2B as 18.'
})

const cfMonths = 'ABCDEHLMPRST'
const cfOmocodia = 'LMNPQRSTUV'
const cfOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
const cfDigitPlaces = [6, 7, 9, 10, 12, 13, 14]

function isCodiceFiscale(code: string): boolean {
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const unit = code.charCodeAt(i)
    const isDigit = inSet(digitSet, unit)
    if (cfDigitPlaces.includes(i) ? !isDigit && !cfOmocodia.includes(code.charAt(i)) : isDigit) return false
    const value = isDigit ? unit - 48 : unit - 65
    sum += i % 2 === 0 ? (cfOdd[value] as number) : value
  }
  return cfMonths.includes(code.charAt(8)) && sum % 26 === code.charCodeAt(15) - 65
}

const itCodiceFiscale = nationalId({
  id: 'it_codice_fiscale',
  label: 'IT_CODICE_FISCALE',
  title: 'Italian tax code',
  anchors: [{ word: [16] }],
  context: ['codice fiscale', 'codicefiscale', 'codice_fiscale', 'fiscale', 'cf', 'c.f'],
  match(text, at, context) {
    if (!inSet(letterSet, text.charCodeAt(at))) return undefined
    return isCodiceFiscale(text.slice(at, context.wordEnd).toUpperCase())
      ? rate(at, context.wordEnd, 'tight', context)
      : undefined
  },
  hits: () => ['codice fiscale ' + 'RSSMRA' + '85T10A562S', 'RSSMRA' + '85T10A562S'],
  misses: () => ['codice fiscale RSSMRA85T10A562T', 'RSSMRA85T10A562', 'RSSMRA85Z10A562S'],
  source: 'Agenzia delle Entrate, D.M. 23 December 1976: odd and even table, modulo 26.'
})

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** The end of eight digits and their letter at `start`, a dash between or none; -1 where the letter is wrong. */
function dniEnd(text: string, start: number, digits: string): number {
  const letterAt = start + (text.charCodeAt(start + 8) === 45 ? 9 : 8)
  if (digits.length !== 8 || runEnd(digits, 0, digitSet, 8) !== 8 || !rightClear(text, letterAt + 1, wordSet)) return -1
  return text.charAt(letterAt) === dniLetters.charAt(Number(digits) % 23) ? letterAt + 1 : -1
}

const esDni = nationalId({
  id: 'es_dni',
  label: 'ES_DNI',
  lengthMin: 9,
  title: 'Spanish identity number',
  anchors: [{ run: true }],
  context: ['dni', 'nif', 'documento nacional', 'd.n.i'],
  match(text, at, context) {
    const letter = text.charCodeAt(at + 8) === 45 ? text.charCodeAt(at + 9) : text.charCodeAt(at + 8)
    if (!inSet(upperSet, letter) || !leftClear(text, at, wordSet)) return undefined
    const end = dniEnd(text, at, text.slice(at, at + 8))
    return end < 0 ? undefined : rate(at, end, 'tight', context)
  },
  hits: () => ['DNI ' + '12345' + '678Z', 'dni: ' + '12345' + '678-Z', '12345' + '678Z'],
  misses: () => ['DNI 12345678A', 'DNI 123456789Z', 'x12345678Z', '12345678Zz'],
  source: 'Ministerio del Interior: letter by the number modulo 23.'
})

const esNie = nationalId({
  id: 'es_nie',
  label: 'ES_NIE',
  lengthMin: 9,
  title: 'Spanish foreigner identity number',
  anchors: [{ run: true }],
  context: ['nie', 'nif', 'extranjero', 'n.i.e'],
  match(text, at, context) {
    const start = at - (text.charCodeAt(at - 1) === 45 ? 2 : 1)
    const lead = text.charCodeAt(start) - 88
    if (start < 0 || !(lead >= 0 && lead <= 2) || !leftClear(text, start, wordSet)) return undefined
    const end = dniEnd(text, at - 1, String(lead) + text.slice(at, at + 7))
    return end < 0 ? undefined : rate(start, end, 'tight', context)
  },
  hits: () => ['NIE ' + 'X1234' + '567L', 'X-1234' + '567-L'],
  misses: () => ['NIE X1234567A', 'NIE W1234567L', 'aX1234567L'],
  source: 'Ministerio del Interior: X, Y and Z count as 0, 1 and 2; letter as in the DNI.'
})

function isCpf({ digits }: NumberRun): boolean {
  const check = (count: number) => {
    let sum = 0
    for (let i = 0; i < count; i++) sum += (digits[i] as number) * (count + 1 - i)
    return ((sum * 10) % 11) % 10
  }
  return check(9) === digits[9] && check(10) === digits[10]
}

const brCpf = nationalId({
  id: 'br_cpf',
  label: 'BR_CPF',
  title: 'Brazilian CPF number',
  anchors: [{ number: [11] }],
  context: ['cpf', 'cadastro de pessoa'],
  match: numberMatch(['3.3.3-2', '3 3 3 2', '9-2'], 'tight', isCpf),
  hits: () => ['CPF: ' + '529.982' + '.247-25', '529.982' + '.247-25', 'cpf ' + '529982' + '24725'],
  misses: () => ['CPF 529.982.247-24', 'CPF 111.111.111-11', '529-982-247-25'],
  source: 'Receita Federal: two check digits modulo 11.'
})

export const nationalIdDetectors: readonly Detector[] = [
  usSsn,
  gbNhs,
  gbNino,
  caSin,
  deSteuerId,
  frNir,
  itCodiceFiscale,
  esDni,
  esNie,
  brCpf
]
