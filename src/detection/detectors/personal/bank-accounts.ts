/** Bank accounts other than the IBAN, and what stands on a card besides its number. */
import { charSet, codeAt, digitSet, inSet, letterSet, runEnd, upperDigitSet, upperSet } from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { accountBesideCode, japaneseAccountNumber } from './account-numbers.ts'
import { idNumber } from '../../numbers/id-number.ts'
import { namedValue } from '../../values/named-value.ts'
import { usRouting } from '../../validators/americas.ts'
import { arCbu, czAccount, mxClabe, nzAccount } from '../../validators/bank-accounts.ts'

const routingRow = idNumber({
  id: 'us_aba_routing',
  label: 'US_ROUTING',
  title: 'US bank routing number',
  group: 'financial',
  tier: 'medium',
  ways: [{ forms: ['999999999', '9999-9999-9'], check: usRouting, proof: 'loose' }],
  words: ['routing', 'aba', 'routing number', 'aba number', 'rtn', 'transit number'],
  valid: ['03362~2219'],
  invalid: ['12100~0359', '99100~0358'],
  source:
    'American Bankers Association, routing number policy: weights 3 7 1, modulo 10, district of the Federal Reserve.'
})

/** What a router routes has no bank: `BGP routing table entry for [6][117901063:11]`. */
const routing: Detector = {
  ...routingRow,
  match(text, at, context) {
    const before = text.slice(Math.max(0, at - tableUnitsMax), at)
    return before.includes('outing table') ? undefined : routingRow.match(text, at, context)
  }
}
const tableUnitsMax = 48

const account = idNumber({
  id: 'bank_account_generic',
  label: 'BANK_ACCOUNT',
  title: 'bank account number',
  group: 'financial',
  tier: 'low',
  ways: [{ forms: ['99999999', '999999999', '9999999999', '99999999999', '999999999999'], proof: 'none' }],
  words: [
    'account number',
    'account no',
    'bank account',
    'acct',
    'kontonummer',
    'numéro de compte',
    'número de cuenta',
    'numero de cuenta',
    'rekeningnummer',
    ...['account #', 'a/c no', 'konto nr', 'kontonr', 'n° de compte', 'compte bancaire', 'nro de cuenta'],
    ...['cuenta bancaria', 'número da conta', 'conta corrente', 'numero di conto', 'conto corrente', 'rekening nr'],
    ...['numer konta', 'nr konta', 'číslo účtu', 'bankszámlaszám', 'számlaszám', 'broj računa', 'številka računa'],
    ...['cont bancar', 'tilinumero', 'hesap no', 'hesap numarası', 'номер счёта', 'расчётный счёт', 'номер рахунку'],
    ...['αριθμός λογαριασμού', 'رقم الحساب', 'מספר חשבון', 'खाता संख्या', 'เลขที่บัญชี', 'số tài khoản'],
    ...['nomor rekening', 'no. rekening', '银行账号', '账号', '銀行帳號', '帳號', '口座番号', '계좌번호']
  ],
  valid: ['94545~6787654'],
  invalid: ['945~'],
  source: 'No common standard: eight to twelve digits behind a name.'
})

const national = idNumber({
  id: 'national_bank_account',
  label: 'BANK_ACCOUNT',
  title: 'national bank account number',
  group: 'financial',
  tier: 'medium',
  ways: [
    {
      forms: [
        '99-9999-9999999-99',
        '99-9999-9999999-999',
        '99 9999 9999999 99',
        '99 9999 9999999-99',
        '99 9999 9999999 999'
      ],
      check: nzAccount,
      proof: 'loose'
    },
    { forms: ['9999999999999999999999'], check: arCbu, proof: 'loose' },
    { forms: ['999999999999999999'], check: mxClabe, proof: 'loose' },
    {
      forms: ['9999999999/9999', '999999-9999999999/9999', '99999-9999999999/9999', '999999-9999/9999'],
      check: czAccount,
      proof: 'loose'
    }
  ],
  words: [
    'bank account',
    'account number',
    'cbu',
    'clabe',
    'cuenta',
    'číslo účtu',
    'account',
    'clave bancaria',
    'cbu/cvu',
    'cvu'
  ],
  valid: ['21-0416-3~507645-48'],
  invalid: ['990137~-0026279-00', '21-0416-3~507646-48'],
  others: ['100012345678901\n', 'id\n100012345678902\n'],
  source:
    'Payments NZ, banks and branches; Inland Revenue, "Bank account number validation" as python-stdnum has it; BCRA and ABM on CBU and CLABE; Czech National Bank, decree 169/2011. From memory, not confirmed.'
})

