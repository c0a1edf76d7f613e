/** Personal data that has no checksum: what its name, its frame or its place gives away. */
import { charSet, codeAt, countOf, digitSet, hexSet, inSet, runEnd, upperSet, wordSet } from '../text/chars.ts'
import type { Detector, Match } from '../detector.ts'
import { idNumber } from '../numbers/id-number.ts'
import { namedValue } from '../values/named-value.ts'
import { usMbi } from '../validators/americas.ts'
import { dateEnd } from '../validators/dates.ts'
import { luhnOf } from '../validators/digits.ts'
import { documentCheck } from '../validators/documents.ts'

const dateOfBirth = namedValue({
  id: 'date_of_birth',
  label: 'BIRTH_DATE',
  title: 'date of birth',
  group: 'pii',
  tier: 'medium',
  names: [
    'date of birth',
    'birth date',
    'birthday',
    'dob',
    'd.o.b',
    'born',
    'born on',
    'geburtsdatum',
    'geboren',
    'geb.',
    'date de naissance',
    'né le',
    'née le',
    'fecha de nacimiento',
    'nacido',
    'nascimento',
    'data di nascita',
    'nato il',
    'geboortedatum',
    'fodelsedatum',
    'data urodzenia',
    'syntymäaika',
    'datum narození',
    'doğum tarihi',
    'дата рождения',
    'родился',
    'родилась',
    'дата народження',
    '出生日期',
    '生年月日',
    '생년월일'
  ],
  read: dateEnd,
  hits: () => [
    'Date of birth: 1985-03-12',
    'DOB 03/12/1985',
    '"birth_date":"12.03.1985"',
    'born on 12 March 1985',
    'My date of birth is the 3rd of March, 1985',
    'DOB: March 3rd 1985',
    'geboren am 3. März 1985',
    'дата рождения: 12.03.1985',
    '出生日期：1985年3月25日',
    'fecha de nacimiento: 12 de marzo de 1985',
    'name;dob;city\nAnna;;Lund\nBo;12.03.1985;Lund',
    'Date of birth\n12/03/1985\nCity'
  ],
  misses: () => [
    'date: 1985-03-12',
    'dob: 1985-13-42',
    'birthday: 2285-03-12',
    'born in version 1.2.3',
    'reborn 1985-03-12',
    'born\nin 1985-03-12',
    'dob,day\nx,1985-03-12'
  ],
  source: 'ISO 8601 and the common written forms; years from 1900 to 2035.'
})

const lineUnits = 44
const mrzSet = charSet('A-Z', '0-9', '<')

/** Skips what ends a line of text, also inside of JSON. */
function nextLine(text: string, at: number): number {
  if (text.charCodeAt(at) === 92 && text.charCodeAt(at + 1) === 110) return at + 2
  let i = at
  while (i < at + 3 && (text.charCodeAt(i) === 13 || text.charCodeAt(i) === 10 || text.charCodeAt(i) === 32)) i++
  return i
}

const mrz: Detector = {
  id: 'passport_mrz',
  label: 'PASSPORT_MRZ',
  title: 'machine-readable lines of a passport',
  group: 'pii',
  tier: 'high',
  lengthMin: 2 * lineUnits,
  anchors: [{ literal: 'P<' }],
  match(text, at) {
    if (inSet(mrzSet, text.charCodeAt(at - 1)) || runEnd(text, at, mrzSet, lineUnits + 1) !== at + lineUnits)
      return undefined
    const start = nextLine(text, at + lineUnits)
    const end = start + lineUnits
    if (runEnd(text, start, mrzSet, lineUnits + 1) !== end) return undefined
    const second = text.slice(start, end)
    return documentCheck(second, 0, 9) && documentCheck(second, 13, 19) && documentCheck(second, 21, 27)
      ? { start: at, end, confidence: 'certain' }
      : undefined
  },
  hits: () => [
    'P<UTOBRAUN<<' +
      'JANA<MARIA' +
      '<'.repeat(22) +
      '\n' +
      'K23456789' +
      '0' +
      'UTO' +
      '8503127F3106154' +
      '<'.repeat(14) +
      '<2'
  ],
  misses: () => [
    'P<UTO',
    'P<UTOBRAUN<<' +
      'JANA<MARIA' +
      '<'.repeat(22) +
      '\n' +
      'K23456789' +
      '8' +
      'UTO' +
      '8503127F3106154' +
      '<'.repeat(14) +
      '<2'
  ],
  source: 'ICAO Doc 9303, part 4: two lines of 44 characters, check digits by weights 7-3-1.'
}

