/** Tax numbers that companies and sole traders put on invoices. */
import type { Detector } from '../detector.ts'
import { idNumber, type IdForm, type IdRow } from '../numbers/id-number.ts'
import * as africa from '../validators/africa-mideast.ts'
import * as americas from '../validators/americas.ts'
import * as asia from '../validators/asia-pacific.ts'
import * as business from '../validators/business.ts'
import * as west from '../validators/europe-west.ts'
import { grAfm, plRegon, ruInn } from '../validators/europe-east.ts'
import * as vat from '../validators/vat.ts'

/** The words that name such a number; they stand for all countries at once. */
const vatWords = [
  'vat',
  'vat number',
  'vat no',
  'vat id',
  'ust id',
  'ust-idnr',
  'ustid',
  'uid',
  'tva',
  'iva',
  'partita iva',
  'p.iva',
  'btw',
  'moms',
  'mwst',
  'umsatzsteuer',
  'nif',
  'dph',
  'pdv',
  'ddv',
  'áfa',
  'adószám',
  'adoszam',
  'codice fiscale',
  'alv'
]

/** A short number behind two letters may be any code; a longer one with a right check digit is what it seems. */
const vatTightUnits = 11

const vatWays: IdForm[] = vat.vatForms.flatMap(([country, forms, check]) =>
  forms.map((form) => ({
    forms: [country + form],
    check: (value: string) => check(value.slice(country.length)),
    proof: country.length + form.length < vatTightUnits ? 'loose' : 'tight'
  }))
)

/** Country, forms and check of registers of companies; a line of its own or a name is needed for all of them. */
const registers: readonly IdForm[] = (
  [
    [['99999999'], vat.dkVat],
    [['99999999'], vat.czVat],
    [['99999999'], vat.luVat],
    [['99999999', '9999999-9', '9999999'], vat.fiVat],
    [['99999999', '99999999-9-99'], vat.huVat],
    [['99999999', '9999-9999'], vat.siVat],
    [['99999999', '9999-9999'], vat.mtVat],
    [['999999999', '999 999 999', '999999 999'], vat.fiscalSiren],
    [['99999999999999', '999 999 999 99999'], vat.fiscalSiren],
    [['999999999'], vat.deVat],
    [['999999999'], vat.eeVat],
    [['999999999', '999 9999 99', '999999999999'], vat.gbVat],
    [['999999999'], vat.ltVat],
    [['9999999999', '999999999'], vat.beVat],
    [['999999999', '9999999999'], vat.bgVat],
    [['9999999999'], vat.skVat],
    [['??999999999'], vat.frVat],
    [['@9999999?', '@-9999999?', '@-9999999-?', '@-99999999'], vat.esVat],
    [['999999999B99'], vat.nlVat],
    [['9999999999', '99999999', '9999999'], vat.roVat],
    [['99999999999'], vat.itVat],
    [['99999999999'], vat.lvVat],
    [['999999999', '999 999 999', '999999999MVA'], vat.noVat],
    [['999.999.999'], vat.chVat],
    [['9@99999@'], vat.ieVat],
    [['999999999'], grAfm],
    [['999999999', '99999999999999'], plRegon],
    [['9999999999'], ruInn],
    [['999999999', '999 999 999'], asia.auAcn],
    [['9999999999999'], asia.jpCorporate],
    [['??????????????????'], asia.cnUscc],
    [['999-99-99999', '9999999999'], asia.krBrn],
    [['99999999'], asia.twUbn],
    [['99999999@', '999999999@', '@99@@9999@'], asia.sgUen],
    [['9999999999', '9999999999-999', '99.99.999.999', '9999999999999'], asia.vnMst],
    [['9999999999'], africa.trVkn],
    [['999999999', '999 999 999'], africa.mzNuit],
    [['@9999999999', '@999999999X'], africa.ghTin],
    [['999999999999999'], africa.maIce],
    [['999999999', '99999 9999'], americas.caBn],
    [['999999999RC9999', '999999999RT9999', '999999999RP9999', '999999999TQ9999', '9999999999TQ9999'], americas.caBn],
    [['999999999'], americas.doRnc],
    [['999999999999'], americas.uyRut],
    [['999999999'], business.byUnp],
    [['9999999999999'], business.mdIdno],
    [['99999999'], business.mePib],
    [['9999999999999', 'MK9999999999999'], business.mkEdb],
    [['999999999'], business.rsPib],
    [['99999999'], business.uaEdrpou],
    [['9999999@@9', '9999999 9@9', '999999999@9', '99999999@9'], business.snNinea],
    [['9999999999'], business.azVoen],
    [['@99999999@', '@ 99999999 @', 'AL@99999999@'], business.alNipt],
    [['@999999@', '@-999999-@'], business.adNrt],
    [['999-999-999', '999999999'], vat.fiscalSiren],
    [['B9999999999', 'E999999999999', '@999999999999999999'], business.doNcf],
    [['9999999@', '9999999@@@999', '999999@@@999'], business.tnMf],
    [['OM999999999?'], business.omVat],
    [['9999999999', '999999999'], west.atTin],
    [['9999999999', '9999999'], business.siMaticna],
    [['9999999999999'], asia.thPin],
    [['9999999999999', '999999999999999'], business.ruOgrn]
  ] as const
).map(([forms, check]) => ({ forms, check, proof: 'loose' }))

const rows: readonly IdRow[] = [
  {
    id: 'eu_vat_ids',
    label: 'VAT_ID',
    title: 'value-added-tax number',
    tier: 'medium',
    ways: vatWays,
    words: vatWords,
    valid: ['DE2688~18340'],
    invalid: ['DE1366~95977', 'ATU1358~5628', 'FR8330~3265045'],
    source: 'European Commission, VIES, "VAT number structure"; check digits as the tax administrations publish them.'
  },
  {
    id: 'business_id',
    label: 'BUSINESS_ID',
    title: 'registration number of a business',
    tier: 'medium',
    ways: registers,
    words: [
      'tax number',
      'tax id',
      'vat',
      'brn',
      'company number',
      'registration number',
      'siren',
      'siret',
      'uscc',
      'ubn',
      'uen',
      'acn',
      'regon',
      'vkn',
      'vergi',
      'ico',
      'ičo',
      'orgnr',
      'handelsregister',
      '統一編號',
      '사업자등록번호',
      '统一社会信用代码',
      '法人番号',
      'єдрпоу',
      'едрпоу',
      'mst',
      'mã số thuế',
      'rnc',
      'rut',
      'ice',
      'nuit',
      'ninea',
      'nipt',
      'voen',
      'идно',
      'unp',
      'унп',
      'pib',
      'пиб'
    ],
    valid: ['8360~2685'],
    invalid: ['1234~56'],
    source: 'The registers of companies of each country; check digits as python-stdnum collects their sources.'
  }
]

export const taxIdDetectors: readonly Detector[] = rows.map(idNumber)
