/** Numbers of passports and driving licences; their machine-readable lines are in `machine-readable.ts`. */
import { charSet, codeAt, countOf, digitSet, inSet, runEnd, upperSet, wordSet } from '../../text/chars.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { idNumber } from '../../numbers/id-number.ts'
import { machineReadable } from './machine-readable.ts'
import { int, isYyyymmdd } from '../../validators/digits.ts'

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
    },
    // South Korea since 2021: the sort of passport, three digits, a letter, four digits.
    { forms: ['M999@9999', 'S999@9999', 'R999@9999', 'G999@9999', 'D999@9999'], proof: 'loose' },
    // Letters and digits mixed: Germany and others since 2007, France and the Netherlands.
    { forms: ['@???????9', '99@@9999@'], proof: 'none' }
  ],
  words: [
    'passport',
    'passport number',
    'passport no',
    'ppt no',
    'ppt number',
    'pp no',
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
    'passnummer',
    'travel document',
    'passport id',
    'pass no',
    'numéro de passeport',
    'número de pasaporte',
    'numero di passaporto',
    'passnr',
    'paspoortnummer',
    'paszport',
    'paszportu',
    'cestovní pas',
    'útlevél',
    'pașaport',
    'паспорта',
    'διαβατήριο',
    'διαβατηρίου',
    'pasaport',
    'جواز السفر',
    'جواز سفر',
    'דרכון',
    'パスポート',
    'หนังสือเดินทาง',
    'hộ chiếu',
    'paspor',
    'पासपोर्ट',
    '护照号码',
    '护照号',
    '旅券番号',
    '旅券番号:',
    'パスポート番号',
    'útlevélszám',
    'číslo pasu',
    'číslo cestovného pasu',
    'broj pasoša',
    'broj putovnice',
    'passi number',
    'passinumero',
    'číslo cestovního pasu',
    'paspoortnr',
    'رقم الجواز',
    'الجواز',
    'паспорт №',
    'passport nr',
    'passin nro',
    'passinro',
    'pasnummer',
    'č. pasu',
    'passi nr',
    'pases nr',
    'pasport',
    'reisepassnummer',
    'reisepassnr',
    'reisepass nr',
    'passin numero',
    'putovnica',
    'putovnice',
    'številka potnega lista',
    'potni list',
    'numărul pașaportului',
    'pases numurs',
    'paso numeris',
    'paso nr',
    'uimhir phas',
    'загранпаспорт',
    'загранпаспорта',
    '中華民國護照',
    'numer paszportu',
    'pasaport numarası'
  ],
  valid: ['C493~7261', 'XY49~31572', '53190~4826', 'K7XM2~PT94', 'KKVT~CYFZ0'],
  invalid: ['C4~93', 'passports 2', 'KKAT~CYFZ0'],
  source: 'ICAO Doc 9303: up to nine characters, in the forms that issuing states use. The forms are from memory.'
})

/**
 * Whether the digits behind a British driver's surname hold a month, to which 50 is added for women, and a day: decade,
 * month, day, year of the decade.
 */
