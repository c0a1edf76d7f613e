/**
 * Generated personal data that passes its own checks. The check digits are computed here and not by the scanner's
 * validators, so that a mistake in those shows.
 */
import type { SeededRandom } from '../../test/support/random.ts'
import { capitals, digits, digitsOf, from, two, untilMade, weighted, withLuhn } from './check-digits.ts'
import type { Maker } from './secret-values.ts'

const firstNames = ['ines', 'tomas', 'maren', 'lucia', 'piotr', 'aisha', 'jonas', 'chiara']
const lastNames = ['keller', 'moreau', 'novak', 'silva', 'tanaka', 'okafor', 'lindqvist', 'rossi']

const card: Maker = (random, variant) => {
  const heads = ['4', '5' + String(from(random, 1, 5)), '37']
  const head = heads[variant % heads.length] as string
  return withLuhn(head + random.text(digits, (head === '37' ? 14 : 15) - head.length))
}

/** ISO 13616: country and check digits move to the end, letters count from 10, and the whole is 1 modulo 97. */
const iban: Maker = (random, variant) => {
  const forms = [
    ['DE', random.text(digits, 18)],
    ['NL', 'INGB' + random.text(digits, 10)],
    ['ES', spanishAccount(random)],
    ['GB', 'NWBK' + random.text(digits, 14)]
  ] as const
  const [country, account] = forms[variant % forms.length] as (typeof forms)[number]
  const letters = Array.from(`${account}${country}00`, (letter) => String(Number.parseInt(letter, 36))).join('')
  return `${country}${two(98 - Number(BigInt(letters) % 97n))}${account}`
}

