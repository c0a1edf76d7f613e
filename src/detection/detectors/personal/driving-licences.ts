/** Numbers of driving licences: in a form that proves itself, or behind their name, however the country writes them. */
import { charSet, codeAt, countOf, digitSet, inSet, letterSet, runEnd, upperSet, wordSet } from '../../text/chars.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { idNumber } from '../../numbers/id-number.ts'
import { namedValue } from '../../values/named-value.ts'
import { int, isYyyymmdd } from '../../validators/digits.ts'
import { documentEnd } from '../../numbers/document-end.ts'

/**
 * Whether the digits behind a British driver's surname hold a month, to which 50 is added for women, and a day: decade,
 * month, day, year of the decade.
 */
function isBornOnSomeDay(value: string): boolean {
  const month = int(value, 6, 8) % 50
  const day = int(value, 8, 10)
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

/** Names of nothing but a driving licence, whose number is taken in whatever form it has. */
const driversNames = [
  ...['driver license', 'drivers license', "driver's license", 'driver’s license', 'driver licence', 'drivers licence'],
  ...["driver's licence", 'driver’s licence', 'driving licence', 'driving license', 'dl number', 'dl no', 'dl#'],
  ...['dl #', 'dl num', 'dln', 'cdl #'],
  ...['cdl#', 'cdl no', 'cdl number', 'driver lic', 'drivers lic', "driver's lic", 'driving lic', 'driv lic'],
  ...['führerschein', 'führerscheinnummer', 'fuehrerschein', 'führerscheinnr', 'fahrerlaubnis', 'fahrerlaubnisnummer'],
  ...['permis de conduire', 'permis conduire', 'patente di guida', 'numero patente', 'patente n', 'patente nr'],
  ...['rijbewijs', 'rijbewijsnummer', 'rijbewijsnr', 'licencia de conducir', 'licencia de conducción'],
  ...['licencia de manejo', 'permiso de conducir', 'permiso de conducción', 'carnet de conducir', 'carné de conducir'],
  ...['licencia conducir', 'permiso conducir', 'carteira de habilitação', 'permissão de condução'],
  ...['registro de conducir', 'carta de condução', 'carteira de motorista', 'carteira nacional de habilitação', 'cnh'],
  ...['prawo jazdy', 'prawa jazdy', 'körkort', 'körkortsnummer', 'ajokortti', 'ajokortin numero', 'ajokorttinumero'],
  ...[
    'førerkort',
    'førerkortnummer',
    'kørekort',
    'kørekortnummer',
    'řidičský průkaz',
    'řidičského průkazu',
    'číslo řp'
  ],
  ...['č. řp', 'vodičský preukaz', 'vodičského preukazu', 'permis de conducere', 'permisului de conducere'],
  ...['permisul de conducere', 'vezetői engedély', 'jogosítvány', 'vozačka dozvola', 'vozačke dozvole'],
  ...['vozniško dovoljenje', 'vozniškega dovoljenja', 'возачка дозвола', 'шофьорска книжка'],
  ...['свидетелство за управление', 'свидетелство за правоуправление', 'водительское удостоверение'],
  ...['водительского удостоверения', 'вод. удостоверение', 'водительские права', 'номер ву', 'посвідчення водія'],
  ...['водійське посвідчення', 'άδεια οδήγησης', 'αδείας οδήγησης', 'δίπλωμα οδήγησης', 'juhiluba', 'juhiloa number'],
  ...[
    'juhiloa nr',
    'vadītāja apliecība',
    'vadītāja apliecības',
    'autovadītāja apliecība',
    'liċenzja tas-sewqan',
    'сумпс',
    'vairuotojo pažymėjimas',
    'vairuotojo pažymėjimo'
  ],
  ...['sürücü belgesi', 'ehliyet', 'ceadúnas tiomána', 'trwydded yrru', 'surat izin mengemudi', 'lesen memandu'],
  ...['giấy phép lái xe', 'ใบขับขี่', 'ใบอนุญาตขับขี่', 'רישיון נהיגה', 'רשיון נהיגה', 'رخصة القيادة', 'رخصة قيادة'],
  ...['گواهینامه رانندگی', 'ड्राइविंग लाइसेंस', 'ড্রাইভিং লাইসেন্স', '운전면허', '운전면허번호', '면허번호'],
  ...[
    '運転免許',
    '運転免許証',
    '運転免許証番号',
    '免許証番号',
    '免許証',
    '免許番号',
    '驾驶证',
    '驾驶证号',
    '驾照',
    '駕照',
    '駕駛執照'
  ]
]

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
    ...driversNames,
    // What a program or another trade has as well.
    ...[
      'license',
      'licence',
      'license number',
      'licence number',
      'license no',
      'licence no',
      'dl:',
      'cdl:',
      'patente',
      'dvla'
    ]
  ],
  valid: ['MORGA~657054SM9IJ', 'FO999~512018AA1AB', 'H1223~4567', 'B072~RRE2I55', '880692~310285', '15449~757'],
  invalid: [],
  others: ['MORGA~697054SM9IJ9', 'MORGA~667054SM9IJ', 'MORGA~600054SM9IJ', 'MORGA~601324SM9IJ'],
  source:
    'AAMVA DL/ID Card Design Standard, state formats; DVLA, "Driver number". The forms of states and countries are from memory.'
})

