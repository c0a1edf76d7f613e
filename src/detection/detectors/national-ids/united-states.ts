/** National identifiers of the United States. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import * as check from '../../validators/americas.ts'

const rows: readonly IdRow[] = [
  {
    id: 'us_ssn',
    label: 'US_SSN',
    title: 'US social security number',
    ways: [
      { forms: ['999-99-9999'], check: check.usSsn, proof: 'tight' },
      { forms: ['999999999', '999 99 9999', '999.99.9999'], check: check.usSsn, proof: 'loose' }
    ],
    words: [
      'ssn',
      // In X12: `REF*SY*536228726`.
      'ref*sy*',
      'social security',
      'social security number',
      'soc sec',
      'taxpayer id',
      'ss number',
      'ss#',
      'social security no',
      'soc. sec',
      'social sec',
      'social is',
      'social #',
      'ss no',
      'ssa number',
      'social security card',
      'my social'
    ],
    valid: ['536-22~-8726'],
    invalid: ['078-05~-1120', '666-12~-3456', '123-00~-4567', '536-22~-87261', '900-12~-3456'],
    source:
      'Social Security Administration, "SSN randomization": areas 000, 666 and 900-999, group 00 and serial 0000 are ' +
      'not assigned.'
  },
  {
    id: 'us_itin',
    label: 'US_ITIN',
    title: 'US individual taxpayer number',
    ways: [
      { forms: ['999-99-9999'], check: check.usItin, proof: 'tight' },
      { forms: ['999999999', '999 99 9999', '999-999999', '99999-9999'], check: check.usItin, proof: 'loose' }
    ],
    words: [
      'itin',
      'individual taxpayer',
      'taxpayer id',
      'tax id',
      'taxpayer identification',
      'ssn',
      'social security',
      'social security number'
    ],
    valid: ['912-70~-8455'],
    invalid: ['812-70~-1234', '912-69~-1234', '912-89~-1234', '987-65~-4321'],
    source: 'Internal Revenue Service, "Individual taxpayer identification number": groups 50-65, 70-88, 90-92, 94-99.'
  },
  {
    id: 'us_ein',
    label: 'US_EIN',
    title: 'US employer identification number',
    ways: [
      { forms: ['99-9999999'], check: check.usEin, proof: 'loose' },
      { forms: ['999999999'], check: check.usEin, proof: 'ambiguous' }
    ],
    words: [
      'ein',
      'employer identification',
      'employer id',
      'fein',
      'federal tax id',
      'tax id',
      'fed id',
      'federal id',
      'irs number'
    ],
    valid: ['36-28~19418'],
    invalid: ['07-123~4567', '89-123~4567'],
    source: 'Internal Revenue Service, "How EINs are assigned and valid EIN prefixes".'
  },
  {
    id: 'us_npi',
    label: 'US_NPI',
    title: 'US provider number',
    tier: 'low',
    group: 'pii',
    ways: [{ forms: ['9999999999', '9999-999-999', '9999 999 999'], check: check.usNpi, proof: 'loose' }],
    words: ['npi', 'national provider', 'provider identifier'],
    valid: ['21847~60587'],
    invalid: ['123456~7890', '323456~7893'],
    source: 'Centers for Medicare and Medicaid Services: Luhn over 80840 and the number.'
  },
  {
    id: 'us_dea',
    label: 'US_DEA',
    title: 'US prescriber number',
    tier: 'medium',
    group: 'pii',
    ways: [{ forms: ['@@9999999', '@99999999'], check: check.usDea, proof: 'loose' }],
    words: [
      'dea',
      'dea number',
      'prescriber',
      'medical license',
      'certificate number',
      'dea registration',
      'dea registration no'
    ],
    valid: ['MY871~4366', 'B9604~2181'],
    invalid: ['AB12~34567', 'IB12~34563', 'B8604~2181'],
    source: 'Drug Enforcement Administration, registration number: odd digits plus twice the even ones.'
  }
]

export const unitedStatesIdDetectors: readonly Detector[] = rows.map(idNumber)