/** Bank, branch, two check digits and number of a Spanish account. */
function spanishAccount(random: SeededRandom): string {
  const [bank, number] = [random.text(digits, 8), random.text(digits, 10)]
  const check = (body: string): number => {
    const rest = 11 - (weighted(body, [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11)
    return rest === 11 ? 0 : rest === 10 ? 1 : rest
  }
  return `${bank}${check(`00${bank}`)}${check(number)}${number}`
}

const inFours = (text: string): string => text.replace(/.{4}(?=.)/g, '$& ')

/** The rules of the Social Security Administration since 2011: no area 000, 666 or 9xx, no group 00, no serial 0000. */
const ssn: Maker = (random) => {
  const area = from(random, 667, 899)
  return `${area}-${two(from(random, 10, 99))}-${from(random, 1000, 9999)}`
}

/** ISO 7064, mod 11,10. One of the first ten digits occurs twice, and none three times. */
const germanTaxId: Maker = (random) => {
  const order = digits.split('')
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[order[i], order[j]] = [order[j] as string, order[i] as string]
  }
  if (order[0] === '0') order.reverse()
  order[9] = order[4] as string
  let product = 10
  for (const digit of order) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return order.join('') + String((11 - product) % 10)
}

/** Weights 10 to 2, modulo 11. */
const nhsNumber: Maker = (random) =>
  untilMade(() => {
    const body = random.text('123456789', 1) + random.text(digits, 8)
    const check = (11 - (weighted(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11
    return check === 10 ? undefined : `${body.slice(0, 3)} ${body.slice(3, 6)} ${body.slice(6)}${check}`
  })

const spanishId: Maker = (random) => {
  const body = random.text('123456789', 1) + random.text(digits, 7)
  return body + 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(body) % 23)
}

const pesel: Maker = (random) => {
  const body = `${two(from(random, 60, 99))}${two(from(random, 1, 12))}${two(from(random, 1, 28))}${random.text(digits, 4)}`
  return body + String((10 - (weighted(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10)
}

/** The eleven test: weights 9 to 2, and the last digit counts negative. */
const bsn: Maker = (random) =>
  untilMade(() => {
    const body = random.text('123456789', 1) + random.text(digits, 7)
    const check = weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
    return check === 10 ? undefined : body + String(check)
  })

const cpf: Maker = (random) => {
  const check = (body: string): number => {
    const rest =
      weighted(
        body,
        Array.from(body, (_, i) => body.length + 1 - i)
      ) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  let body = random.text(digits, 9)
  body += check(body)
  body += check(body)
  return `${body.slice(0, 3)}.${body.slice(3, 6)}.${body.slice(6, 9)}-${body.slice(9)}`
}

/** The value of a character at an odd place of a codice fiscale, by its index. */
const oddValues = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

const codiceFiscale: Maker = (random) => {
  const consonants = 'BCDFGLMNPRSTV'
  const names = random.text(consonants, 6)
  const birth = `${two(from(random, 50, 99))}${random.text('ABCDEHLMPRST', 1)}${two(from(random, 1, 28))}`
  const body = `${names}${birth}${random.pick(['H501', 'F205', 'L219', 'D612'])}`
  const sum = Array.from(body).reduce((total, letter, i) => {
    const value = digits.includes(letter) ? Number(letter) : capitals.indexOf(letter)
    return total + (i % 2 === 0 ? (oddValues[value] as number) : value)
  }, 0)
  return body + capitals.charAt(sum % 26)
}

const personnummer: Maker = (random) => {
  const body = `${two(from(random, 60, 99))}${two(from(random, 1, 12))}${two(from(random, 1, 28))}${random.text(digits, 3)}`
  const whole = withLuhn(body)
  return `${whole.slice(0, 6)}-${whole.slice(6)}`
}

/** The product in the dihedral group of order ten: the first five elements are rotations, the others reflections. */
function product(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5)
  return b < 5 ? 5 + ((a - b) % 5) : (a - b + 5) % 5
}
const verhoeffPermutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

const aadhaar: Maker = (random) => {
  const body = random.text('23456789', 1) + random.text(digits, 10)
  let check = 0
  digitsOf(body)
    .toReversed()
    .forEach((digit, i) => {
      let permuted = digit
      for (let times = 0; times < (i + 1) % 8; times++) permuted = verhoeffPermutation[permuted] as number
      check = product(check, permuted)
    })
  return inFours(body + String(check === 0 || check > 4 ? check : 5 - check))
}

/** 97 minus the thirteen digits modulo 97. */
const frenchNir: Maker = (random) => {
  const parts = [
    random.text('12', 1),
    two(from(random, 50, 99)),
    two(from(random, 1, 12)),
    two(from(random, 21, 89)),
    String(from(random, 100, 500)),
    String(from(random, 100, 900))
  ]
  return [...parts, two(97 - (Number(parts.join('')) % 97))].join(' ')
}

const turkishId: Maker = (random) => {
  const body = random.text('123456789', 1) + random.text(digits, 8)
  const tenth = (weighted(body, [7, -1, 7, -1, 7, -1, 7, -1, 7]) + 40) % 10
  const eleventh = (digitsOf(body).reduce((sum, digit) => sum + digit, 0) + tenth) % 10
  return `${body}${tenth}${eleventh}`
}

/** ISO 7064, mod 11-2, over region, birthday and serial. */
const chineseId: Maker = (random) => {
  const birth = `${from(random, 1950, 2004)}${two(from(random, 1, 12))}${two(from(random, 1, 28))}`
  const body = `${random.pick(['110101', '310104', '440305'])}${birth}${random.text(digits, 3)}`
  return body + '10X98765432'.charAt(weighted(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11)
}

/** The generators by the name of their slot. */
export const personalMakers: Readonly<Record<string, Maker>> = {
  email: (random) =>
    [
      `${random.pick(firstNames)}.${random.pick(lastNames)}${random.text(digits, 2)}`,
      ['imaginary-bakery', 'com'].join('.')
    ].join('@'),
  phone_us: (random) => `(${random.pick(['212', '415', '312'])}) ${from(random, 220, 980)}-${random.text(digits, 4)}`,
  phone_de: (random) => `030 ${random.text('23456789', 1)}${random.text(digits, 7)}`,
  phone_intl: (random, variant) =>
    [
      `+49 30 ${random.text('23456789', 1)}${random.text(digits, 6)}`,
      `+44 7${random.text('4578', 1)}00 ${random.text(digits, 6)}`,
      `+33 6 ${random.text('1234567', 1)}${random.text(digits, 1)} ${random.text(digits, 2)} ${random.text(digits, 2)} ${random.text(digits, 2)}`,
      `+1 212 ${from(random, 220, 980)} ${random.text(digits, 4)}`
    ][variant % 4] as string,
  phone_fr: (random) => `06 ${Array.from({ length: 4 }, () => random.text(digits, 2)).join(' ')}`,
  card,
  card_spaced: (random, variant) => inFours(card(random, variant - (variant % 3 === 2 ? 1 : 0))),
  iban,
  iban_spaced: (random, variant) => inFours(iban(random, variant)),
  ssn,
  de_tax: germanTaxId,
  nhs: nhsNumber,
  es_dni: spanishId,
  pl_pesel: pesel,
  nl_bsn: bsn,
  br_cpf: cpf,
  it_cf: codiceFiscale,
  se_pnr: personnummer,
  birth: (random) => `${from(random, 1950, 2004)}-${two(from(random, 1, 12))}-${two(from(random, 1, 28))}`,
  birth_dotted: (random) => `${two(from(random, 1, 28))}.${two(from(random, 1, 12))}.${from(random, 1950, 2004)}`,
  passport: (random) =>
    `${random.text('CFGHJK', 1)}${random.text('CFGHJKLMNPRTVWXYZ0123456789', 7)}${random.text(digits, 1)}`,
  nino: (random) => `${random.pick(['AB', 'CE', 'JK', 'PW'])}${random.text(digits, 6)}${random.text('ABCD', 1)}`,
  aadhaar,
  fr_nir: frenchNir,
  tr_id: turkishId,
  cn_id: chineseId
}