const passport = idNumber({
  id: 'passport_number_generic',
  label: 'PASSPORT',
  title: 'passport number',
  tier: 'medium',
  group: 'pii',
  ways: [
    { forms: ['@99999999', '@@9999999', '@9999999', '@@999999', '@@@999999', '99@@99999'], proof: 'loose' },
    {
      forms: ['999999999', '@999999999', '99999999', '@9999999@', '@999@9999', '9999999', '@999999', '@@99999999'],
      proof: 'none'
    }
  ],
  words: [
    'passport',
    'passport number',
    'passport no',
    'passeport',
    'reisepass',
    'pasaporte',
    'passaporto',
    'passaporte',
    'paspoort',
    'паспорт',
    '여권번호',
    '여권',
    '护照',
    '護照',
    '旅券',
    'pass-nr',
    'passnummer'
  ],
  valid: ['C493~7261', 'XY49~31572', '53190~4826'],
  invalid: ['C4~93', 'passports 2'],
  source: 'ICAO Doc 9303: up to nine characters, in the forms that issuing states use. The forms are from memory.'
})

const licence = idNumber({
  id: 'driver_license',
  label: 'DRIVER_LICENSE',
  title: 'driving licence number',
  tier: 'medium',
  group: 'pii',
  ways: [
    {
      forms: ['@@@@@999999@@9@@', '@@@@9999999@@9@@', '@@@99999999@@9@@', '@@@@@999999@9999', '@@@@@999999@99@@'],
      check: (value) => Number(value.slice(6, 8)) % 50 <= 12,
      proof: 'written'
    },
    { forms: ['@@99999999?', '@@9999999@'], proof: 'loose' },
    {
      forms: [
        '@9999999',
        '@99999999',
        '@@999999',
        '@999999999999',
        '999999999',
        '99-99-999999-99',
        '@999-9999-9999',
        '@9@999@99@'
      ],
      proof: 'none'
    }
  ],
  words: [
    'driver license',
    'drivers license',
    "driver's license",
    'driver licence',
    'driving licence',
    'driving license',
    'dl number',
    'führerschein',
    'führerscheinnummer',
    'fuehrerschein',
    'permis de conduire',
    'patente',
    'rijbewijs',
    'licencia de conducir',
    'prawo jazdy',
    '운전면허',
    'license',
    'licence',
    'dl#',
    'dl no'
  ],
  valid: ['MORGA~657054SM9IJ', 'H1223~4567'],
  invalid: ['MORGA~697054SM9IJ9'],
  source:
    'AAMVA DL/ID Card Design Standard, state formats; DVLA, "Driver number". The forms of states and countries are from memory.'
})

const licenceUnitsMax = 20

/** `D123-4567-8901`: what several states of the US print in groups, behind its name only. */
const drivingLicence: Detector = {
  ...licence,
  anchors: [...licence.anchors, { run: true, before: '-', beforeThat: ['0-9', '-'], digits: [4] }],
  match(text, at, context) {
    if (context.by !== 'run') return told(text, licence.match(text, at, context))
    // The second group; the first one is a letter and three digits.
    const start = at - 5
    if (!inSet(upperSet, codeAt(text, start)) || inSet(wordSet, codeAt(text, start - 1))) return undefined
    const end = runEnd(text, start + 1, dashedDigitSet, licenceUnitsMax)
    const digits = countOf(text, start, end, digitSet)
    if (digits < 10 || digits > 13 || inSet(wordSet, codeAt(text, end)) || !context.near(start)) return undefined
    return { start, end, confidence: 'medium', byContext: true }
  },
  hits: () => [...licence.hits(), "driver's license: " + ['D123', '4567', '8901'].join('-')],
  misses: () => [
    ...licence.misses(),
    ['order D123', '4567', '8901'].join('-'),
    'license: D123-45',
    'repeated string licenses = 337642578;'
  ]
}
const dashedDigitSet = charSet('0-9', '-')

/** Bare digits behind `license` alone are those of a program as often as of a driver. */
function told(text: string, found: Match | undefined): Match | undefined {
  if (found === undefined || countOf(text, found.start, found.end, digitSet) < found.end - found.start) return found
  const before = text.slice(Math.max(0, found.start - licenceUnitsMax * 2), found.start).toLowerCase()
  const isBare = before.includes('licens') || before.includes('licenc')
  return isBare && !drivers.some((one) => before.includes(one)) ? undefined : found
}
const drivers = ['driv', 'dl', 'conducir']

