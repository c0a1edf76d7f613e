/** International bank account numbers (IBAN). */
import { charSet, digitSet, inSet, leftClear, runEnd, upperDigitSet, upperSet, wordSet } from '../../text/chars.ts'
import type { Detector, Match, MatchContext } from '../../detector.ts'
import { mod97 } from '../../validators/checksums.ts'

/**
 * The length of an IBAN by country: the SWIFT registry, then countries that use the format without being listed there.
 */
const ibanLengths = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 ' +
    'YE30 AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const)
)
const ibanLengthsUsed = [...new Set(ibanLengths.values())]
/**
 * Example accounts that the registry, central banks and the Berlin Group publish, without their country code. They are
 * masked.
 */
const sampleIbans = new Set(
  (
    '611904300234573201 68539007547034 9300762011623852957 91100000000123456789 75512108001245126199 17500105178275645584 ' +
    '40100100103307118608 02100100109307118603 02120300000000202051 5000400440116243 382200221020145685 ' +
    '9121000418450200051332 2112345600000785 1420041010050500013M02606 7630006000011234567890189 ' +
    '7612345987650123456789014 29NWBK60161331926819 33BUKB20201555555555 29NB0000000101904917 1601101250000000012300695 ' +
    '1210010051863000160 42117730161111101800000000 29AIBK93115212345678 60X0542811101000000123456 21NABZ00000000137010001944 ' +
    '47212110090000000235698741 91ABNA0417164300 9386011117947 61109010140000071219812874 50000201231234567890154 ' +
    '49AAAA1B31007593840000 4550000000058398257466 5600190000001 56191000000123456789 ' +
    '280019400644750000 6508000000192000145399 3112000000198742637541 330006100519786457841326'
  ).split(' ')
)

function rateIban(text: string, start: number, end: number, compact: string, context: MatchContext): Match | undefined {
  if (!inSet(digitSet, compact.charCodeAt(2)) || !inSet(digitSet, compact.charCodeAt(3)) || !mod97(compact))
    return undefined
  // Check digits are 98 minus a remainder, hence 02 to 98. Others may satisfy the arithmetic and are never issued.
  const check = compact.slice(2, 4)
  if (check === '00' || check === '01' || check === '99') return undefined
  if (!rightClear(text, end)) return undefined
  return context.near(start) && !sampleIbans.has(compact.slice(2))
    ? { start, end, confidence: 'strong', byContext: true }
    : { start, end, confidence: 'strong', tier: 'medium' }
}

function rightClear(text: string, end: number): boolean {
  return !inSet(wordSet, text.charCodeAt(end))
}

/**
 * Reads groups of four behind country and check digits, separated by a blank, two blanks or a dash, up to the country's
 * length.
 * @param from where the check digits begin, which a blank may separate from the country
 */
function spacedIban(text: string, start: number, from: number): { compact: string; end: number } | undefined {
  const country = text.slice(start, start + countryUnits)
  const length = ibanLengths.get(country)
  if (length === undefined) return undefined
  let compact = country
  let i = from
  while (compact.length < length) {
    const groupEnd = runEnd(text, i, upperDigitSet, compact.length === countryUnits ? countryUnits : 4)
    if (groupEnd === i) return undefined
    compact += text.slice(i, groupEnd)
    i = groupEnd
    if (compact.length < length && compact.length % 4 === 0 && inSet(gapSet, text.charCodeAt(i)))
      i += text.startsWith('  ', i) ? 2 : 1
    else break
  }
  return compact.length === length ? { compact, end: i } : undefined
}

const countryUnits = 2
const gapSet = charSet(' -')

export const iban: Detector = {
  id: 'iban',
  label: 'IBAN',
  lengthMin: 15,
  title: 'bank account number (IBAN)',
  group: 'financial',
  tier: 'high',
  anchors: [
    {
      word: ibanLengthsUsed,
      forms: ibanLengthsUsed.map((length) => '@@99' + '?'.repeat(length - 4))
    },
    { line: ibanLengthsUsed },
    { run: true, before: ' -', beforeThat: ['A-Z', '0-9', ' '], digits: [3, 4] }
  ],
  context: ['iban', 'account', 'konto', 'kontonummer', 'bank', 'bic', 'swift', 'compte', 'cuenta', 'conto', 'rekening'],
  match(text, at, context) {
    if (context.by === 'line') {
      const compact = context.line
      if (ibanLengths.get(compact.slice(0, 2)) !== compact.length) return undefined
      return rateIban(text, at, context.wordEnd, compact, context)
    }
    if (context.by === 'word') {
      const compact = text.slice(at, context.wordEnd)
      if (ibanLengths.get(compact.slice(0, 2)) !== compact.length) return undefined
      if (runEnd(text, at, upperDigitSet, compact.length) !== context.wordEnd) return undefined
      return rateIban(text, at, context.wordEnd, compact, context)
    }
    // The anchor is the first group of four digits, one or two groups behind the country: `DE89 3704`,
    // `GB82 WEST 1234`, `GB82  WEST  1234`.
    if (!inSet(gapSet, text.charCodeAt(at - 1))) return undefined
    for (const checkAt of [at - 3, at - 4, at - 8, at - 9, at - 10]) {
      // `BE 68 5390`, as banks in Belgium write it.
      const start = text.charCodeAt(checkAt - 1) === 32 ? checkAt - 3 : checkAt - 2
      if (start < 0 || !inSet(upperSet, text.charCodeAt(start)) || !inSet(digitSet, text.charCodeAt(checkAt + 1)))
        continue
      if (!leftClear(text, start, wordSet)) continue
      const read = spacedIban(text, start, checkAt)
      if (read !== undefined) return rateIban(text, start, read.end, read.compact, context)
    }
    return undefined
  },
  hits: () => [
    'IBAN: ' + ['DE12', '5001', '0517', '0648', '4898', '90'].join(' '),
    'FR14' + '20041010050500013M02606',
    ['BE', '35', '0010', '1234', '5692'].join(' ') + '    GEBABEBB',
    'pay GB29 ' + 'NWBK 6016 1331 9268 19 now',
    'iban: ' + ['GB29', 'NWBK', '6016', '1331', '9268', '19'].join('-'),
    'pay ' + ['DE12', '5001', '0517'].join(' ') + '  ' + ['0648', '4898', '90'].join(' '),
    'pay ' + ['DE12', '5001', '0517', '0648', '4898', '90'].join('  '),
    'pay ' + ['GB29', 'NWBK', '6016', '1331', '9268', '19'].join('  ')
  ],
  misses: () => [
    'DE89' + '370400440532013000',
    ['GB82', 'WEST', '1234', '5698', '7654', '32'].join(' '),
    'DE12' + '500105170648489891',
    'DE12500',
    'DE00' + '000000000000000066',
    'XX12' + '500105170648489890'
  ],
  source: 'ISO 13616; SWIFT IBAN registry.'
}
