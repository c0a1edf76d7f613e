/** National identifiers of northern Europe and the Baltic states. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import * as east from '../../validators/europe-east.ts'
import * as check from '../../validators/europe-west.ts'

const rows: readonly IdRow[] = [
  {
    id: 'se_personnummer',
    label: 'SE_PERSONNUMMER',
    title: 'Swedish personal number',
    ways: [
      { forms: ['999999-9999', '99999999-9999'], check: check.sePersonnummerOfYears, proof: 'written' },
      {
        forms: ['999999-9999', '99999999-9999', '9999999999', '999999999999', '999999 9999', '99999999 9999'],
        check: check.sePersonnummer,
        proof: 'loose'
      }
    ],
    words: [
      'personnummer',
      'personnr',
      'pnr',
      'samordningsnummer',
      'swedish id',
      'personal number',
      'swedish id code',
      'svensk id',
      'personal identity number',
      'personnummret',
      'ssn',
      'personbeteckning',
      'personnr.',
      'svenskt personnummer',
      'födelsenummer',
      'pers.nr',
      'pers nr',
      'pers. nr',
      'persnr'
    ],
    valid: ['850312~-4532'],
    invalid: ['880320~-0017', '881320~-0016'],
    source: 'Skatteverket, SKV 704: Luhn over ten digits; 60 added to the day of a coordination number.'
  },
  {
    id: 'no_fodselsnummer',
    label: 'NO_FNR',
    title: 'Norwegian birth number',
    ways: [
      {
        forms: ['99999999999', '999999 99999', '999999999-99', '99-99-99-99999'],
        check: check.noFodselsnummer,
        proof: 'written'
      }
    ],
    words: [
      'fødselsnummer',
      'fodselsnummer',
      'fnr',
      'f.nr',
      'personnummer',
      'fødselsnr',
      'd-nummer',
      'norwegian id',
      'birth number',
      'personnr',
      'ssn',
      'pers.nr',
      'pers nr'
    ],
    valid: ['120385~82990'],
    invalid: ['100487~44733'],
    source: 'Skatteetaten: weights 3 7 6 1 8 9 4 5 2 and 5 4 3 2 7 6 5 4 3 2, modulo 11.'
  },
  {
    id: 'dk_cpr',
    label: 'DK_CPR',
    title: 'Danish personal number',
    ways: [{ forms: ['999999-9999', '9999999999', '999999 9999'], check: check.dkCpr, proof: 'loose' }],
    words: [
      'cpr',
      'cpr nummer',
      'cpr nr',
      'personnummer',
      'sundhedskort',
      'sundhedskortnummer',
      'sygesikring',
      'sygesikringsnummer',
      'sygesikringsbevis',
      'sygesikringskort',
      'centrale personregister'
    ],
    valid: ['120385~-0269'],
    invalid: ['311399~-4522'],
    source: 'CPR-kontoret: birthday and serial; its modulus 11 has not been kept since 2007.'
  },
  {
    id: 'is_kennitala',
    label: 'IS_KENNITALA',
    title: 'Icelandic identity number',
    ways: [{ forms: ['999999-9999', '9999999999', '999999 9999'], check: check.isKennitala, proof: 'loose' }],
    words: ['kennitala', 'kt.', 'kennitölu', 'kennitalan', 'kennitölunni', 'kt:', 'kt'],
    valid: ['120385~-2590'],
    invalid: ['120174~-3388'],
    source: 'Þjóðskrá Íslands: weights 3 2 7 6 5 4 3 2, modulo 11.'
  },
  {
    id: 'lt_ee_personal_code',
    label: 'BALTIC_ID',
    title: 'Lithuanian or Estonian personal code',
    ways: [{ forms: ['99999999999'], check: east.balticCode, proof: 'loose' }],
    words: [
      'asmens kodas',
      'isikukood',
      'a.k.',
      'personal code',
      'ik',
      'asmens kodą',
      'isikukoodi',
      'asmens kodo',
      'id code',
      'identity code',
      'personal identification code',
      'a. k',
      'asm. kodas',
      'asm kodas',
      'asmens kodu',
      'id kood',
      'isiku kood',
      'isikukoodiga',
      'isiklik kood',
      'isikliku numbri',
      'asmens skaitmeninis kodas',
      'piliečio numeris',
      'asmens identifikavimo'
    ],
    valid: ['385031~24318', '985031~24313'],
    invalid: ['3330924~0065'],
    source: 'Law on the population registers of Lithuania and Estonia: two rounds of weights, modulo 11.'
  },
  {
    id: 'lv_personas_kods',
    label: 'LV_PK',
    title: 'Latvian personal code',
    ways: [{ forms: ['999999-99999', '99999999999'], check: east.lvPersonasKods, proof: 'loose' }],
    words: [
      'personas kods',
      'pers. kods',
      'personas koda',
      'p.k.',
      'personas kodu',
      'personal code',
      'personal identity code',
      'pers. kods',
      'p. k.',
      'personas identifikācijas numurs',
      'nodokļu identifikācijas numurs',
      'personas numurs',
      'identifikācijas numurs'
    ],
    valid: ['120385~-10005'],
    invalid: ['161175~-19996'],
    source: 'Pilsonības un migrācijas lietu pārvalde: weights modulo 11; numbers since 2017 begin with 32.'
  },
  {
    id: 'se_organisationsnummer',
    label: 'SE_ORGNR',
    title: 'Swedish organisation number',
    tier: 'medium',
    ways: [{ forms: ['999999-9999', '9999999999'], check: check.seOrgnr, proof: 'loose' }],
    words: [
      'organisationsnummer',
      'orgnr',
      'org nr',
      'orgnummer',
      'company identity code',
      'organisation number',
      'organization number',
      'organisationsnr'
    ],
    valid: ['252278~-3204'],
    invalid: ['212000~-0143'],
    source: 'Bolagsverket: Luhn; third digit two or more.'
  }
]

export const northEuropeIdDetectors: readonly Detector[] = rows.map(idNumber)
