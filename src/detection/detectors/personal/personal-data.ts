/** Personal data without a checksum, recognised by its name, its frame or its place. */
import { digitSet, hexSet, inSet, runEnd, wordSet } from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { idNumber } from '../../numbers/id-number.ts'
import { namedValue } from '../../values/named-value.ts'
import { usMbi } from '../../validators/americas.ts'
import { dateOfBirth } from './birth-dates.ts'
import { luhnOf } from '../../validators/digits.ts'

const medicare = idNumber({
  id: 'us_mbi_medicare',
  label: 'US_MBI',
  title: 'US Medicare beneficiary number',
  group: 'pii',
  tier: 'medium',
  ways: [{ forms: ['9@?9@?9@@99', '9@?9-@?9-@@99'], check: usMbi, proof: 'loose' }],
  words: [
    'mbi',
    'medicare',
    'medicare id',
    'medicare number',
    'beneficiary',
    "insured's i.d",
    'insured id',
    'member id',
    'medicare beneficiary',
    'medicare beneficiary identifier'
  ],
  valid: ['7EG4~-TE5-MK72', '4EF6~GH8JK12'],
  invalid: ['1SG4-~TE5-MK73', '0EG4T~E5MK73', 'EG4TE~5MK731'],
  source: 'Centers for Medicare and Medicaid Services, "Understanding the MBI format".'
})

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
  names: [
    'vin',
    'vehicle identification',
    'vin number',
    'vin code',
    'chassis',
    'fahrgestellnummer',
    'fahrgestell nr',
    'fin nummer',
    'chassisnummer',
    'numer vin',
    'chassis number',
    'chassis no',
    'numéro de châssis',
    'n° de châssis',
    'número de bastidor',
    'nº de bastidor',
    'numero di telaio',
    'fahrzeug-identifizierungsnummer'
  ],
  read: vinEnd,
  hits: () => ['VIN: 1M8GDM9A' + 'XKP042788', 'Fahrgestellnummer WVWZZZ3C' + 'Z9E123457'],
  misses: () => [
    'vin: 1M8GDM9AXKP042789',
    'vin: 1M8GDM9AOKP042788',
    'vin: short',
    'VIN: 1M8GDM9AX',
    'vin: WVWZZZ3CZ9E12345X',
    'vin: WVWZZZ3CZ9E123457A',
    'chassis: 80345678901234567'
  ],
  source:
    'ISO 3779: 17 characters, the last four digits; 49 CFR 565 and GB 16735: check character modulo 11 in the ninth place. From memory, not confirmed.'
})

const vinLetters = 'ABCDEFGH JKLMN P R STUVWXYZ'
const vinValues = '12345678 12345 7 9 23456789'
/** What a number begins with where a check character is the law: North America and China. */
const checkedRegions = '12345L'
const vinUnits = 17
const serialUnits = 4
const vinWeights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

function vinEnd(text: string, at: number): number {
  const end = at + vinUnits
  if (end > text.length) return -1
  let sum = 0
  let letters = 0
  for (let i = at; i < end; i++) {
    const one = text.charAt(i)
    const isDigit = inSet(digitSet, text.charCodeAt(i))
    const place = isDigit || one === ' ' ? -1 : vinLetters.indexOf(one)
    if (place < 0 && !isDigit) return -1
    if (!isDigit) letters++
    sum += (vinWeights[i - at] as number) * Number(isDigit ? one : vinValues.charAt(place))
  }
  if (checkedRegions.includes(text.charAt(at))) return '0123456789X'.charAt(sum % 11) === text.charAt(at + 8) ? end : -1
  const isSerial = runEnd(text, end - serialUnits, digitSet, serialUnits) === end
  return isSerial && letters > 1 ? end : -1
}

const recordNumber = namedValue({
  id: 'medical_record_number',
  label: 'MEDICAL_RECORD',
  title: 'medical record number',
  group: 'pii',
  tier: 'low',
  confidence: 'medium',
  names: [
    ...['mrn', 'medical record', 'patient id', 'patient number', 'hospital number', 'hospital no'],
    ...['historia clínica', 'historia clinica', 'patientennummer', 'dossier patient']
  ],
  read: (text, at) => {
    const end = runEnd(text, at, wordSet, 13)
    return runEnd(text, at + 1, digitSet, 12) === end && end - at >= 5 ? end : -1
  },
  hits: () => [
    'MRN: 00482' + '917',
    'patient_id=P48' + '29173',
    'hospital no H48' + '29173',
    'nº de historia clínica 48' + '29173',
    'Patientennummer: 48' + '29173'
  ],
  misses: () => ['mrn: unknown', 'patient id: 12'],
  source: 'No standard: five to twelve digits behind a name.'
})

export const personalDataDetectors: readonly Detector[] = [dateOfBirth, medicare, mac, imei, vin, recordNumber]
