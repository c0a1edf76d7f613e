/** Personal numbers whose name says nothing more specific: `"nationalId": "..."`, `tax number: ...`. */
import { isOffset, isPattern } from '../../numbers/chance-matches.ts'
import { base62Set, codeAt, countOf, digitSet, inSet, letterSet, runEnd, upperSet } from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { namedValue } from '../../values/named-value.ts'
import { isFlat } from '../../validators/digits.ts'
import { withMessages } from './standard-messages.ts'

const unitsMax = 24
const signsMin = 8
const signsMax = 18
const digitsMin = 6
const separators = ' -./'

/**
 * The end of eight to eighteen digits and capitals, at least six of them digits, in groups or not; -1 for counters,
 * dates and parts of something longer.
 */
function idEnd(text: string, at: number): number {
  // `0.000336902`: a column of measurements.
  if (codeAt(text, at + 1) === 46) return -1
  let end = at
  let value = ''
  for (let i = at; i < at + unitsMax; i++) {
    const code = codeAt(text, i)
    if (inSet(base62Set, code)) {
      if (inSet(letterSet, code) && !inSet(upperSet, code)) return -1
      value += text.charAt(i)
      end = i + 1
    } else if (!separators.includes(text.charAt(i)) || i > end || !inSet(base62Set, codeAt(text, i + 1))) break
    // The word behind a number continues the sentence.
    else if (code === 32 && runEnd(text, i + 1, digitSet, 2) < i + 3) break
  }
  // `2011-08-13T18:02:45Z`, and `AEX14553.1`, an entry of a sequence database.
  if (value.charAt(8) === 'T' || (inSet(letterSet, codeAt(value, 0)) && codeAt(text, end - 2) === 46)) return -1
  const digits = countOf(value, 0, value.length, digitSet)
  if (value.length < signsMin || value.length > signsMax || digits < digitsMin) return -1
  if (digits < value.length - lettersMax || isFlat(value) || isPattern(value, 1)) return -1
  if (isDay(value) || (digits === value.length && isWrittenDay(text, at, end))) return -1
  // What programs write for -4 to -1 in 32 bits: `horizontalDpi="4294967292"`.
  if (isOffset(text, at, end) || (value.startsWith('429496729') && value > '4294967291')) return -1
  return end
}

const lettersMax = 6

/** Whether it is a date such as `2016-06-02` or `20160602`. */
function isDay(value: string): boolean {
  return value.length === 8 && (value.startsWith('19') || value.startsWith('20'))
}

/** Whether digits in groups are a date with the year last, `11.05.2031`. Numbers have other groups, `11.052.031`. */
function isWrittenDay(text: string, at: number, end: number): boolean {
  if (
    end - at !== 'DD.MM.YYYY'.length ||
    inSet(digitSet, codeAt(text, at + 2)) ||
    inSet(digitSet, codeAt(text, at + 5))
  )
    return false
  return (
    Number(text.slice(at, at + 2)) <= 31 &&
    Number(text.slice(at + 3, at + 5)) <= 31 &&
    isDay(text.slice(at + 6, end) + text.slice(at, at + 2) + text.slice(at + 3, at + 5))
  )
}

/** Whether nine digits stand behind `ssn`: those are American, and their detector knows which are given out. */
function isAmerican(text: string, at: number): boolean {
  const end = idEnd(text, at)
  return (
    end > at &&
    countOf(text, at, end, digitSet) === americanDigits &&
    text
      .slice(Math.max(0, at - ssnReach), at)
      .toLowerCase()
      .includes('ssn')
  )
}
const americanDigits = 9
const ssnReach = 16