function isBornOnSomeDay(value: string): boolean {
  const month = int(value, 6, 8) % 50
  const day = int(value, 8, 10)
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

const licence = idNumber({
  id: 'driver_license',
  label: 'DRIVER_LICENSE',
  title: 'driving licence number',
  tier: 'medium',
  group: 'pii',
  // `license` heads every source file.
  isManyNamed: true,
  ways: [
    {
      forms: [
        '@@@@@999999@@9@@',
        '@@@@9999999@@9@@',
        '@@@99999999@@9@@',
        '@@999999999@@9@@',
        '@@@@@999999@9999',
        '@@@@@999999@99@@'
      ],
      // Nines fill up a short surname.
      check: isBornOnSomeDay,
      proof: 'written'
    },
    { forms: ['@@99999999?', '@@9999999@'], proof: 'loose' },
    {
      forms: [
        '@9999999',
        '@99999999',
        '@@999999',
        '@999999999999',
        // France until 2013; Germany, behind the letter of the authority.
        '999999999999',
        '@999?????99',
        '999999999',
        '99999999',
        '@99999999999',
        '@99999999999999',
        '@@999999@',
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
    'dl:',
    'dl no',
    'fahrerlaubnis',
    'fahrerlaubnisnummer',
    'licence number',
    'license number',
    'licence no',
    'license no',
    'patente di guida',
    '면허번호',
    'dvla',
    'permiso de conducir',
    'carteira de motorista',
    'cnh',
    'rijbewijsnummer',
    'körkort',
    'ajokortti',
    'førerkort',
    'kørekort',
    'řidičský průkaz',
    'vodičský preukaz',
    'permis de conducere',
    'водительское удостоверение',
    'водительские права',
    'ehliyet',
    'driver licence number',
    'driver lic',
    'drivers lic',
    "driver's lic",
    'driving lic',
    'driv lic',
    'cdl:',
    'cdl#',
    'cdl no',
    'cdl number',
    '運転免許',
    '運転免許証',
    '運転免許証番号',
    '免許証番号',
    '驾驶证',
    '驾驶证号',
    '驾照',
    '駕照',
    'licencia de manejo',
    'permiso de conducción',
    'carnet de conducir',
    'número de licencia de conducir',
    'carta de condução',
    'carteira nacional de habilitação',
    'körkortsnummer',
    'kørekortnummer',
    'førerkortnummer',
    'ajokortin numero',
    'ajokorttinumero',
    'numer prawa jazdy',
    'číslo řidičského průkazu',
    'číslo vodičského preukazu',
    'vezetői engedély',
    'jogosítvány',
    'vozačka dozvola',
    'vozniško dovoljenje',
    'шофьорска книжка',
    'свидетелство за управление',
    'посвідчення водія',
    'άδεια οδήγησης',
    'δίπλωμα οδήγησης',
    'juhiluba',
    'juhiloa number',
    'vadītāja apliecība',
    'vairuotojo pažymėjimas',
    'sürücü belgesi',
    'ehliyet no',
    'surat izin mengemudi',
    'lesen memandu',
    'giấy phép lái xe',
    'ใบขับขี่',
    'רישיון נהיגה',
    'رخصة القيادة',
    'ड्राइविंग लाइसेंस'
  ],
  valid: ['MORGA~657054SM9IJ', 'FO999~512018AA1AB', 'H1223~4567', 'B072~RRE2I55', '880692~310285', '15449~757'],
  invalid: ['MORGA~697054SM9IJ9', 'MORGA~667054SM9IJ', 'MORGA~600054SM9IJ', 'MORGA~601324SM9IJ'],
  source:
    'AAMVA DL/ID Card Design Standard, state formats; DVLA, "Driver number". The forms of states and countries are from memory.'
})

const licenceUnitsMax = 20

/** `D123-4567-8901`: the grouped numbers of several states of the US, found only behind their name. */
const drivingLicence: Detector = {
  ...licence,
  anchors: [...licence.anchors, { run: true, before: '-', beforeThat: ['0-9', '-'], digits: [4] }],
  match(text, at, context) {
    if (context.by !== 'run') return withoutProgramLicences(text, licence.match(text, at, context))
    // The anchor is the second group; the first is a letter and three digits.
    const start = at - 5
    if (!inSet(upperSet, codeAt(text, start)) || inSet(wordSet, codeAt(text, start - 1))) return undefined
    const end = runEnd(text, start + 1, dashedDigitSet, licenceUnitsMax)
    const digits = countOf(text, start, end, digitSet)
    if (digits < 10 || digits > 13 || inSet(wordSet, codeAt(text, end)) || !context.near(start)) return undefined
    return contextMatch(start, end)
  },
  hits: () => [...licence.hits(), "driver's license: " + ['D123', '4567', '8901'].join('-')],
  misses: () => [
    ...licence.misses(),
    ['order D123', '4567', '8901'].join('-'),
    'license: D123-45',
    'driver license 20231231',
    'repeated string licenses = 337642578;'
  ]
}
const dashedDigitSet = charSet('0-9', '-')

/** Lowers the rating of bare digits behind `license` alone, which a program has as often as a driver. */
function withoutProgramLicences(text: string, found: Match | undefined): Match | undefined {
  if (found === undefined || countOf(text, found.start, found.end, digitSet) < found.end - found.start) return found
  const value = text.slice(found.start, found.end)
  if (value.length === 8 && isYyyymmdd(value)) return undefined
  const before = text.slice(Math.max(0, found.start - licenceUnitsMax * 2), found.start).toLowerCase()
  const isBare = before.includes('licens') || before.includes('licenc')
  return isBare && !drivers.some((one) => before.includes(one)) ? undefined : found
}
const drivers = ['driv', 'dl', 'conducir']

export const identityDocumentDetectors: readonly Detector[] = [machineReadable, passport, drivingLicence]
