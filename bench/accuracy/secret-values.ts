/** Generated secrets in the shapes that people and machines give them. None is in use, and none stands in a source. */
import { crc32 } from 'node:zlib'
import type { SeededRandom } from '../../test/support/random.ts'

/** Generates a value. `variant` counts up, so that each shape of a sort has its turn. */
export type Maker = (random: SeededRandom, variant: number) => string

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const hexLetters = '0123456789abcdef'
const base62 = lower + lower.toUpperCase() + digits
const base64 = `${base62}+/`
const base64Url = `${base62}-_`

const words = [
  ...[
    'amber',
    'anchor',
    'basil',
    'breeze',
    'candle',
    'cedar',
    'copper',
    'dragon',
    'ember',
    'falcon',
    'garnet',
    'harbor'
  ],
  ...[
    'island',
    'jasmin',
    'kettle',
    'lantern',
    'meadow',
    'nectar',
    'orchid',
    'pepper',
    'quartz',
    'raven',
    'saffron',
    'tango'
  ]
]
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const pickOf = (random: SeededRandom, letters: string): string => random.text(letters, 1)

/** Letters, digits and punctuation that need no escape in a shell, a URL or a string. */
const signs = '!*+-_.^'

/** What people choose, and what password managers generate. */
const passwords: readonly Maker[] = [
  (random) => `${capital(random.pick(words))}${random.text(digits, 2)}${pickOf(random, '!*+')}`,
  (random) => `${random.pick(words)}-${random.pick(words)}-${random.text(digits, 2)}`,
  (random) => `${random.pick(words)}${random.text(digits, 4)}`,
  (random) =>
    `${capital(random.pick(words))}${pickOf(random, signs)}${capital(random.pick(words))}${random.text(digits, 1)}`,
  (random) => mixed(random, random.text(base62, 12)),
  (random) => mixed(random, random.text(base62 + signs, 16)),
  (random) => mixed(random, random.text(base62, 24))
]

/** Ensures a capital, a lower-case letter and a digit, as password generators do. */
function mixed(random: SeededRandom, text: string): string {
  const middle = text.slice(3)
  return pickOf(random, lower.toUpperCase()) + pickOf(random, lower) + pickOf(random, digits) + middle
}

/** What people choose who choose badly: words, with no digit and hardly a sign. */
const weakPasswords: readonly Maker[] = [
  (random) => random.pick(words),
  (random) => capital(random.pick(words)),
  (random) => random.pick(words) + random.pick(words),
  (random) => `${capital(random.pick(words))}!`
]

const hex =
  (units: number): Maker =>
  (random) =>
    random.text(hexLetters, units)

/** Keys as services and `openssl rand` generate them. */
const keys: readonly Maker[] = [
  hex(32),
  hex(40),
  hex(64),
  (random) => random.text(base62, 20),
  (random) => random.text(base62, 32),
  (random) => random.text(base62, 40),
  (random) => random.text(base64Url, 43),
  bytesInBase64(32)
]

const tokens: readonly Maker[] = [
  (random) => random.text(base62, 24),
  (random) => random.text(base62, 40),
  (random) => random.text(base62, 64),
  (random) => mixed(random, random.text(base64Url, 41)),
  (random) => `${random.text(lower, 4)}_${random.text(base62, 32)}`
]

function turns(makers: readonly Maker[]): Maker {
  return (random, variant) => (makers[variant % makers.length] as Maker)(random, variant)
}

function bytesInBase64(count: number): Maker {
  const tail = ['', '==', '='][count % 3] as string
  // The last letter before the padding encodes fewer bits than the others.
  const last = ['', 'AQgw', 'AEIMQUYcgkosw048'][count % 3] as string
  const units = Math.ceil((count * 4) / 3)
  return (random) =>
    last === '' ? random.text(base64, units) : random.text(base64, units - 1) + pickOf(random, last) + tail
}

const toBase64 = (text: string, encoding: 'base64' | 'base64url' = 'base64'): string =>
  Buffer.from(text, 'utf8').toString(encoding)

const jwt: Maker = (random) => {
  const claims = { sub: random.text(digits, 8), iat: 1_763_600_000 + random.below(100_000), scope: 'read' }
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => toBase64(JSON.stringify(part), 'base64url'))
  return [...parts, random.text(base64Url, 42) + 'A'].join('.')
}

/** Words of BIP 39, as wallets print them. */
const seedWords = [
  ...['abandon', 'acoustic', 'basket', 'canyon', 'dolphin', 'eagle', 'fabric', 'galaxy', 'hazard', 'jungle', 'kitten'],
  ...[
    'lemon',
    'mango',
    'noodle',
    'ocean',
    'pepper',
    'quantum',
    'rabbit',
    'saddle',
    'tiger',
    'umbrella',
    'velvet',
    'zebra'
  ]
]

const wordsInRow = (random: SeededRandom, list: readonly string[], count: number): string =>
  Array.from({ length: count }, () => random.pick(list)).join(' ')

