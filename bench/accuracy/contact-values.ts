/** Generated telephone numbers, dates of birth, accounts and cards, in the notations of many countries. */
import type { SeededRandom } from '../../test/support/random.ts'
import { capitals, countdown, digits, from, numberOf, two, weighted, withLuhn } from './check-digits.ts'
import type { Maker } from './secret-values.ts'

/**
 * How numbers are written within a country and from abroad: `N` is a digit from 2 to 9, `#` any digit. The first digits
 * are those of mobile networks or large cities.
 */
const phones: Readonly<Record<string, readonly string[]>> = {
  ae: ['050 N## ####', '+971 50 N## ####', '+97150N######'],
  ar: ['+54 9 11 N###-####', '(011) N###-####', '11 N### ####'],
  at: ['0664 N######', '+43 664 N######', '0664/N## ## ##'],
  au: ['0412 N## ###', '+61 412 N## ###', '(02) 9N## ####'],
  be: ['0475 N# ## ##', '+32 475 N# ## ##', '02 N## ## ##'],
  br: ['(11) 9N###-####', '+55 11 9N###-####', '11 9N### ####'],
  ch: ['079 N## ## ##', '+41 79 N## ## ##', '044 N## ## ##'],
  cl: ['+56 9 N### ####', '9 N### ####'],
  cn: ['138N#######', '+86 138 N### ####', '138-N###-####'],
  co: ['310 N## ####', '+57 310 N## ####'],
  cz: ['602 N## ###', '+420 602 N## ###'],
  de: ['0171 N######', '0151-N#######', '+49 (0)89 N######', '089/N######', '+49171N######'],
  dk: ['+45 2N ## ## ##', '2N ## ## ##'],
  eg: ['0100 N## ####', '+20 100 N## ####'],
  es: ['612 N## ###', '+34 612 N# ## ##', '91 N## ## ##'],
  fi: ['040 N## ####', '+358 40 N## ####'],
  fr: ['06.1#.N#.##.##', '+33 (0)6 1# N# ## ##', '061#N#####', '01 4# N# ## ##'],
  gr: ['697 N## ####', '+30 697 N## ####', '210 N######'],
  hk: ['9N## ####', '+852 9N## ####'],
  hu: ['06 30 N## ####', '+36 30 N## ####'],
  id: ['0812-N###-####', '+62 812 N### ####'],
  ie: ['087 N## ####', '+353 87 N## ####'],
  il: ['052-N######', '+972 52-N##-####'],
  in: ['98N## #####', '+91 98N## #####', '98N#######'],
  it: ['347 N######', '+39 347 N######', '02 4N## ####'],
  jp: ['090-N###-####', '+81 90-N###-####', '03-N###-####'],
  ke: ['0722 N#####', '+254 722 N#####'],
  kr: ['010-N###-####', '+82 10-N###-####'],
  mx: ['55 N### ####', '+52 55 N### ####', '(55) N###-####'],
  my: ['012-N## ####', '+60 12-N## ####'],
  ng: ['0803 N## ####', '+234 803 N## ####'],
  nl: ['06 12N#####', '06-12N#####', '+31 6 12N#####', '020 N## ####'],
  no: ['+47 9N# ## ###', '9N# ## ###'],
  nz: ['021 N## ####', '+64 21 N## ####'],
  ph: ['0917 N## ####', '+63 917 N## ####'],
  pk: ['0300 N######', '+92 300 N######'],
  pl: ['601 N## ###', '+48 601 N## ###', '601-N##-###'],
  pt: ['912 N## ###', '+351 912 N## ###'],
  ro: ['0722 N## ###', '+40 722 N## ###'],
  rs: ['063 N## ###', '+381 63 N## ###'],
  ru: ['+7 (916) N##-##-##', '8 916 N## ## ##', '8(916)N##-##-##'],
  sa: ['050 N## ####', '+966 50 N## ####'],
  se: ['070-N## ## ##', '+46 70 N## ## ##', '08-N## ### ##'],
  sg: ['9N## ####', '+65 9N## ####'],
  th: ['081-N##-####', '+66 81 N## ####'],
  tr: ['0532 N## ## ##', '+90 532 N## ## ##'],
  tw: ['0912-N##-###', '+886 912 N## ###'],
  ua: ['067 N## ## ##', '+380 67 N## ## ##', '(067) N##-##-##'],
  uk: ['07700 N#####', '07N## ######', '020 7N## ####', '+44 (0)20 7N## ####', '01632 N#####'],
  us: ['312.N##.####', '312-N##-####', '+1 (312) N##-####', '1-312-N##-####', '(312) N##-#### ext. 4#'],
  vn: ['0903 N## ###', '+84 903 N## ###'],
  za: ['082 N## ####', '+27 82 N## ####']
}

