/** Telephone numbers: international ones by their form, national ones behind a word that announces them. */
import { wordGuard } from '../../anchor-guard.ts'
import { charSet, codeAt, digitSet, inSet, runEnd, runStart, wordSet } from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { american, americanShapes, ofAmerica } from './phone-american.ts'
import { loneNumber } from './phone-lines.ts'
import { dialled, digitsMax, isAddedLine, isDate, isQuad, opensLate, type Dialled } from './phone-forms.ts'
import {
  behindBracket,
  bracketedDigits,
  inPairs,
  localHits,
  localMisses,
  localNumber,
  localShapes,
  pairGuard,
  pairHeads
} from './phone-shapes.ts'
import { listedNumbers, phoneListAnchors } from './phone-lists.ts'
import { isHeaded, namedNumber } from './phone-named.ts'
import { cellGuard, isCellName, isLetterName, letterGuard, phoneNames } from './phone-names.ts'
import { countryCodes, isInternational } from '../../validators/phone-plans.ts'

/** Digit counts of a number that is alone on its line. */
const lineLengths = [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

/** A number with a country code that begins at `at`. */
function dialledAbroad(text: string, at: number, endsAtGap = false): Dialled | undefined {
  const read = dialled(text, at, endsAtGap)
  return read !== undefined && isInternational(read.digits) ? read : undefined
}

/** Characters right before a plus that is an addition. */
const termSet = charSet('+.)]\\')

function international(text: string, at: number): Match | undefined {
  const before = text.charCodeAt(at - 1)
  // `getTime()+63072000000` is a sum.
  if (inSet(wordSet, before) || inSet(termSet, before)) return undefined
  // In brackets behind the plus, a country code is expected.
  if (text.charCodeAt(at + 1) === 40 && !countryCodes.has(text.slice(at + 2, runEnd(text, at + 2, digitSet, 4))))
    return undefined
  const read = dialledAbroad(text, at + 1) ?? dialledAbroad(text, at + 1, true)
  if (read === undefined || isPlaceOrDecimal(text, at, read)) return undefined
  // `hash(x)+2654435769|0`.
  if (text.startsWith('|0', read.end)) return undefined
  if (isDate(text, at + 1, at + 11) || isQuad(text, at + 1, read.end) || isAddedLine(text, at)) return undefined
  // `(I +32766) 24240`: a bracket closes that was opened before.
  if (before !== 40 && opensLate(text, at, read.end)) return undefined
  return { start: at, end: read.end, confidence: 'strong' }
}

/** Whether it is a position of ISO 6709, `+4612-05957`, or a decimal, `+35236450.6`. */
function isPlaceOrDecimal(text: string, at: number, { digits, end, separators }: Dialled): boolean {
  if (separators !== 1) return false
  const first = runEnd(text, at + 1, digitSet, digitsMax)
  const lead = first - at - 1
  // A monotonic clock reading as Go prints it: `m=+26.856583003`.
  if (text.charCodeAt(first) === 46)
    return (
      lead > 3 || !countryCodes.has(digits.slice(0, lead)) || text.startsWith('m=', at - 2) || isBehindDecimal(text, at)
    )
  const isPlace = end - first === digits.length - lead + 1 && text.charCodeAt(first) === 45 && digits.charAt(lead) < '2'
  return isPlace && ((lead === 4 && digits.length === 9) || (lead === 6 && digits.length === 13))
}

/** Whether a decimal without a plus stands before the one at `at`, as in coordinates of stars: `182.13915108 +65.34963517`. */
function isBehindDecimal(text: string, at: number): boolean {
  const to = runStart(text, at, gapSet, gapUnitsMax)
  const point = runStart(text, to, digitSet, digitsMax) - 1
  if (to === at || to - point <= decimalsMin || codeAt(text, point) !== 46) return false
  const from = runStart(text, point, digitSet, digitsMax)
  return from < point && codeAt(text, from - 1) !== 43
}
const gapSet = charSet(' ,\t')
const gapUnitsMax = 4
const decimalsMin = 3

const plus = [...'123456789'].flatMap((digit) => [{ literal: '+' + digit }, { literal: '+(' + digit }])

function guardOf(name: string) {
  if (isCellName(name)) return cellGuard
  return isLetterName(name) ? letterGuard : wordGuard(name, 's')
}

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
      { shapes: americanShapes },
      { shapes: localShapes },
      { run: true, before: '(', digits: [3] },
      { run: true, before: ')', digits: bracketedDigits },
      { run: true, before: ' ', beforeThat: [')'], digits: bracketedDigits },
      ...phoneListAnchors,
      ...pairHeads.map((literal) => ({ literal, guard: pairGuard })),
      ...phoneNames.map((literal) => ({ literal, fold: true, guard: guardOf(literal) }) as const)
    ],
    match(text, at, context) {
      if (context.by === 'line') return loneNumber(text, at, context)
      if (context.by === 'number') return localNumber(text, at, context.number) ?? ofAmerica(text, at, context)
      if (context.by === 'run') return codeAt(text, at - 1) === 40 ? american(text, at) : behindBracket(text, at)
      if (text.charCodeAt(at) === 43) return international(text, at)
      return text.charCodeAt(at) === 48
        ? inPairs(text, at)
        : (listedNumbers(text, at, isHeaded) ?? namedNumber(text, at, context))
    },
    hits: () => [
      '{"phones":[{"id":7,"type":"home","number":"9123' + '45678"},"tel":1]}',
      '{"phoneNumbers": [{"value": "6521' + '1234", "type": "work"}]}',
      'phones:\n  - 6123' + '45679\n  - "01.44.96.79' + '.01"\nid: 1',
      'phones:\n- type: mobile\n  number: 6123' + '45679\n',
      'reach me at +44 20 7946 0958',
      '+4930' + '901820',
      '+49 30 901820\n+44 20 7946 ' + '0958',
      'Berlin\n(030/901' + '820)\n',
      'New York\n+1 (212-736-' + '5000)\n',
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
      '내 번호는 010-1234' + '-5678',
      'name,phone,city\nAnna,,Lund\nBo,0171 ' + '2345678,Lund\nEva,212 ' + '736 5000,Lund',
      'Name\nAnna\nPhone number\n0171 ' + '2345678\nCity',
      'Phone: 212-736-5000' + 'x204',
      '+(370) 612 ' + '34567',
      '+65.653' + '49635 +65.653' + '49636',
      '"phone": "612' + '345678"',
      'Call me on 6521' + '1234',
      'her number is 6521-' + '1234',
      'The number is 6521 ' + '1234',
      'Contact number: 491512' + '3456789',
      'her desk is (415) 736-' + '2201',
      'Anna, 415-736-' + '2201, Oakland',
      'Anna 1.415.736.' + '2201',
      'call (415) 736-2201 ' + 'ext. 47',
      'Kontakt: 602 994 ' + '739',
      'Contacto: (55) 6236-' + '3517 (hija)',
      'Gsm: 0475 34 72 ' + '84',
      'No KTP, WA 0812-6783-' + '8840',
      '📞 912 562 ' + '343',
      'Tél. : 06.12.43.91.' + '10',
      'the mobile linked is 98212' + '60222',
      'Jo Moreau | T: 020 7946 ' + '0958',
      'Phone +44 7700 869' + '144/869145',
      'https://wa.me/44770' + '0869144',
      'please call 020 7946 ' + '0958',
      'contact: 9747 ' + '4491',
      'Rubrica fornitori\n- Idraulico Russo: 347 569' + '6271, dopo le 18\n- Elettricista: sentire Mara\n',
      '姓名,手机号,邮箱\n王芳,138364' + '33252,a\n',
      'id;Tel no.;city\n1;;Lund\n2;612' + '345678;Lund\n',
      '<tr>\n  <td class="label">Teléfono de contacto</td>\n  <td class="value field">6123' + '45678</td>\n</tr>',
      '<label for="t">Mobil</label>\n<input id="t" type="tel" class="form-control" value="6123' + '45678">',
      '{"name": "Telefonszám", "value": "3012' + '34567"}',
      'Name\tAnna\nTel\t6123' + '45678\n',
      'id,name,Telefon komórkowy (prywatny)\n1,Anna,\n2,Ewa,6123' + '45678\n',
      'Teléfono fijo: 9123' + '45678',
      'Név\nAnna\nTelefonszám (mobil)\n3012' + '34567\nCím',
      'tālrunis 21 554 ' + '869',
      '612345' + '679 (tel)',
      'iPhone: 612345' + '679',
      '415736' + '2201 (work cell), ext. none',
      '"6521 ' + '1234" is my phone number',
      'mi teléfono 612345' + '679',
      '| n | GSM |\n|---|---|\n| A | 0888123' + '457 |',
      'n\t行動電話\nA\t0912345' + '679\n',
      'утас: 9911' + '2233',
      'հեռախոս՝ 0' + '91 234567, ՀԵՌ. 0' + '91 234567',
      ...localHits()
    ],
    misses: () => [
      'phone: 00001011101, cells of 00001011101',
      '06 12 34 56 78',
      '`src/mobile/MobileMenuSheet.tsx:263-269` (mobile)',
      '"telephone": 27416.4, "cellular": 27403.87',
      '+1 212 555 0123',
      "from: '+1500555" + "0006'",
      'x+4930901820',
      '+123',
      '+1700000000000',
      'started 14:35:55 m=+44.2071838750',
      'took +26.856583003 of it',
      'HIP 59207 182.13915108 +65.349' + '63517 18.17',
      'phone: 1.2.3',
      'phone: 555-1234',
      'phone 20260131',
      'mobile = 16777216',
      'phone: 123456789',
      '"phone_id": 200512504, "mobileBuild": "65211234"',
      'mobile 16.15.419.4409',
      'part 115-736-2201, 415-136-2201 or 415-7362-201',
      'dial (555) 736-2201 or (415) 911-2201',
      'f(415) 736-2201',
      'call 222-333-4444',
      'phone\n20260131\n',
      '0.8.7 (29.04.2015)\n',
      'phone,total\nred,65211234\n',
      'The order number is 4711-2024, the case number is 4711 2024',
      'The serial number is 6521-1234',
      'cell: 65211234',
      'mobile: 21474' + '83647',
      '"cep": "013119' + '02"',
      '"phones": [{"id": 912345' + '678, "count": 65211234}], "number": 912345' + '678',
      'phones:\n  - id: 612345' + '679\norders:\n  - 612345' + '679\n',
      'phones: 3\n  - 612345' + '679',
      'mesh.n_cell = 128 132 32',
      '/cell_line="7550' + '800303"',
      'phone: 0000 1234 5678',
      'telemetry: 0612345678',
      '"http://f:42949' + '67377/c"',
      '(549 (550)(551)(553)(552 ' + '1056))',
      '.column.is-8-mobile{flex:none;width:66.66666' + '667%}',
      'return mix(x)+2654435' + '769|0}',
      'Version 415.736.' + '2201 of the driver',
      'microphone 0612345678',
      'mobile : 2016-06-02',
      'phone call on 12/05/2019',
      'Rückruf bis 30.04.2026 erbeten',
      'GSM 900 1800 1900',
      'GSM: 850/900/1800',
      'contact 12.05.2019 or 1.204.331.88',
      'contact them about 602 994 739',
      'at: 020 7946 0958',
      'call 0 10 20 30 and call 0xffff',
      'f(t: 020 7946 0958)',
      't: 1775900000, m: 12.05.2019',
      'FAX [ dir ] 93-12-12 18:30',
      'CA +4612-05957 America/Glace_Bay',
      'lengths in XAllocColorCells() [2013-1997 1/15]',
      'fax machines of CVE-2013-1997 1/15',
      "Decimal('+35236450.6')",
      '+000000000000',
      'new Date(now.getTime()+63072000000)',
      'Cell::new("12345678901")',
      'IF (J +32766) 24240,14240',
      '+47.190.36.235   139.78.97.128',
      '+2024-07-12 17:57:39 INFO',
      '@@ -0,0 +1,2 @@\n+22642479 129 a.out\n+20037015 4152 b.out\n',
      '+sum size name\n+22642479 129 a.out\n',
      '("שניידר", 0.0004392232)',
      'for Mobile (10.0.10586)',
      '+(703)-572-2920',
      'contact: 2026 2027',
      'sales of 48211967 (mobile) and 123456 (phone), 3.141592653 (mobile)',
      'Opera/9.80 (iPhone; Opera Mini/7.0.3/34.1244; U; de) Presto/2.8.119',
      '0,"CHAPAS/FLS/ETC. P/CABO TELEFON.",39206' + '291',
      'f(tel) 6123456789, telefon 20260131, mobile 612345678',
      '4157362201 (mobile users), 2026-01-31 (phone)',
      'Part 703-282-5233 Rev B, serial no. 703-282-5233',
      'gaga,3.669442,13.994807\nmobile,12.341369,-8.400534\n',
      'BFM,Mobile Downtown,Mobile,AL,USA,30.62646944',
      'mobile: 12.341369, phone = 174.77623',
      'name,phone,z\na,12.341369,2\nb,-8.400534,3\n',
      '<td>Phone id</td><td>612345678</td>',
      '<td>Phone</td><td>model 612345678</td>',
      '{"name": "phone count", "value": "612345678"}',
      'id;Phone type;size\n1;612345678;2\n',
      'hotel: 612345678, tel aviv 612345678',
      'Contactos\n- order: 612 407 325\n- ticket: 4711202612\n',
      ...localMisses
    ],
    source:
      'ITU-T E.164 and its list of assigned country codes; lengths as national numbering plans state them. The lengths are from memory.'
  }
]