/** The last six letters are the CRC-32 of those before, as on GitHub since 2021. */
const github: Maker = (random) => {
  const body = random.text(base62, 30)
  const letters = digits + lower.toUpperCase() + lower
  let check = ''
  for (let rest = crc32(body); check.length < 6; rest = Math.floor(rest / 62)) check = letters.charAt(rest % 62) + check
  return `${['gh', 'p'].join('')}_${body}${check}`
}

const slack: Maker = (random) =>
  [['xo', 'xb'].join(''), random.text(digits, 12), random.text(digits, 13), random.text(base62, 24)].join('-')

/** Sorts whose name includes their length: `base62_20`, `hex128`. */
const sized: Readonly<Record<string, string>> = {
  hex: hexLetters,
  upperhex_: hexLetters.toUpperCase(),
  base62_: base62,
  base64text_: base64,
  base64url_: base64Url,
  lower36_: lower + digits,
  upper36_: lower.toUpperCase() + digits,
  digit_: digits
}

/** The generator of such a sort; undefined if the name is not one. */
export function sizedMaker(name: string): Maker | undefined {
  const [, sort = '', units = ''] = /^(.*?)(\d+)$/.exec(name) ?? []
  const pem = sort === 'pem_' ? pemLines(Number(units), '\n') : undefined
  const letters = sized[sort]
  if (sort === 'bytes_dec_') return byteList(Number(units), String)
  if (sort === 'bytes_hex_') return byteList(Number(units), (byte) => `0x${byte.toString(16).padStart(2, '0')}`)
  return pem ?? (letters === undefined ? undefined : (random) => random.text(letters, Number(units)))
}

/** Bytes of a key, as a program lists them. */
function byteList(count: number, written: (byte: number) => string): Maker {
  return (random) => Array.from({ length: count }, () => written(random.below(256))).join(', ')
}

/** Lines of a key, as PEM breaks them. */
function pemLines(count: number, end: string): Maker {
  return (random) => Array.from({ length: count }, () => random.text(base64, 64)).join(end)
}

/** Salts as WordPress and Django generate them. */
const salt: Maker = (random) => mixed(random, random.text(`${base62}!@#%^&*()-_+=.,:`, 50))

const pemInBase64: Maker = (random, variant) => {
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} ${'RSA PRIVATE'} KEY-----`)
  return toBase64(`${begin}\n${pemLines(6, '\n')(random, variant)}\n${end}\n`)
}

/** The generators by the name of their slot. */
export const secretMakers: Readonly<Record<string, Maker>> = {
  password: turns(passwords),
  weak: turns(weakPasswords),
  key: turns(keys),
  token: turns(tokens),
  hex7: hex(7),
  hex16: hex(16),
  hex32: hex(32),
  hex40: hex(40),
  hex64: hex(64),
  uuid: (random) => [8, 4, 4, 4, 12].map((units) => random.text(hexLetters, units)).join('-'),
  base32: (random) => random.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 32),
  base64: bytesInBase64(32),
  base64_48: bytesInBase64(48),
  // For public keys and fingerprints, which have no padding there.
  base64_bare: (random) => random.text(base64, 42) + 'A',
  base64_64: bytesInBase64(64),
  base64_128: bytesInBase64(128),
  base64_percent: (random, variant) => encodeURIComponent(bytesInBase64(32)(random, variant)),
  base64url: (random) => random.text(base64Url, 42) + 'A',
  basic: (random, variant) => toBase64(`${random.pick(words)}:${turns(passwords)(random, variant)}`),
  jwt,
  passphrase: (random) => wordsInRow(random, words, 5),
  mnemonic: (random) => wordsInRow(random, seedWords, 12),
  pin: (random, variant) => random.text(digits, variant % 2 === 0 ? 6 : 4),
  recovery: (random) => `${random.text(lower + digits, 5)}-${random.text(lower + digits, 5)}`,
  scratch: (random) => random.text('123456789', 1) + random.text(digits, 7),
  // Eight groups of sixteen bits, each times eleven ([MS-FVE]).
  bitlocker: (random) => Array.from({ length: 8 }, () => String(11 * random.below(65_536)).padStart(6, '0')).join('-'),
  github,
  slack,
  salt,
  password_base64: (random, variant) => toBase64(turns(passwords)(random, variant)),
  password_percent: (random, variant) => encodeURIComponent(turns(passwords)(random, variant)),
  sasl_plain: (random, variant) => toBase64(`\0${random.pick(words)}\0${turns(passwords)(random, variant)}`),
  pem_base64: pemInBase64,
  pem_escaped: pemLines(12, '\\n'),
  hex_lines: (random) => Array.from({ length: 16 }, () => random.text(hexLetters, 32)).join('\n'),
  // The id of a long-lived key.
  aws_id: (random) => ['AK', 'IA', random.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)].join(''),
  aws_secret: (random) => random.text(base64, 40)
}