/** Words that may stand between a name and the number: what it is called, and verbs. */
const links = new Set(
  (
    'number numbers num no nr n id code nummer numer numero numéro número nro broj č číslo cislo št seria série serie serial is was ist war es ' +
    'est er on to je jest of the de du della da do card holder'
  ).split(' ')
)

const linkUnitsMax = 16

/** Whether another word than these, or a number of something else, stands at `at`. */
function isOtherWord(text: string, at: number): boolean {
  if (documentEnd(text, at) > at) return false
  let end = at
  while (end < at + linkUnitsMax && (inSet(letterSet, codeAt(text, end)) || codeAt(text, end) > 127)) end++
  return end === at || (end > at + 1 && !links.has(text.slice(at, end).toLowerCase()))
}

const named = namedValue({
  id: licence.id,
  label: licence.label,
  title: licence.title,
  group: licence.group,
  tier: 'medium',
  confidence: 'medium',
  names: driversNames,
  endsName: true,
  isOfOther: isOtherWord,
  read: documentEnd,
  hits: () => [
    ...[
      'G277 758 ' + '125 594',
      'T-194-631-588-' + '414',
      '7799-77-' + '4781',
      '461' + '6467',
      'WDLWGD' + 'T389BX'
    ].map((value) => `Driver License No. ${value}`),
    `DRIV LIC NO: ${['D1234', '562'].join('')}`,
    `ajokortti: ${['474565', '096F'].join('-')}`,
    `GIẤY PHÉP LÁI XE SỐ ${['790123', '456789'].join('')}`,
    `prawo jazdy nr ${['02209', '92', '6567'].join('/')}`,
    `{"водительское удостоверение": "${['83', '28', '805901'].join(' ')}"}`,
    `name,Führerschein,city\nAnna,${['K35CBAE', '7249'].join('')},Lund`,
    `${['DD76', '7653', '1874835'].join('-')} (driving licence)`
  ],
  misses: () => [
    "driver's license: 2031-11-20, class B 95, valid for 15 years",
    'driver license 1234567',
    'driver license expires 12/2031, fee 250000, share 45123678%',
    'driver licence GPL-2.0-only',
    'mobile driving licence: ISO 18013-5, RFC-7519-123, ISO18013-5',
    'driving licence: 3500000 holders, driverLicense = 1700000000',
    'DriverLicense.VERSION_1_2_3_RC4',
    'driverLicenseId = getById(123)',
    'the driving licence of 20301120 is void',
    "driver's license photo IMG204711",
    "driver's license expired; order 12345698",
    'driver’s license no longer needed since 2019 12345',
    'ehliyet B sınıfı 2015, ref KA 4711-208'
  ],
  source: licence.source
})

const licenceUnitsMax = 20

/**
 * Driving licences. `D123-4567-8901`, the grouped numbers of several states of the US, are also found behind `license`
 * alone.
 */
export const drivingLicence: Detector = {
  ...licence,
  anchors: [...licence.anchors, ...named.anchors, { run: true, before: '-', beforeThat: ['0-9', '-'], digits: [4] }],
  match(text, at, context) {
    if (context.by === 'literal') return named.match(text, at, context)
    if (context.by !== 'run') return withoutProgramLicences(text, licence.match(text, at, context))
    // The anchor is the second group; the first is a letter and three digits.
    const start = at - 5
    if (!inSet(upperSet, codeAt(text, start)) || inSet(wordSet, codeAt(text, start - 1))) return undefined
    const end = runEnd(text, start + 1, dashedDigitSet, licenceUnitsMax)
    const digits = countOf(text, start, end, digitSet)
    if (digits < 10 || digits > 13 || inSet(wordSet, codeAt(text, end)) || !context.near(start)) return undefined
    return contextMatch(start, end)
  },
  hits: () => [...licence.hits(), ...named.hits(), 'license: ' + ['D123', '4567', '8901'].join('-')],
  misses: () => [
    ...licence.misses(),
    ...named.misses(),
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
