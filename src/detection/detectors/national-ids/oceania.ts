/** National identifiers of Australia and New Zealand. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import * as check from '../../validators/asia-pacific.ts'

const rows: readonly IdRow[] = [
  {
    id: 'au_tfn',
    label: 'AU_TFN',
    title: 'Australian tax file number',
    ways: [{ forms: ['999999999', '999 999 999', '999-999-999', '99999999'], check: check.auTfn, proof: 'loose' }],
    words: ['tfn', 'tax file', 'tax file number'],
    valid: ['64518~2533'],
    invalid: ['123 456~ 783'],
    source: 'Australian Taxation Office: weights 1 4 3 7 5 8 6 9 10, modulo 11.'
  },
  {
    id: 'au_medicare',
    label: 'AU_MEDICARE',
    title: 'Australian Medicare number',
    ways: [
      {
        forms: ['9999999999', '99999999999', '9999 99999 9', '9999 99999 99', '9999-99999-9'],
        check: check.auMedicare,
        proof: 'loose'
      }
    ],
    words: ['medicare', 'medicare number', 'medicare card'],
    valid: ['66757~04760'],
    invalid: ['2123~ 45671 1'],
    source: 'Services Australia: first digit two to six, weights 1 3 7 9, modulo 10.'
  },
  {
    id: 'au_abn',
    label: 'AU_ABN',
    title: 'Australian business number',
    tier: 'medium',
    ways: [
      { forms: ['99 999 999 999'], check: check.auAbn, proof: 'written' },
      { forms: ['99999999999', '99-999-999-999'], check: check.auAbn, proof: 'loose' }
    ],
    words: ['abn', 'business number', 'australian business'],
    valid: ['72 377 ~610 517'],
    invalid: ['51 824~ 753 557'],
    source: 'Australian Business Register: weights 10 1 3 to 19, modulo 89, first digit less one.'
  },
  {
    id: 'nz_ird',
    label: 'NZ_IRD',
    title: 'New Zealand tax number',
    ways: [
      {
        forms: ['999-999-999', '99-999-999', '999999999', '99999999', '999 999 999', '9999999-9'],
        check: check.nzIrd,
        proof: 'loose'
      }
    ],
    words: ['ird', 'ird number', 'inland revenue'],
    valid: ['146-80~6-493'],
    invalid: ['49-091~-851'],
    source: 'Inland Revenue: weights 3 2 7 6 5 4 3 2, then 7 4 3 2 5 2 7 6, modulo 11.'
  },
  {
    id: 'nz_nhi',
    label: 'NZ_NHI',
    title: 'New Zealand health number',
    ways: [{ forms: ['@@@9999', '@@@99@9', '@@@99@@'], check: check.nzNhi, proof: 'loose' }],
    words: ['nhi', 'nhi number', 'national health index'],
    valid: ['JBX2~820', 'KTR61~KS'],
    invalid: ['ZAC5~362'],
    source: 'Health New Zealand, HISO 10046: modulo 11 and, since 2026, modulo 23. From memory, not confirmed.'
  }
]

export const oceaniaIdDetectors: readonly Detector[] = rows.map(idNumber)