const sortCode = namedValue({
  id: 'uk_sort_code_account',
  label: 'UK_SORT_CODE',
  title: 'UK sort code',
  group: 'financial',
  tier: 'medium',
  names: ['sort code', 's/c'],
  // `S/C(=C\\1/SC=CS1)/S2 148217`: a molecule.
  isOfOther: (text, at) => inSet(letterSet, codeAt(text, at)) && inSet(bondSet, codeAt(text, at - 1)),
  read(text, at) {
    let i = at
    for (let pair = 0; pair < 3; pair++) {
      if (runEnd(text, i, digitSet, 2) !== i + 2) return -1
      i += 2
      if (pair < 2 && (text.charCodeAt(i) === 45 || text.charCodeAt(i) === 32)) i++
    }
    const account = inSet(gapSet, text.charCodeAt(i)) ? i + 1 : i
    return account > i && runEnd(text, account, digitSet, 9) === account + 8 ? account + 8 : i
  },
  hits: () => [
    'sort code: 20-41-' + '57',
    'Sort Code 204157 ' + '31926819',
    's/c 20-41-' + '57 a/c 31926819',
    'id,sort_code,account\n1,20-41-' + '57,31926819\n'
  ],
  misses: () => [
    'sort code: 20-41',
    'sort code is ascending',
    'sort codes by 2',
    'C1=CS/C(=C\\2/SC3=C(S2)S/C(=C/2\\SC=CS2)/S3)/S1 6079' + '09'
  ],
  source: 'UK Payments, "Sorting codes": three pairs of digits; accounts have eight. From memory, not confirmed.'
})
const gapSet = charSet(' /,')
const bondSet = charSet('(=')

const countries =
  'AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK ' +
  'DM DO DZ EC EE EG ES ET FI FJ FO FR GA GB GE GH GI GM GN GQ GR GT GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KR KW KY KZ LA LB ' +
  'LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MO MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NZ OM PA PE PG PH PK PL PS PT PY QA RO RS RU ' +
  'RW SA SC SD SE SG SI SK SL SM SN SO SR SV SY SZ TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VE VG VN XK YE ZA ZM ZW'
const countrySet = new Set(countries.split(' '))

const bic = namedValue({
  id: 'bic_swift',
  label: 'BIC',
  title: 'bank identifier (BIC)',
  group: 'financial',
  tier: 'low',
  names: ['bic', 'swift', 'swift code', 'swift bic', 'bic swift', 'bic code'],
  read(text, at) {
    const bank = runEnd(text, at, upperSet, 6)
    if (bank !== at + 6 || !countrySet.has(text.slice(at + 4, at + 6))) return -1
    const end = runEnd(text, bank, upperDigitSet, 6)
    return end - at === 8 || end - at === 11 ? end : -1
  },
  hits: () => ['BIC: DEUTDEFF', 'SWIFT code NWBKGB2LXXX'],
  misses: () => ['arabic: DEUTDEFF', 'bic: DEUTXXFF', 'swift PLAYBOOKS'],
  source: 'ISO 9362: bank, country, place, branch.'
})

const cvv = namedValue({
  id: 'card_cvv',
  label: 'CARD_CVV',
  title: 'card security code',
  group: 'financial',
  tier: 'medium',
  names: [
    ...['cvv', 'cvc', 'cvv2', 'cvc2', 'card security code', 'card verification', 'cryptogramme', 'cryptogramme visuel'],
    ...[
      'prüfziffer',
      'prüfnummer',
      'kartenprüfnummer',
      'código de seguridad',
      'código de segurança',
      'codice di sicurezza'
    ]
  ],
  endsName: true,
  read(text, at) {
    const end = runEnd(text, at, digitSet, 5)
    // The number of an issue, or of a port.
    if (codeAt(text, at - 1) === 35 || codeAt(text, end) === 47) return -1
    // A rule in a style sheet.
    if (codeAt(text, end) === 37) return -1
    return (end - at === 3 || end - at === 4) &&
      !(text.charCodeAt(end) === 46 && inSet(digitSet, text.charCodeAt(end + 1)))
      ? end
      : -1
  },
  hits: () => [
    'CVV: 41' + '7',
    '"cvc":"90' + '31"',
    'cvv2=41' + '7',
    'cvvCode: 41' + '7',
    'card_cvv_number=41' + '7',
    'My CVV is 41' + '7.'
  ],
  misses: () => [
    'cvv: 41',
    'cvv: 41739',
    'cvcs 417.5',
    'cvv length must match',
    'SCHEMA_CVC_FACET_VALID, /* 1829 */',
    'CVC_DATATYPE = 1824',
    'cvv // 417 of them',
    'Return the CVV results #3951',
    'cvc\t1495/tcp',
    '.card .cvc{display:block;width:100%}',
    'xCVV=[FILTERED]&xExp=0916'
  ],
  source: 'Card schemes: three digits, four on American Express. From memory, not confirmed.'
})

const expiry = namedValue({
  id: 'card_expiry',
  label: 'CARD_EXPIRY',
  title: 'expiry date of a card',
  group: 'financial',
  tier: 'low',
  names: ['card expiry', 'exp date', 'expiry date', 'valid thru', 'expiration date', 'card expiration'],
  read(text, at) {
    const month = Number(text.slice(at, at + 2))
    if (!(month >= 1 && month <= 12) || runEnd(text, at, digitSet, 2) !== at + 2) return -1
    if (text.charCodeAt(at + 2) !== 47 && text.charCodeAt(at + 2) !== 45) return -1
    const end = runEnd(text, at + 3, digitSet, 5)
    return end - at === 5 || end - at === 7 ? end : -1
  },
  hits: () => ['valid thru 09/28', 'expiry_date: 09/2028'],
  misses: () => ['valid thru 19/28', 'expiry date: 2028-09-01'],
  source: 'ISO/IEC 7813: month and year. From memory, not confirmed.'
})

export const bankAccountDetectors: readonly Detector[] = [
  routing,
  national,
  account,
  sortCode,
  accountBesideCode,
  japaneseAccountNumber,
  bic,
  cvv,
  expiry
]