export const namedIdDetectors: readonly Detector[] = [
  withMessages(
    namedValue({
      id: 'national_id_number',
      label: 'NATIONAL_ID',
      title: 'identity or tax number',
      group: 'national_id',
      tier: 'medium',
      confidence: 'medium',
      names: [
        'national id',
        'national id number',
        'national identity number',
        'national identification number',
        'national insurance number',
        'social security number',
        'social security',
        'social insurance number',
        'tax number',
        'tax no',
        'tax identification no',
        'tax identification nr',
        // What programs call the number of a person in any country.
        ...['ssn:', 'ssn"', "ssn'", 'ssn=', 'ssn>', 'ssn no', 'ssn number', 'ssn is'],
        'tin:',
        'tin"',
        'tin=',
        'tin no',
        'tin number',
        'tin #',
        'tax id number',
        'tax identification number',
        'taxpayer identification number',
        'tax payer id',
        'taxpayer id',
        'tax id',
        'identity number',
        'identity card number',
        'identity card',
        'identity card no',
        'identity no',
        'id card',
        'identification card',
        'id card number',
        'id card no',
        'personal identification number',
        'personal identity number',
        'personal identity code',
        'personal number',
        'citizen id',
        'citizen number',
        'citizenship number',
        'individual number',
        'resident registration number',
        'national identity',
        'identification card number',
        'identification card no',
        'unique identification number',
        'national id no',
        'national identity no',
        'national identity nr',
        'national identifier',
        'personal id',
        'personal id number',
        'personal id code',
        'personal identification code',
        'citizen identification number',
        'citizen service number',
        'birth number',
        'identity document number',
        'id document number',
        'government id number',
        'social security no',
        'social insurance no',
        'tax reference number',
        'tax registration number',
        'tax identifier',
        'vat number',
        'vat no',
        'vat id',
        'vat registration number',
        'vat identification number',
        'partita iva',
        'p.iva',
        'ust idnr',
        'ust id nr',
        'btw nummer',
        'btw nr',
        'numéro de tva',
        'n° tva',
        'tva intracommunautaire',
        'mwst nr',
        'mwst nummer',
        'moms nr',
        'momsnummer',
        'cvr nr',
        'cvr no',
        'cvr nummer',
        'momsregistreringsnummer',
        'alien registration number',
        'residence permit number',
        'health insurance number',
        'health card number',
        'personal health number',
        'ohip number',
        'qatar id',
        'الرقم الشخصي',
        'número de identidad',
        'numero de identidad',
        'documento de identidad',
        'cédula de identidad',
        'número de documento',
        'numéro d’identification',
        "numéro d'identification",
        "numéro de carte d'identité",
        'carte d’identité',
        "carte d'identité",
        'carta d’identità',
        "carta d'identità",
        'número de identificação',
        'bilhete de identidade',
        'identiteitskaartnummer',
        'identiteitskaart',
        'numer dowodu',
        'номер удостоверения',
        'رقم الهوية',
        'رقم البطاقة',
        '证件号码',
        '证件号',
        '身份证件',
        'nomor identitas',
        'số định danh',
        'national number',
        'nationality number',
        'número de seguridad social',
        'numero de seguridad social',
        'número de seguro social',
        'nss:',
        'nambari ya kitambulisho',
        'kitambulisho',
        'id nommer',
        'αριθμός ταυτότητας',
        'αρ. ταυτότητας',
        'adt:',
        'isikut tõendav',
        'broj lične karte',
        'broj osobne iskaznice',
        'číslo občanského průkazu',
        'číslo op',
        'személyi igazolvány száma',
        'szem. ig. szám',
        'seria și numărul',
        'номер паспорта громадянина',
        'номер посвідчення',
        'kimlik seri no',
        'sss no',
        'sss number',
        'tax identification code',
        'dpi',
        // Identity cards, whose numbers have no check digit in most countries.
        ...[
          'osobna iskaznica',
          'osobne iskaznice',
          'osebna izkaznica',
          'osebne izkaznice',
          'lična karta',
          'lične karte'
        ],
        ...['лична карта', 'личната карта', 'občiansky preukaz', 'občianskeho preukazu', 'občanský průkaz'],
        ...['občanského průkazu', 'személyi igazolvány', 'személyazonosító igazolvány', 'szig. szám', 'sz.ig'],
        ...['carte de identitate', 'cărții de identitate', 'henkilökortti', 'henkilökortin numero', 'id kort'],
        ...['id kaart', 'id kaardi number', 'tapatybės kortelė', 'tapatybės kortelės', 'personas apliecība'],
        ...[
          'personas apliecības',
          'удостоверение личности',
          'удостоверения личности',
          'numéro cni',
          'n° cni',
          'cni n°'
        ],
        ...['carte nationale d’identité', "carte nationale d'identité", 'pièce d’identité', "pièce d'identité"],
        ...['ausweisnummer', 'ausweis nr', 'identitätskarte', 'rg:', 'rg"', 'rg nº', 'rg n°', 'registro geral'],
        ...['carteira de identidade', 'documento de identificação', 'documento identidad', 'numero documento'],
        ...['nro documento', 'num documento', 'numero identificacion', 'numero de identificacion', 'identiteitsnummer'],
        ...['ταυτότητας', 'شناسنامه', 'بطاقة الهوية', 'पहचान पत्र', '신분증', '신분증 번호', '證件號碼', '证件编号'],
        ...['在留カード', '在留カード番号', '住民票コード', '被保険者番号', '基礎年金番号', '保険証番号'],
        ...['government id', 'nat id', 'health insurance id', 'belastingnummer', 'skattenummer', 'mokėtojo kodas'],
        ...['maksātāja kods']
      ],
      endsName: true,
      isOfOther: isAmerican,
      read: idEnd,
      hits: () => [
        `{"nationalId": "${['4829', '175', '306'].join('')}"}`,
        `tax_number: ${['DE', '4829', '175', '306'].join('')}`,
        `<socialSecurityNumber>${['4829', '1753'].join('')}</socialSecurityNumber>`,
        `Identity card no. ${['4829', '1753', '06'].join('-')}`,
        `personal identity codes: ${['4829', '175306'].join('')}`,
        `VAT number: ${['SE', '4829', '175306', '01'].join('')}`,
        `numéro d'identification : ${['4829', '175', '306'].join(' ')}`,
        `National ID: ${['11', '052', '031'].join('.')}`,
        `{"ssn": "${['88', '0606', '26015'].join('')}"}`,
        `SSN: ${['12', '60', '060688'].join('')}`,
        `tin=${['4829', '175306'].join('')}`,
        `Broj osobne iskaznice: ${['4829', '17530'].join('')}`,
        `{"tipoDocumento": "CC", "numeroDocumento": "${['4829', '175306'].join('')}"}`,
        `RG: ${['48', '291', '753'].join('.')}-X`,
        `在留カード番号：${['AB4829', '1753CD'].join('')}`
      ],
      misses: () => [
        '"nationalId": "string"',
        'taxId: 42',
        'DPI          -0.000336902  0.000931107  -0.36    0.7192',
        `horizontalDpi="${['42949', '67292'].join('')}"`,
        'tax_id = 2026-11-20',
        '"personalNumber": "12345678"',
        `nationalIdHash: "${['4829a7', '53bf06'].join('')}"`,
        'taxNumber = order.taxNumber',
        'tax id of 20 characters',
        'personal id: see 12345678',
        'vat number: 12345678',
        'cargo: 48291753',
        'rg: 482917',
        `ssn: ${['900', '12', '3456'].join('-')}`,
        'className: 12600606888',
        'identity card valid until 11.05.2031'
      ],
      source: 'Names of fields in public schemas of identity, payroll and tax services; the name is the evidence.'
    })
  )
]