const written = (random: SeededRandom, pattern: string): string =>
  pattern.replace(/[N#]/g, (place) => random.text(place === 'N' ? digits.slice(2) : digits, 1))

const phoneMakers = Object.fromEntries(
  Object.entries(phones).map(([country, forms]): [string, Maker] => [
    `tel_${country}`,
    (random, variant) => written(random, forms[variant % forms.length] as string)
  ])
)

/** ISO 13616, as `iban` in `personal-values.ts`; the country's own check digits are part of the account. */
function ibanOf(country: string, account: string): string {
  const letters = Array.from(`${account}${country}00`, (letter) => String(Number.parseInt(letter, 36))).join('')
  return `${country}${two(98 - Number(BigInt(letters) % 97n))}${account}`
}

/** Bank, branch, account and key of a French account. */
function frenchAccount(random: SeededRandom): string {
  const [bank, branch, account] = [numberOf(random, 5), numberOf(random, 5), random.text(digits, 11)]
  const key = 97n - ((89n * BigInt(bank) + 15n * BigInt(branch) + 3n * BigInt(account)) % 97n)
  return `${bank}${branch}${account}${two(Number(key))}`
}

const ibans: Readonly<Record<string, Maker>> = {
  at: (random) => ibanOf('AT', numberOf(random, 16)),
  ch: (random) => ibanOf('CH', `00${numberOf(random, 15)}`),
  fr: (random) => ibanOf('FR', frenchAccount(random)),
  be: (random) => {
    const body = numberOf(random, 10)
    return ibanOf('BE', body + two(Number(body) % 97 || 97))
  },
  ie: (random) => ibanOf('IE', `AIBK${numberOf(random, 14)}`),
  pl: (random) => {
    const bank = `1${random.text(digits, 6)}`
    return ibanOf('PL', `${bank}${(10 - (weighted(bank, [3, 9, 7, 1]) % 10)) % 10}${random.text(digits, 16)}`)
  },
  pt: (random) => {
    const body = numberOf(random, 19)
    return ibanOf('PT', body + two(98 - Number((BigInt(body) * 100n) % 97n)))
  },
  gb: (random) => ibanOf('GB', `LOYD${numberOf(random, 14)}`),
  sa: (random) => ibanOf('SA', `80${random.text(digits, 18)}`),
  tr: (random) => ibanOf('TR', `000620${random.text(digits, 16)}`)
}
const ibanCountries = Object.values(ibans)
const inFours = (text: string): string => text.replace(/.{4}(?=.)/g, '$& ')

const card = (random: SeededRandom): string => withLuhn(`4${random.text(digits, 14)}`)

const monthsOf: Readonly<Record<string, readonly string[]>> = {
  en: ['January', 'March', 'May', 'August', 'October'],
  de: ['Januar', 'März', 'Mai', 'August', 'Oktober'],
  fr: ['janvier', 'mars', 'mai', 'août', 'octobre'],
  es: ['enero', 'marzo', 'mayo', 'agosto', 'octubre']
}
const day = (random: SeededRandom): number => from(random, 1, 28)
const month = (random: SeededRandom): number => from(random, 1, 12)
const year = (random: SeededRandom): number => from(random, 1950, 2004)

/** The second line of a passport (ICAO Doc 9303 part 4): fields, each with a check digit, and one over all of them. */
const machineLine: Maker = (random) => {
  const check = (field: string): string =>
    String(
      Array.from(field).reduce((sum, letter, i) => {
        const value = letter === '<' ? 0 : Number.parseInt(letter, 36)
        return sum + value * ([7, 3, 1][i % 3] as number)
      }, 0) % 10
    )
  const checked = (field: string): string => field + check(field)
  const number = checked(`C${random.text('FGHJKLMNPRTVWXYZ0123456789', 8)}`)
  const birth = checked(`${two(from(random, 55, 99))}${two(month(random))}${two(day(random))}`)
  const expiry = checked(`${from(random, 27, 35)}${two(month(random))}${two(day(random))}`)
  const rest = checked('<'.repeat(14))
  return `${number}D<<${birth}F${expiry}${rest}${check(number + birth + expiry + rest)}`
}

/** A vehicle identification number with the check digit of North America, 49 CFR 565.15. */
const vehicle: Maker = (random) => {
  const values: Record<string, number> = { W: 6, A: 1, U: 4, Z: 9, F: 6, G: 7, H: 8, B: 2, C: 3, D: 4, P: 7 }
  const body = `1HGC${random.text('BCDFGH', 1)}${random.text(digits, 3)}0${random.text('ABCD', 1)}A${random.text(digits, 6)}`
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
  const sum = Array.from(body).reduce((all, sign, i) => all + (values[sign] ?? Number(sign)) * weights[i]!, 0)
  return `${body.slice(0, 8)}${'0123456789X'.charAt(sum % 11)}${body.slice(9)}`
}

const domains = ['imaginary-bakery.de', 'posta.imaginary-bakery.it', 'imaginary-mail.co.uk', 'imaginary-bakery.io']

/** The generators by the name of their slot. */
export const contactMakers: Readonly<Record<string, Maker>> = {
  ...phoneMakers,
  mail_other: (random, variant) => {
    const forms = [
      `m${random.pick(['keller', 'okafor', 'rossi'])}`,
      `Tomas.Novak+${random.pick(['shop', 'crm'])}`,
      `aisha_okafor${two(from(random, 10, 99))}`,
      `j.l-moreau.${from(random, 1960, 2004)}`
    ]
    return [forms[variant % forms.length], domains[(variant + 1) % domains.length]].join('@')
  },
  iban_world: (random, variant) => (ibanCountries[variant % ibanCountries.length] as Maker)(random, variant),
  ...Object.fromEntries(Object.entries(ibans).map(([country, maker]) => [`iban_${country}`, maker])),
  ...Object.fromEntries(
    Object.entries(ibans).map(([country, maker]): [string, Maker] => [
      `iban_${country}_spaced`,
      (random, variant) => inFours(maker(random, variant))
    ])
  ),
  card_dashed: (random) => inFours(card(random)).replaceAll(' ', '-'),
  amex_spaced: (random) => withLuhn(`37${random.text(digits, 12)}`).replace(/^(.{4})(.{6})/, '$1 $2 '),
  cvc: (random) => random.text(digits, 3),
  birth_slash: (random) => `${two(day(random))}/${two(month(random))}/${year(random)}`,
  birth_us: (random) => `${two(month(random))}/${two(day(random))}/${year(random)}`,
  birth_short: (random) => `${day(random)}.${month(random)}.${from(random, 51, 99)}`,
  birth_en: (random) => `${day(random)} ${random.pick(monthsOf['en']!)} ${year(random)}`,
  birth_en_us: (random) => `${random.pick(monthsOf['en']!)} ${day(random)}, ${year(random)}`,
  birth_de: (random) => `${day(random)}. ${random.pick(monthsOf['de']!)} ${year(random)}`,
  birth_fr: (random) => `${day(random)} ${random.pick(monthsOf['fr']!)} ${year(random)}`,
  birth_es: (random) => `${day(random)} de ${random.pick(monthsOf['es']!)} de ${year(random)}`,
  birth_ja: (random) => `${year(random)}年${month(random)}月${day(random)}日`,
  birth_compact: (random) => `${year(random)}${two(month(random))}${two(day(random))}`,
  mrz: machineLine,
  vin: vehicle,
  sort_code: (random) => `${from(random, 20, 79)}-${random.text(digits, 2)}-${random.text(digits, 2)}`,
  licence_us: (random) => `${random.text('BDFHN', 1)}${numberOf(random, 7)}`,
  licence_uk: (random) =>
    `${random.pick(['KELLE', 'MORGA', 'SILVA'])}${from(random, 6, 9)}${two(month(random))}${two(day(random))}${random.text(digits, 1)}${random.text(capitals, 2)}9${random.text(capitals, 2)}`,
  utr: (random) => {
    const body = random.text(digits, 9)
    return '21987654321'.charAt(weighted(body, [6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11) + body
  },
  nhi: (random) => {
    const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
    for (;;) {
      const body = random.text(letters, 3) + random.text(digits, 3)
      const sum = Array.from(body).reduce((all, sign, i) => {
        const value = i < 3 ? letters.indexOf(sign) + 1 : Number(sign)
        return all + value * (countdown(7)[i] as number)
      }, 0)
      if (sum % 11 !== 0) return body + String((11 - (sum % 11)) % 10)
    }
  }
}
