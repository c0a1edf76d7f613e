/** National identifiers of Africa and the Middle East. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import * as check from '../../validators/africa-mideast.ts'

const rows: readonly IdRow[] = [
  {
    id: 'tr_tckn',
    label: 'TR_TCKN',
    title: 'Turkish identity number',
    ways: [{ forms: ['99999999999'], check: check.trTckn, proof: 'loose' }],
    words: [
      'tc kimlik',
      'kimlik',
      'tckn',
      't.c. kimlik',
      'kimlik no',
      'tc no',
      'tc kimlik no',
      'turkish id',
      'turkish identification number',
      't.c. kimlik no',
      'kimlik numarası',
      'kimlik numarasi',
      'nüfus cüzdanı',
      'tc',
      'vatandaşlık no',
      'vatandaşlık numarası',
      'vatandaslik no',
      'tc numarası',
      'tc numaram',
      't.c. no',
      't.c. numarası'
    ],
    valid: ['260729~53600'],
    invalid: ['172917~16061'],
    source: 'Nüfus ve Vatandaşlık İşleri: tenth and eleventh digit by sums of the others.'
  },
  {
    id: 'il_teudat_zehut',
    label: 'IL_ID',
    title: 'Israeli identity number',
    ways: [{ forms: ['999999999', '99999999-9', '9999999-9'], check: check.ilId, proof: 'loose' }],
    words: [
      'ת"ז',
      'תעודת זהות',
      'ת.ז',
      'teudat zehut',
      'israeli id',
      'מספר זהות',
      'mispar zehut',
      'teudat zehut number',
      'תז',
      'מספר ת.ז',
      'מס זהות',
      'ת״ז',
      'ת.ז.',
      'מספר זיהוי'
    ],
    valid: ['48507~4090'],
    invalid: ['39337~4237'],
    source: 'Population and Immigration Authority of Israel: Luhn over nine digits.'
  },
  {
    id: 'ae_emirates_id',
    label: 'AE_EMIRATES_ID',
    title: 'Emirates identity number',
    ways: [
      { forms: ['999-9999-9999999-9'], check: check.aeEmirates, proof: 'tight' },
      { forms: ['999999999999999'], check: check.aeEmirates, proof: 'loose' }
    ],
    words: ['emirates id', 'eid', 'الهوية', 'رقم الهوية'],
    valid: ['784-1984-~0695651-0'],
    invalid: ['784-1980~-1234567-3'],
    source:
      'Federal Authority for Identity (UAE): 784, year of birth, serial, Luhn. Not checked against an official text.'
  },
  {
    id: 'sa_national_id',
    label: 'SA_ID',
    title: 'Saudi identity number',
    ways: [{ forms: ['9999999999'], check: check.saNational, proof: 'loose' }],
    words: [
      'iqama',
      'هوية',
      'رقم الهوية',
      'إقامة',
      'saudi id',
      'السجل المدني',
      'الهوية',
      'هويتي',
      'الهوية الوطنية',
      'رقم الإقامة',
      'إقامتي'
    ],
    valid: ['26735~89962'],
    invalid: ['10109~34785'],
    source: 'Ministry of Interior of Saudi Arabia: citizens 1, residents 2, Luhn. From memory, not confirmed.'
  },
  {
    id: 'ir_melli',
    label: 'IR_MELLI',
    title: 'Iranian national code',
    ways: [{ forms: ['9999999999', '999-999999-9'], check: check.irMelli, proof: 'loose' }],
    words: [
      'کد ملی',
      'شماره ملی',
      'code melli',
      'national code',
      'kode melli',
      'کدملی',
      'كد ملي',
      'كد ملى',
      'کد ملي',
      'شماره ملي'
    ],
    valid: ['66474~71863'],
    invalid: ['04995~70897'],
    source: 'Civil registration of Iran: weights 10 to 2, modulo 11.'
  },
  {
    id: 'kw_civil_id',
    label: 'KW_CIVIL_ID',
    title: 'Kuwaiti civil number',
    ways: [{ forms: ['999999999999'], check: check.isKuwaitCivil, proof: 'loose' }],
    words: ['civil id', 'الرقم المدني', 'البطاقة المدنية', 'civil number'],
    valid: ['285031~268319'],
    invalid: ['273032~401467'],
    source:
      'Public Authority for Civil Information: weights 2 1 6 3 7 9 10 5 8 4 2, modulo 11. From memory, not confirmed.'
  },
  {
    id: 'za_id',
    label: 'ZA_ID',
    title: 'South African identity number',
    ways: [{ forms: ['9999999999999', '999999 9999 999', '999999 9999 99 9'], check: check.zaId, proof: 'loose' }],
    words: [
      'id number',
      'identification number',
      'rsa id',
      'sa id',
      'identity number',
      'id no',
      'south african id',
      'resident number',
      'identity document',
      'id document',
      'south african identity',
      'smart id',
      'id nommer',
      'id-nommer',
      'identiteitsnommer',
      'id nr'
    ],
    valid: ['8503125~298088'],
    invalid: ['750330~5044088'],
    source: 'Identification Act 68 of 1997: birthday, sex, citizenship, Luhn.'
  },
  {
    id: 'ng_nin',
    label: 'NG_NIN',
    title: 'Nigerian identity number',
    ways: [
      { forms: ['99999999999', '9999 999 9999', '9999-999-9999'], check: check.ngNin, proof: 'loose' },
      // Whether all numbers have that digit is not published.
      { forms: ['99999999999'], check: (value) => !value.startsWith('12345'), proof: 'none' }
    ],
    words: [
      'nin',
      'national identification number',
      'nimc',
      'nigerian identification',
      'bvn',
      'bank verification number'
    ],
    valid: ['603258~95056'],
    invalid: ['1234567~8901'],
    source: 'National Identity Management Commission: eleven digits, Verhoeff.'
  },
  {
    id: 'ke_kra_pin',
    label: 'KE_KRA_PIN',
    title: 'Kenyan tax number',
    ways: [{ forms: ['A999999999@', 'P999999999@'], proof: 'written' }],
    words: ['kra pin', 'kra', 'pin number'],
    valid: ['P05136~5947M'],
    invalid: ['V05136~5947M'],
    source: 'Kenya Revenue Authority: A for persons, P for companies, nine digits, a letter.'
  },
  {
    id: 'eg_national_id',
    label: 'EG_ID',
    title: 'Egyptian national number',
    ways: [{ forms: ['99999999999999'], check: check.egNational, proof: 'loose' }],
    words: ['الرقم القومي', 'رقم قومي', 'national id', 'egyptian id', 'الرقم القومى', 'رقمي القومي', 'البطاقة'],
    valid: ['2500312~0122280'],
    invalid: ['290133~12100138'],
    source: 'Civil Status Organization of Egypt: century, birthday, governorate, serial. From memory, not confirmed.'
  },
  {
    id: 'mu_nid',
    label: 'MU_NID',
    title: 'Mauritian identity number',
    ways: [{ forms: ['@999999999999?'], check: check.muNid, proof: 'tight' }],
    words: ['nid', 'nic', 'national identity'],
    valid: ['A120385~783354A'],
    invalid: ['J29104~8250017C'],
    source: 'Mauritius National Identity Card: letter of the surname, birthday, serial, check character modulo 17.'
  },
  {
    id: 'tn_cin',
    label: 'TN_CIN',
    title: 'Tunisian identity number',
    tier: 'medium',
    ways: [{ forms: ['09999999', '19999999'], proof: 'loose' }],
    words: ['cin', 'بطاقة التعريف', 'carte d’identité nationale'],
    valid: ['0999~8765'],
    invalid: ['29998~765'],
    source:
      'Ministry of Interior of Tunisia: eight digits, the first 0 or 1; no check digit. From memory, not confirmed.'
  },
  {
    id: 'ly_national_id',
    label: 'LY_ID',
    title: 'Libyan national number',
    ways: [{ forms: ['999999999999'], check: check.lyNational, proof: 'loose' }],
    words: ['الرقم الوطني', 'national number', 'libyan id', 'رقم وطني'],
    valid: ['119850~364906'],
    invalid: ['319880~123456'],
    source: 'Civil Registry of Libya: sex, year of birth, serial; no check digit. From memory, not confirmed.'
  }
]

export const africaMideastIdDetectors: readonly Detector[] = rows.map(idNumber)
