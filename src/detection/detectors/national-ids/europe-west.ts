/** National identifiers of western and southern Europe; those of Germany have a file of their own. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import * as east from '../../validators/europe-east.ts'
import * as check from '../../validators/europe-west.ts'

const rows: readonly IdRow[] = [
  {
    id: 'gb_nhs',
    label: 'UK_NHS',
    title: 'UK NHS number',
    ways: [
      { forms: ['999 999 9999', '999-999-9999'], check: check.gbNhs, proof: 'loose' },
      { forms: ['9999999999'], check: check.gbNhs, proof: 'loose' }
    ],
    words: ['nhs', 'nhs number', 'nhs no', 'national health service', 'nhs patient'],
    valid: ['927 44~0 8293'],
    invalid: ['943 476~ 5918'],
    source: 'NHS Data Dictionary, "NHS number": modulus 11 with weights 10 to 2.'
  },
  {
    id: 'gb_utr',
    label: 'UK_UTR',
    title: 'UK taxpayer reference',
    ways: [{ forms: ['9999999999', '99999 99999', '9999999999K', 'K9999999999'], check: check.gbUtr, proof: 'loose' }],
    words: ['utr', 'taxpayer reference', 'taxpayer ref', 'tax reference', 'self assessment'],
    valid: ['56438~33327'],
    invalid: ['295583~9668'],
    source: 'HMRC, "Unique taxpayer reference": weights 6 7 8 9 10 5 4 3 2, table 21987654321.'
  },
  {
    id: 'fr_nir',
    label: 'FR_NIR',
    title: 'French social security number',
    ways: [
      { forms: ['999999999999999', '9 99 99 99 999 999 99', '9999999999999 99'], check: check.frNir, proof: 'tight' },
      { forms: ['999999@99999999', '9 99 99 9@ 999 999 99'], check: check.frNir, proof: 'tight' },
      {
        forms: ['999999999999999', '9 99 99 99 999 999 99', '9999999999999 99'],
        check: check.frNirProvisional,
        proof: 'loose'
      }
    ],
    words: ['nir', 'insee', 'sécu', 'secu', 'sécurité sociale', 'securite sociale', 'nss', 'numéro de sécurité'],
    valid: ['18503751~2353460', '78503751~2353451'],
    invalid: ['18505780~0608492', '58505780~0608485', '18515751~2353458'],
    source: 'INSEE, "Numéro de sécurité sociale": 97 less the number modulo 97; 2A as 19, 2B as 18.'
  },
  {
    id: 'fr_nif_spi',
    label: 'FR_NIF',
    title: 'French tax number',
    ways: [{ forms: ['9999999999999', '99 99 999 999 999'], check: check.frNif, proof: 'loose' }],
    words: [
      ...['numéro fiscal', 'numero fiscal', 'spi', 'référence fiscale', 'nif', 'numéro de déclarant'],
      ...['numéro d’immatriculation fiscale', "numéro d'immatriculation fiscale"],
      ...["numéro d'identification fiscale", 'n° fiscal', 'nº fiscal', 'no fiscal', 'identifiant fiscal'],
      ...['numéro fiscal de référence']
    ],
    valid: ['1382387~033195'],
    invalid: ['07 01 987 765 432'],
    source: 'Direction générale des Finances publiques: the first ten digits modulo 511.'
  },
  {
    id: 'it_codice_fiscale',
    label: 'IT_CODICE_FISCALE',
    title: 'Italian tax code',
    ways: [{ forms: ['@@@@@@??@??@???@', '@@@ @@@ ??@?? @???@'], check: east.itCodiceFiscale, proof: 'tight' }],
    words: ['codice fiscale', 'fiscale', 'cf', 'c.f', 'cod. fisc', 'cod fisc', 'cod.fisc', 'cod. fiscale'],
    valid: ['VRDLGU72~C15F205L', 'VRD LGU ~72C15 F205L'],
    invalid: ['RSSMRA85~T10A562T', 'RSSMRA85~Z10A562S'],
    source: 'Agenzia delle Entrate, D.M. 23 December 1976: odd and even table, modulo 26.'
  },
  {
    id: 'nl_bsn',
    label: 'NL_BSN',
    title: 'Dutch citizen service number',
    ways: [
      {
        forms: ['999999999', '9999.99.999', '999.999.999', '99999999', '9999 99 999'],
        check: check.nlBsn,
        proof: 'loose'
      }
    ],
    words: [
      'bsn',
      'burgerservicenummer',
      'sofinummer',
      'sofi',
      'bsn nummer',
      'bsn-nr',
      'citizen service number',
      'burgerservice nummer',
      'persoonsnummer',
      'persoonsgebonden nummer',
      'sociaal fiscaal nummer',
      'fiscaal nummer'
    ],
    valid: ['91195~0321'],
    invalid: ['11122~2334'],
    others: ['2,17,rs98,0.42,BSN,0\n3,91195~0321,0.90', '2,17,0.42,BSN1,0\n3,91195~0321,0.90'],
    source: 'Rijksdienst voor Identiteitsgegevens: weights 9 to 2 and -1, modulo 11.'
  },
  {
    id: 'be_nn',
    label: 'BE_NN',
    title: 'Belgian national number',
    ways: [
      { forms: ['99.99.99-999.99', '99 99 99 999 99'], check: check.beNn, proof: 'tight' },
      { forms: ['99999999999', '999999-999-99', '999999 999 99'], check: check.beNn, proof: 'loose' }
    ],
    words: [
      'rijksregister',
      'rijksregisternummer',
      'nn',
      'registre national',
      'numéro national',
      'insz',
      'niss',
      'bis',
      'rijksregisternr',
      'numéro de registre national',
      'insz nummer',
      'n° national',
      'nº national',
      'no national',
      'numero national',
      'rrn',
      'registre national n°',
      'nationaal nummer',
      'identificatienummer',
      'national register',
      'national register number',
      'nrn'
    ],
    valid: ['85.03.12~-150.35'],
    invalid: ['85.07.30~-033.29'],
    source: 'IBZ Rijksregister: 97 less the number modulo 97, with 2 before it for births since 2000.'
  },
  {
    id: 'pt_nif',
    label: 'PT_NIF',
    title: 'Portuguese tax number',
    ways: [{ forms: ['999999999', '999 999 999'], check: check.ptNif, proof: 'loose' }],
    words: [
      'nif',
      'contribuinte',
      'número de identificação fiscal',
      'nipc',
      'número fiscal',
      'numero de contribuinte',
      'número de contribuinte'
    ],
    valid: ['20990~4810'],
    invalid: ['501964~842'],
    source: 'Autoridade Tributária: weights 9 to 2, modulo 11.'
  },
  {
    id: 'pt_cc',
    label: 'PT_CC',
    title: 'Portuguese citizen card number',
    ways: [
      {
        forms: ['999999999@@9', '999999999@?9', '99999999 9 @@9', '99999999 9 @?9', '99999999-9@@9', '99999999-9 @@9'],
        check: check.ptCc,
        proof: 'tight'
      }
    ],
    words: [
      'cartão de cidadão',
      'cartao de cidadao',
      'citizen card',
      'cc n.º',
      'cc nº',
      'n.º cc',
      'nº cc',
      'nº do cc',
      'n.º do cc'
    ],
    valid: ['379220~181PD8'],
    invalid: ['10000000~0ZZ3'],
    source: 'Agência para a Modernização Administrativa: Luhn with letters as 10 to 35.'
  },
  {
    id: 'ch_ahv',
    label: 'CH_AHV',
    title: 'Swiss social insurance number',
    ways: [{ forms: ['999.9999.9999.99', '9999999999999', '99999999999 99'], check: check.chAhv, proof: 'tight' }],
    words: [
      'ahv',
      'avs',
      'ahv nummer',
      'ssn',
      'ahv nr',
      'numéro avs',
      'sozialversicherungsnummer',
      'ahv-nr',
      'oasi number',
      'numero avs',
      'n° avs'
    ],
    valid: ['756.0344~.2166.57'],
    invalid: ['756.9217~.0769.84'],
    source: 'Zentrale Ausgleichsstelle: 756 and the check digit of an EAN-13.'
  },
  {
    id: 'at_svnr',
    label: 'AT_SVNR',
    title: 'Austrian social insurance number',
    ways: [{ forms: ['9999 999999', '9999-999999', '9999999999'], check: check.atSvnr, proof: 'loose' }],
    words: [
      'svnr',
      'sozialvers.nr',
      'sozialversicherungsnummer',
      'versicherungsnummer',
      'sv nummer',
      'sv-nr',
      'vsnr',
      'vnr',
      'versicherungsnr',
      'vers.-nr',
      'vers nr',
      'vers.nr'
    ],
    valid: ['8036 1~20385'],
    invalid: ['1238 01~0180'],
    source: 'Dachverband der Sozialversicherungstraeger: weights 3 7 9 _ 5 8 4 2 1 6, modulo 11.'
  },
  {
    id: 'es_seguridad_social',
    label: 'ES_SOCIAL_SECURITY',
    title: 'Spanish social security number',
    ways: [
      {
        forms: [
          '99/99999999/99',
          '99/99999999-99',
          '99-99999999-99',
          '99 99999999 99',
          '99/9999999999',
          '999999999999'
        ],
        check: check.esSocial,
        proof: 'none'
      }
    ],
    words: [
      'nuss',
      'nss',
      'seguridad social',
      'afiliación',
      'afiliacion',
      'nº ss',
      'naf',
      'número de afiliación',
      'numero de afiliacion',
      'nº afiliación'
    ],
    valid: ['28/123~45604/63'],
    invalid: ['28/1234~5604/64', '78/12345~604/63'],
    source: 'Tesorería General de la Seguridad Social: province, number, modulo 97. From memory, not confirmed.'
  },
  {
    id: 'at_steuernummer',
    label: 'AT_STEUERNUMMER',
    title: 'Austrian tax number',
    tier: 'medium',
    ways: [{ forms: ['99-999/9999', '99 999/9999', '999999999', '99 9999999'], check: check.atTin, proof: 'loose' }],
    words: ['abgabenkontonummer', 'steuernummer', 'st.-nr', 'stnr', 'st.nr', 'steuernr', 'finanzamt'],
    valid: ['45-443~/4408'],
    invalid: ['59-119~/9014'],
    source: 'Bundesministerium fuer Finanzen: every second digit doubled, counted down to ten.'
  },
  {
    id: 'ie_pps',
    label: 'IE_PPS',
    title: 'Irish PPS number',
    ways: [{ forms: ['9999999@', '9999999@@', '9999999 @'], check: check.iePps, proof: 'loose' }],
    words: [
      'pps',
      'ppsn',
      'pps number',
      'pps no',
      'personal public service',
      'psp',
      'uimhir psp',
      'rsi number',
      'rsi no',
      'uimhir phearsanta',
      'public services card'
    ],
    valid: ['6576~335B', '6576~335 B', '6576~335-B'],
    invalid: ['64334~35E'],
    source: 'Department of Social Protection: weights 8 to 2, modulo 23, nine times the second letter.'
  },
  {
    id: 'lu_nin',
    label: 'LU_NIN',
    title: 'Luxembourg identification number',
    ways: [{ forms: ['9999999999999', '99999999 99999'], check: check.luNin, proof: 'loose' }],
    words: [
      'matricule',
      'numéro d’identification',
      'nin',
      'cns',
      'identifiant national',
      'sozialversicherungsnummer',
      'matricule nationale',
      'numéro de matricule',
      'matrikel',
      'matrikelnummer',
      'eindeutige id nummer',
      'identifikatiounsnummer'
    ],
    valid: ['1985031~294316'],
    invalid: ['18931205~10529'],
    source: 'Centre des technologies de l’information de l’État: birthday, serial, Luhn, Verhoeff.'
  }
]

export const westEuropeIdDetectors: readonly Detector[] = rows.map(idNumber)