const medicare = namedValue({
  id: 'us_mbi_medicare',
  label: 'US_MBI',
  title: 'US Medicare beneficiary number',
  group: 'pii',
  tier: 'medium',
  names: ['mbi', 'medicare', 'medicare id', 'medicare number', 'beneficiary'],
  read(text, at) {
    const end = runEnd(text, at, dashedSet, 14)
    const value = text.slice(at, end).replaceAll('-', '')
    return value.length === 11 && usMbi(value) ? end : -1
  },
  hits: () => ['MBI: 1EG4-' + 'TE5-MK73', 'Medicare number 4EF6' + 'GH8JK12'],
  misses: () => ['mbi: 1SG4-TE5-MK73', 'medicare: 0EG4TE5MK73', 'mbi EG4TE5MK731'],
  source: 'Centers for Medicare and Medicaid Services, "Understanding the MBI format".'
})
const dashedSet = charSet('A-Z', '0-9', '-')

const mac = namedValue({
  id: 'mac_address',
  label: 'MAC_ADDRESS',
  title: 'hardware address',
  group: 'network',
  tier: 'low',
  names: ['mac', 'mac address', 'hwaddr', 'ether', 'hardware address', 'bssid'],
  read(text, at) {
    const separator = text.charCodeAt(at + 2)
    if (separator !== 58 && separator !== 45) return -1
    let zeros = 0
    for (let i = 0; i < 6; i++) {
      if (runEnd(text, at + i * 3, hexSet, 3) !== at + i * 3 + 2) return -1
      if (i < 5 && text.charCodeAt(at + i * 3 + 2) !== separator) return -1
      if (text.slice(at + i * 3, at + i * 3 + 2) === '00') zeros++
    }
    return zeros === 6 ? -1 : at + 17
  },
  hits: () => ['MAC: 3c:22:fb:9a:17:e4', 'mac_address=3C-22-FB-9A-17-E4'],
  misses: () => ['mac: 00:00:00:00:00:00', 'machine 3c:22:fb:9a:17:e4', 'mac: 3c:22-fb:9a:17:e4', 'mac 3c:22:fb'],
  source: 'IEEE 802: six octets.'
})

const imei = idNumber({
  id: 'imei',
  label: 'IMEI',
  title: 'device number (IMEI)',
  tier: 'low',
  group: 'pii',
  ways: [{ forms: ['999999999999999', '99-999999-999999-9'], check: (value) => luhnOf(value), proof: 'none' }],
  words: ['imei', 'imei number'],
  valid: ['352099~001761481'],
  invalid: ['490154~203237519'],
  source: '3GPP TS 23.003: fourteen digits and a Luhn digit.'
})

const vin = namedValue({
  id: 'vin',
  label: 'VIN',
  title: 'vehicle number',
  group: 'pii',
  tier: 'low',
  names: ['vin', 'vehicle identification', 'fahrgestellnummer', 'chassis number'],
  read: vinEnd,
  hits: () => ['VIN: 1M8GDM9A' + 'XKP042788'],
  misses: () => ['vin: 1M8GDM9AXKP042789', 'vin: 1M8GDM9AOKP042788', 'vin: short'],
  source: 'ISO 3779 and 49 CFR 565: transliteration, weights, modulo 11 in the ninth place. From memory, not confirmed.'
})

const vinLetters = 'ABCDEFGH JKLMN P R STUVWXYZ'
const vinValues = '12345678 12345 7 9 23456789'
const vinWeights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

function vinEnd(text: string, at: number): number {
  let sum = 0
  for (let i = 0; i < 17; i++) {
    const one = text.charAt(at + i)
    const place = inSet(digitSet, text.charCodeAt(at + i)) ? -1 : vinLetters.indexOf(one)
    if (place < 0 ? !inSet(digitSet, text.charCodeAt(at + i)) : one === ' ') return -1
    sum += (vinWeights[i] as number) * Number(place < 0 ? one : vinValues.charAt(place))
  }
  return '0123456789X'.charAt(sum % 11) === text.charAt(at + 8) ? at + 17 : -1
}

const recordNumber = namedValue({
  id: 'medical_record_number',
  label: 'MEDICAL_RECORD',
  title: 'medical record number',
  group: 'pii',
  tier: 'low',
  confidence: 'medium',
  names: ['mrn', 'medical record', 'patient id', 'patient number'],
  read: (text, at) => {
    const end = runEnd(text, at, wordSet, 13)
    return runEnd(text, at + 1, digitSet, 12) === end && end - at >= 5 ? end : -1
  },
  hits: () => ['MRN: 00482' + '917', 'patient_id=P48' + '29173'],
  misses: () => ['mrn: unknown', 'patient id: 12'],
  source: 'No standard: five to twelve digits behind a name.'
})

export const personalDataDetectors: readonly Detector[] = [
  dateOfBirth,
  mrz,
  passport,
  drivingLicence,
  medicare,
  mac,
  imei,
  vin,
  recordNumber
]
