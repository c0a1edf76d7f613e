/** National identifiers of Asia. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import * as check from '../../validators/asia-pacific.ts'

const rows: readonly IdRow[] = [
  {
    id: 'in_aadhaar',
    label: 'IN_AADHAAR',
    title: 'Indian Aadhaar number',
    ways: [
      { forms: ['9999 9999 9999', '9999-9999-9999', '999999999999'], check: check.inAadhaar, proof: 'loose' },
      { forms: ['9999999999999999'], check: check.inAadhaar, proof: 'loose' }
    ],
    words: ['aadhaar', 'aadhar', 'uidai', 'आधार', 'adhaar', 'uidai no', 'uid no', 'uid number', 'adhar'],
    valid: ['5276 06~63 7175'],
    invalid: ['2341~ 2341 2347', '1234~ 1234 1238'],
    source: 'UIDAI: first digit two to nine, Verhoeff; the virtual id has sixteen digits.'
  },
  {
    id: 'in_pan',
    label: 'IN_PAN',
    title: 'Indian permanent account number',
    ways: [{ forms: ['@@@@@9999@'], check: check.inPan, proof: 'written' }],
    words: ['pan', 'pan number', 'pan card', 'permanent account', 'income tax'],
    valid: ['AFZPK~7140K'],
    invalid: ['ACUQD1~2345', 'ABCDE1~234F'],
    source: 'Income Tax Department: fourth letter tells the kind of holder. The check letter is not published.'
  },
  {
    id: 'in_gstin',
    label: 'IN_GSTIN',
    title: 'Indian goods and services tax number',
    ways: [
      { forms: ['99@@@@@9999@?Z?'], check: check.inGstin, proof: 'tight' },
      { forms: ['99@@@@@9999@?Z?', '99 @@@@@9999@ ?Z?'], check: check.inGstinForm, proof: 'loose' }
    ],
    words: ['gstin', 'gst', 'gst number'],
    valid: ['27AAPFU0~835F1ZW', '27 AAPFU0~835F 1ZW'],
    invalid: ['00AAPFU0~939F1ZV'],
    source: 'GST Network: state, PAN, number, Z, check character in base 36.'
  },
  {
    id: 'in_voter_passport',
    label: 'IN_VOTER',
    title: 'Indian voter card or passport number',
    tier: 'medium',
    ways: [{ forms: ['@@@9999999'], proof: 'none' }],
    words: [
      'epic',
      'voter',
      'voter id',
      'voter card',
      'मतदाता पहचान पत्र',
      'मतदाता पहचान',
      'voter card number',
      'vote',
      'voter id card',
      'epic no',
      'epic number'
    ],
    valid: ['WKH1~186253'],
    invalid: ['WKH1~18625X'],
    source: 'Election Commission of India; Ministry of External Affairs: forms alone.'
  },
  {
    id: 'kr_rrn',
    label: 'KR_RRN',
    title: 'Korean resident registration number',
    ways: [
      { forms: ['999999-9999999'], check: check.krRrn, proof: 'written' },
      { forms: ['9999999999999', '999999 9999999'], check: check.krRrn, proof: 'loose' },
      { forms: ['999999-9999999'], check: check.krRrnForm, proof: 'none' }
    ],
    words: [
      '주민등록',
      '주민등록번호',
      '주민번호',
      'rrn',
      'resident registration',
      '외국인등록번호',
      'frn',
      '외국인번호',
      '주민 번호',
      '주민등록 번호'
    ],
    valid: ['850312-~1137292'],
    invalid: ['971313~-9019902', '971013~-0019903'],
    source:
      'Ministry of the Interior and Safety: weights 2 to 9 and 2 to 5, modulo 11, until 2020; random digits since.'
  },
  {
    id: 'jp_my_number',
    label: 'JP_MY_NUMBER',
    title: 'Japanese individual number',
    ways: [{ forms: ['999999999999', '9999 9999 9999', '9999-9999-9999'], check: check.jpMyNumber, proof: 'loose' }],
    words: [
      'マイナンバー',
      '個人番号',
      'my number',
      'mynumber',
      'individual number',
      'kojin bango',
      'kojin bangō',
      '個人識別番号',
      '共通番号'
    ],
    valid: ['414526~435108'],
    invalid: ['6214~ 9832 0258'],
    source: 'Ministry of Internal Affairs, ordinance 85 of 2014: weights 6 to 2 and 7 to 2, modulo 11.'
  },
  {
    id: 'cn_resident_id',
    label: 'CN_RESIDENT_ID',
    title: 'Chinese resident identity number',
    ways: [
      { forms: ['999999999999999999', '99999999999999999X'], check: check.cnResidentId, proof: 'tight' },
      { forms: ['999999999999999'], check: check.cnFirstResidentId, proof: 'loose' }
    ],
    words: ['身份证', '身份证号', '居民身份证', '公民身份', '身份證', '身分證', '身份証', 'resident id', 'id card'],
    valid: ['110101188~503127287', '310104560~312278'],
    invalid: ['360426~199101010072', '160104560~312278', '310104561~312278'],
    source:
      'GB 11643-1999: region, birthday, serial, ISO 7064 MOD 11-2; GB 11643-1989: fifteen digits. Regions: GB 2260.'
  },
  {
    id: 'tw_national_id',
    label: 'TW_ID',
    title: 'Taiwanese identity number',
    ways: [{ forms: ['@999999999', '@@99999999'], check: check.twNationalId, proof: 'loose' }],
    words: [
      '身分證',
      '身分證字號',
      '身分證號',
      '統一證號',
      '居留證',
      '身份證號碼',
      '身分證號碼',
      '身份證字號',
      '國民身分證',
      '統一編號',
      'id number',
      'id no',
      'national id',
      'taiwan id',
      '身份證'
    ],
    valid: ['F1652~24657'],
    invalid: ['A12345~6788'],
    source: 'Ministry of the Interior, Taiwan: letter as two digits, weights 1 9 8 to 1 1, modulo 10.'
  },
  {
    id: 'hk_hkid',
    label: 'HK_ID',
    title: 'Hong Kong identity number',
    ways: [
      {
        forms: [
          ...['@9999999', '@999999A', '@@9999999', '@@999999A'],
          ...['@999999(9)', '@@999999(9)', '@999999(A)', '@@999999(A)']
        ],
        check: check.hkId,
        proof: 'loose'
      }
    ],
    words: [
      'hkid',
      'hkic',
      '香港身份證',
      '身份證號碼',
      'hong kong id',
      'hk id',
      '身份證',
      '身份證號',
      '身分證',
      '身份証',
      '身分証',
      'id card',
      'id no',
      'id number',
      'identity card'
    ],
    valid: ['K836~7043', 'M14399~4(A)'],
    invalid: ['G12345~68'],
    source: 'Immigration Department of Hong Kong: weights 9 to 2, modulo 11.'
  },
  {
    id: 'sg_nric_fin',
    label: 'SG_NRIC',
    title: 'Singaporean NRIC or FIN number',
    ways: [
      { forms: ['@9999999@'], check: check.sgNric, proof: 'tight' },
      { forms: ['S9999999@', 'T9999999@', 'F9999999@', 'G9999999@', 'M9999999@', 'A9999999Z'], proof: 'loose' }
    ],
    words: ['nric', 'fin', 'nric no', 'fin no', 'identity card', 'ic no', 'ic number', 'foreign identification number'],
    valid: ['S7936~529A'],
    invalid: ['Q27401~16F'],
    source: 'Immigration and Checkpoints Authority: weights 2 7 6 5 4 3 2 and tables of letters.'
  },
  {
    id: 'my_mykad',
    label: 'MY_MYKAD',
    title: 'Malaysian identity number',
    ways: [{ forms: ['999999-99-9999', '999999999999'], check: check.myKad, proof: 'loose' }],
    words: [
      'mykad',
      'mykid',
      'i/c',
      'nric',
      'ic',
      'ic no',
      'ic number',
      'kad pengenalan',
      'no. kp',
      'kp',
      'k/p',
      'no k/p',
      'no. k/p',
      'nokp',
      'no kp',
      'nombor kp',
      'no ic'
    ],
    valid: ['850312-~14-4456'],
    invalid: ['891331~-06-1224'],
    source: 'Jabatan Pendaftaran Negara: birthday, place of birth, serial; no check digit.'
  },
  {
    id: 'id_nik',
    label: 'ID_NIK',
    title: 'Indonesian identity number',
    ways: [{ forms: ['9999999999999999', '999999.999999.9999'], check: check.idNik, proof: 'loose' }],
    words: ['nik', 'ktp', 'nomor induk kependudukan', 'no ktp', 'kartu tanda penduduk', 'nomor ktp', 'nomor nik'],
    valid: ['31710412~03858798'],
    invalid: ['317113~1213670001'],
    source: 'Ditjen Dukcapil: region, birthday with 40 added for women, serial; no check digit.'
  },
  {
    id: 'id_npwp',
    label: 'ID_NPWP',
    title: 'Indonesian tax number',
    ways: [
      { forms: ['99.999.999.9-999.999'], check: check.idNpwp, proof: 'written' },
      // No other number has these groups; samples seldom have the digit.
      { forms: ['99.999.999.9-999.999'], proof: 'ambiguous' },
      { forms: ['999999999999999', '9999999999999999'], check: check.idNpwp, proof: 'loose' }
    ],
    words: ['npwp', 'nomor pokok wajib pajak'],
    valid: ['63.435.537~.4-283.797', '06343553~74283797'],
    invalid: ['01.312.166~.1-091.00'],
    source: 'Direktorat Jenderal Pajak: Luhn over the first nine digits.'
  },
  {
    id: 'th_pin',
    label: 'TH_ID',
    title: 'Thai identity number',
    ways: [
      {
        forms: ['9-9999-99999-99-9', '9 9999 99999 99 9', '9-99-9-999-99999-9', '9 99 9 999 99999 9'],
        check: check.thPin,
        proof: 'tight'
      },
      { forms: ['9999999999999'], check: check.thPin, proof: 'loose' }
    ],
    words: [
      'บัตรประชาชน',
      'เลขประจำตัวประชาชน',
      'thai id',
      'เลขบัตร',
      'tnin',
      'thai national',
      'ประจำตัวผู้เสียภาษี',
      '13 หลัก',
      'เลขประจำตัว',
      'citizen id'
    ],
    valid: ['3-2268-47~769-56-7'],
    invalid: ['1-2345~-45678-78-2'],
    source: 'Department of Provincial Administration: weights 13 to 2, modulo 11.'
  },
  {
    id: 'ph_tin_philsys',
    label: 'PH_TIN',
    title: 'Philippine tax or identity number',
    ways: [
      { forms: ['999-999-999-999'], check: check.phHeadOffice, proof: 'written' },
      {
        forms: ['999-999-999-999', '999-999-999', '999-999-999-9999', '999999999', '999999999999'],
        check: check.phTin,
        proof: 'none'
      },
      { forms: ['9999-9999-9999-9999', '9999-9999999-9'], proof: 'none' }
    ],
    words: [
      'tin',
      'tin number',
      'tax identification',
      'philsys',
      'psn',
      'pcn',
      'umid',
      'crn',
      'your id',
      'taxpayer identification'
    ],
    valid: ['284-617-~035-000'],
    invalid: ['000-000~-000-000'],
    source: 'Bureau of Internal Revenue and PSA of the Philippines: forms alone.'
  },
  {
    id: 'vn_cccd',
    label: 'VN_CCCD',
    title: 'Vietnamese identity number',
    ways: [
      { forms: ['999999999999'], check: check.vnCccd, proof: 'none' },
      // Cards before 2016.
      { forms: ['999999999'], proof: 'none' }
    ],
    words: ['cccd', 'căn cước', 'can cuoc', 'cmnd', 'chứng minh nhân dân', 'mã định danh'],
    valid: ['075085~012483', '0237~48291'],
    invalid: ['999099~000001'],
    source:
      'Decree 137/2015/ND-CP: province, sex and century, year, serial; no check digit. From memory, not confirmed.'
  },
  {
    id: 'pk_cnic',
    label: 'PK_CNIC',
    title: 'Pakistani identity number',
    ways: [
      { forms: ['99999-9999999-9'], check: check.pkCnic, proof: 'written' },
      { forms: ['9999999999999'], check: check.pkCnic, proof: 'none' }
    ],
    words: ['cnic', 'nicop', 'شناختی کارڈ', 'nadra', 'snic'],
    valid: ['42201-84~22979-9'],
    invalid: ['02201~-0891231-1'],
    source: 'NADRA: province, serial, sex; no check digit.'
  },
  {
    id: 'bd_nid',
    label: 'BD_NID',
    title: 'Bangladeshi identity number',
    ways: [{ forms: ['9999999999', '9999999999999', '99999999999999999'], proof: 'none' }],
    words: ['nid', 'এনআইডি', 'জাতীয় পরিচয়পত্র', 'national id', 'nid number', 'ভোটার আইডি'],
    valid: ['1987~501234'],
    invalid: ['198750~1234X'],
    source: 'Election Commission of Bangladesh: lengths alone. From memory, not confirmed.'
  },
  {
    id: 'lk_nic',
    label: 'LK_NIC',
    title: 'Sri Lankan identity number',
    ways: [{ forms: ['999999999V', '999999999X', '999999999999'], check: check.lkNic, proof: 'loose' }],
    words: ['nic', 'national identity', 'nic number', 'ජාතික හැඳුනුම්පත', 'தேசிய அடையாள அட்டை'],
    valid: ['85731~6826V'],
    invalid: ['859001~234V'],
    source:
      'Department for Registration of Persons: year, day of the year with 500 added for women, serial. From memory, not confirmed.'
  }
]

export const asiaIdDetectors: readonly Detector[] = rows.map(idNumber)
