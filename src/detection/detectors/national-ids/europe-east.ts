/** National identifiers of central, south-eastern and eastern Europe. */
import type { Detector } from '../../detector.ts'
import { idNumber, type IdRow } from '../../numbers/id-number.ts'
import { withSeries } from './russian-passport.ts'
import * as check from '../../validators/europe-east.ts'

const rows: readonly IdRow[] = [
  {
    id: 'pl_pesel',
    label: 'PL_PESEL',
    title: 'Polish PESEL number',
    ways: [{ forms: ['99999999999'], check: check.plPesel, proof: 'loose' }],
    words: ['pesel', 'numer pesel', 'peselu', 'peselem', 'nr ewidencyjny', 'numer ewidencyjny'],
    valid: ['850312~28717'],
    invalid: ['44051~401358'],
    source: 'Ministerstwo Cyfryzacji: weights 1 3 7 9, modulo 10; century in the month.'
  },
  {
    id: 'pl_nip',
    label: 'PL_NIP',
    title: 'Polish tax number',
    ways: [
      { forms: ['999-999-99-99', '999-99-99-999'], check: check.plNip, proof: 'written' },
      { forms: ['9999999999'], check: check.plNip, proof: 'loose' }
    ],
    words: ['nip', 'numer nip', 'podatkowy', 'podatkowej'],
    valid: ['038-657~-01-46'],
    invalid: ['856-734~-62-16'],
    source: 'Ministerstwo Finansów: weights 6 5 7 2 3 4 5 6 7, modulo 11.'
  },
  {
    id: 'pl_dowod',
    label: 'PL_DOWOD',
    title: 'Polish identity card number',
    tier: 'medium',
    ways: [{ forms: ['@@@999999', '@@@ 999999'], check: check.plIdCard, proof: 'loose' }],
    words: [
      'dowód',
      'dowod',
      'dowód osobisty',
      'dowod osobisty',
      'seria i numer',
      'dowodu',
      'dowodem',
      'seria i nr',
      'dowodu osobistego',
      'dowodem osobistym',
      'dow. os',
      'nr dowodu'
    ],
    valid: ['KBT47~5017'],
    invalid: ['ABS1~23457'],
    source: 'Ministerstwo Spraw Wewnętrznych: weights 7 3 1 9 7 3 1 7 3, modulo 10.'
  },
  {
    id: 'cz_sk_rodne_cislo',
    label: 'CZ_SK_RC',
    title: 'Czech or Slovak birth number',
    ways: [
      { forms: ['999999/9999'], check: check.rodneCislo, proof: 'written' },
      { forms: ['999999/999', '9999999999', '999999999', '999999 9999'], check: check.rodneCislo, proof: 'loose' }
    ],
    words: [
      'rodné číslo',
      'rodne cislo',
      'r.č.',
      'rč',
      'birth number',
      'rodného čísla',
      'rodné č.',
      'rod. číslo',
      'rod. č',
      'r. č',
      'r.č',
      'rodným číslem',
      'rodným č',
      'rodného č'
    ],
    valid: ['850312~/0340'],
    invalid: ['710319~/2746'],
    source: 'Act 133/2000 (Czech Republic): modulo 11; 50 added to the month of women.'
  },
  {
    id: 'hu_taj_adoazonosito',
    label: 'HU_TAJ',
    title: 'Hungarian social security or tax number',
    ways: [
      { forms: ['999999999', '999 999 999', '999-999-999'], check: check.huTaj, proof: 'loose' },
      { forms: ['9999999999'], check: check.huTaxId, proof: 'loose' }
    ],
    words: [
      'taj',
      'taj szám',
      'adóazonosító',
      'adoazonosito',
      'adóazonosító jel',
      'tajszám',
      'tajszámom',
      'taj számom',
      'társadalombiztosítási azonosító',
      'tb szám',
      'adóazonosítóm',
      'adóazonosító jelem',
      'adóaz',
      'adóaz. jel',
      'adóazonosító jele',
      'tajszáma',
      'taj száma',
      'adószám',
      'adószámom',
      'társadalombiztosítási szám'
    ],
    valid: ['54117~9708'],
    invalid: ['11111111~1', '8071592~152'],
    source: 'Act XX of 1996 (Hungary): weights 3 and 7 modulo 10 (TAJ), 1 to 9 modulo 11 (tax).'
  },
  {
    id: 'ro_cnp',
    label: 'RO_CNP',
    title: 'Romanian personal code',
    ways: [{ forms: ['9999999999999'], check: check.roCnp, proof: 'loose' }],
    words: [
      'cnp',
      'cod numeric personal',
      'codul numeric personal',
      'cod identificare personal',
      'cod unic identificare',
      'identificare fiscală',
      'codul fiscal',
      'număr personal'
    ],
    valid: ['1850312~408439'],
    invalid: ['163061~5123458'],
    source: 'Direcția Generală pentru Evidența Persoanelor: weights 2 7 9 1 4 6 3 5 8 2 7 9, modulo 11.'
  },
  {
    id: 'bg_egn',
    label: 'BG_EGN',
    title: 'Bulgarian civil number',
    ways: [
      { forms: ['9999999999', '999999 9999'], check: check.bgEgn, proof: 'loose' },
      { forms: ['9999999999'], check: check.bgPnf, proof: 'ambiguous' }
    ],
    words: [
      'егн',
      'egn',
      'единен граждански номер',
      'лнч',
      'личен номер на чужденец',
      'pnf',
      'bucn',
      'edinen grazhdanski nomer',
      'личен номер',
      'национален номер',
      'uniform civil number'
    ],
    valid: ['85031~28873', '64021~83770'],
    invalid: ['752316~9264'],
    source: 'GRAO (Bulgaria): weights 2 4 8 5 10 9 7 3 6, modulo 11.'
  },
  {
    id: 'hr_oib',
    label: 'HR_OIB',
    title: 'Croatian personal number',
    ways: [{ forms: ['99999999999'], check: check.hrOib, proof: 'loose' }],
    words: [
      'oib',
      'osobni identifikacijski',
      'osobni identifikacijski broj',
      'oib broj',
      'porezni broj',
      'porezni identifikacijski broj'
    ],
    valid: ['978099~27070'],
    invalid: ['3339200~5962'],
    source: 'Porezna uprava: ISO 7064 MOD 11,10.'
  },
  {
    id: 'jmbg_emso',
    label: 'JMBG',
    title: 'personal number of the former Yugoslavia',
    ways: [{ forms: ['9999999999999'], check: check.jmbg, proof: 'loose' }],
    words: [
      'jmbg',
      'emšo',
      'emso',
      'матични број',
      'јмбг',
      'матичен број',
      'ембг',
      'matični broj',
      'maticni broj',
      'enotna matična številka',
      'master citizen number',
      'единствени матични број',
      'osebna številka',
      'jmb',
      'embg'
    ],
    valid: ['1203985~772195', '2105962~719370'],
    invalid: ['010100~6500007'],
    source: 'Law on the personal number of Serbia, Bosnia, Montenegro, North Macedonia and Slovenia: modulo 11.'
  },
  {
    id: 'gr_amka',
    label: 'GR_AMKA',
    title: 'Greek social security number',
    ways: [{ forms: ['99999999999'], check: check.grAmka, proof: 'loose' }],
    words: ['αμκα', 'amka', 'αριθμός μητρώου κοινωνικής ασφάλισης', 'κοινωνικής ασφάλισης'],
    valid: ['120385~55095'],
    invalid: ['0101309~9998'],
    source: 'IDIKA: birthday, serial, Luhn.'
  },
  {
    id: 'gr_afm',
    label: 'GR_AFM',
    title: 'Greek tax number',
    ways: [{ forms: ['999999999'], check: check.grAfm, proof: 'loose' }],
    words: ['αφμ', 'afm', 'αριθμός φορολογικού μητρώου', 'φορολογικού μητρώου', 'φπα'],
    valid: ['09366~2581'],
    invalid: ['094259~215'],
    source: 'AADE: powers of two modulo 11.'
  },
  {
    id: 'cy_tic_mt_id',
    label: 'CY_MT_ID',
    title: 'Cypriot tax or Maltese identity number',
    ways: [
      { forms: ['99999999@'], check: check.cyTic, proof: 'loose' },
      {
        forms: ['9999999M', '9999999G', '9999999A', '9999999P', '9999999L', '9999999H', '9999999B', '9999999Z'],
        proof: 'loose'
      }
    ],
    words: [
      'tic',
      'karta tal-identità',
      'karta tal-identita',
      'maltese id',
      'afm',
      'identity card',
      'αφτ',
      'id card',
      'id card no',
      'tax identification code',
      'φορολογικής ταυτότητας',
      'numru tal identità',
      'numru tal id',
      'numru identifikazzjoni',
      'φορολογική ταυτότητα'
    ],
    valid: ['79601~108Z'],
    invalid: ['102590~33Q'],
    source: 'Cyprus Tax Department: table modulo 26. Identity Malta: seven digits and a letter.'
  },
  {
    id: 'ua_rnokpp',
    label: 'UA_RNOKPP',
    title: 'Ukrainian tax number',
    ways: [{ forms: ['9999999999'], check: check.uaRnokpp, proof: 'loose' }],
    words: [
      'рнокпп',
      'ідент. код',
      'іпн',
      'ідентифікаційний код',
      'rnokpp',
      'ипн',
      'ipn:',
      'ipn=',
      'ipn"',
      "ipn'",
      'ipn>',
      'rntrc',
      'облікової картки',
      'номер платника',
      'ідентифікаційний номер',
      'инн',
      'ідентифікаційного номера',
      'ідентифікаційний номер платника',
      'платника податків',
      'номера облікової картки',
      'податковий номер',
      'індивідуальний податковий'
    ],
    valid: ['00326~97894'],
    invalid: ['1759013~777'],
    source: 'State Tax Service of Ukraine: weights -1 5 7 9 4 6 10 5 7, modulo 11.'
  },
  {
    id: 'ru_inn',
    label: 'RU_INN',
    title: 'Russian tax number',
    ways: [{ forms: ['999999999999', '9999999999'], check: check.ruInn, proof: 'loose' }],
    // The bare Latin word means a hotel, so the words must read as a name.
    words: [
      'инн',
      'inn:',
      'inn=',
      'inn"',
      "inn'",
      'inn>',
      'inn\\\\',
      'идентификационный номер налогоплательщика',
      'налоговый номер',
      'инн физлица'
    ],
    valid: ['141560~226770'],
    invalid: ['1234567~895'],
    source: 'Federal Tax Service of Russia, order MMV-7-6/435: two check digits modulo 11.'
  },
  {
    id: 'ru_snils',
    label: 'RU_SNILS',
    title: 'Russian pension insurance number',
    ways: [
      { forms: ['999-999-999 99', '999-999-999-99'], check: check.ruSnils, proof: 'written' },
      { forms: ['99999999999'], check: check.ruSnils, proof: 'loose' }
    ],
    words: ['снилс', 'snils', 'страховой номер', 'страховое свидетельство'],
    valid: ['990-992~-094 80'],
    invalid: ['112-233~-445 96'],
    source: 'Pension Fund of Russia: weights 9 to 1, modulo 101.'
  },
  {
    id: 'ru_passport',
    label: 'RU_PASSPORT',
    title: 'Russian passport number',
    tier: 'medium',
    ways: [
      {
        forms: ['9999 999999', '99 99 999999', '9999999999'],
        check: (value) => Number(value.slice(0, 2)) > 0,
        proof: 'none'
      }
    ],
    words: [
      'паспорт',
      'паспорта',
      'серия и номер',
      'passport',
      'passport number',
      'passport no',
      'серия номер',
      'паспортные данные',
      'серия паспорта',
      'номер паспорта'
    ],
    valid: ['4500 3~18462'],
    invalid: ['0012 3~45678'],
    source: 'Ministry of Internal Affairs of Russia: region, year, serial.'
  },
  {
    id: 'by_personal_number',
    label: 'BY_ID',
    title: 'Belarusian personal number',
    ways: [{ forms: ['9999999@999@@9'], check: check.byPersonal, proof: 'tight' }],
    words: ['личный номер', 'идентификационный номер', 'асабісты нумар', 'personal number'],
    valid: ['3110785~A994PB5'],
    invalid: ['3110172~A001PB1'],
    source: 'Law of Belarus on the population register: weights 7-3-1. Not checked against an official example.'
  },
  {
    id: 'kz_iin',
    label: 'KZ_IIN',
    title: 'Kazakh individual number',
    ways: [{ forms: ['999999999999'], check: check.kzIin, proof: 'loose' }],
    words: ['иин', 'жсн', 'iin', 'индивидуальный идентификационный номер', 'жеке сәйкестендіру нөмірі'],
    valid: ['850312~334463'],
    invalid: ['8513013~00015'],
    source:
      'Law of Kazakhstan on national registers of identification numbers: two rounds of weights, modulo 11. From memory, not confirmed.'
  }
]

export const eastEuropeIdDetectors: readonly Detector[] = rows.map((row) =>
  row.id === 'ru_passport' ? withSeries(idNumber(row)) : idNumber(row)
)
