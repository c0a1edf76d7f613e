/** Private keys as tools print their numbers for people: lines of bytes in hexadecimal below the name of each number. */
import type { Guard } from '../../anchor-guard.ts'
import { chained, type Detector, type Match } from '../../detector.ts'
import { hexLetters, filler } from '../../sample-text.ts'
import { blankSet, codeAt, hexSet, letterSet, runEnd, standsAt } from '../../text/chars.ts'

/** Names of numbers that make a key private, in lower case and in the order in which a dump has them. */
const names = ['privateexponent:', 'prime1:', 'prime2:', 'exponent1:', 'exponent2:', 'coefficient:', 'priv:']
/** Those with which a dump, or the end of it that `tail` prints, begins. */
const heads = ['privateExponent:', 'prime1:', 'prime2:', 'priv:']
/** The shortest number of a private key in use, in bytes: that of a DSA key with 160 bits. */
const bytesMin = 20
/** The longest, with fifteen bytes on each line: an RSA key of 16,384 bits. */
const linesMax = 140
const indentMax = 24

/** The bytes in the lines below a name that ends at `from`, all but the last of which end in a colon; undefined if they are too few. */
function numberBelow(text: string, from: number): Match | undefined {
  let start = -1
  let end = from
  let bytes = 0
  for (let lines = 0; lines < linesMax; lines++) {
    const line = nextLine(text, end)
    const first = line < 0 ? line : runEnd(text, line, blankSet, indentMax)
    const last = first === line ? first : pairsEnd(text, first)
    if (last === first) break
    if (start < 0) start = first
    bytes += Math.ceil((last - first) / pairUnits)
    end = last
    if (codeAt(text, end - 1) !== colon) break
  }
  return bytes < bytesMin ? undefined : { start, end, confidence: 'strong', byContext: true }
}
const colon = 58
const pairUnits = 3

/** Past pairs of digits with colons between and perhaps behind them. */
function pairsEnd(text: string, from: number): number {
  let at = from
  while (runEnd(text, at, hexSet, pairUnits) === at + 2) {
    if (codeAt(text, at + 2) !== colon) return at + 2
    at += pairUnits
  }
  return at
}

/** The start of the line behind the one that ends at `at`; -1 if it goes on. */
function nextLine(text: string, at: number): number {
  const end = codeAt(text, at) === 13 ? at + 1 : at
  return codeAt(text, end) === 10 ? end + 1 : -1
}

/** The private numbers of a dump from the name at `at` on: each once, so that no number is read for many names. */
function privateNumbers(text: string, at: number): Match | undefined {
  const found: Match[] = []
  let last = -1
  for (let name = at; name >= 0;) {
    const known = names.findIndex((one) => standsAt(text, name, one))
    const number = known <= last ? undefined : numberBelow(text, name + (names[known] as string).length)
    if (number === undefined) break
    last = known
    found.push(number)
    const line = nextLine(text, number.end)
    name = line < 0 ? line : runEnd(text, line, blankSet, indentMax)
  }
  return chained(found)
}

/** A number of so many bytes, as OpenSSL prints it. */
function dump(bytes: number, seed: number): string {
  const digits = filler(bytes * 2, hexLetters, seed)
  const pairs = Array.from({ length: bytes }, (_, i) => digits.slice(2 * i, 2 * i + 2))
  const lines: string[] = []
  for (let i = 0; i < pairs.length; i += 15) lines.push(`    ${pairs.slice(i, i + 15).join(':')}`)
  return lines.join(':\n')
}

const guard: Guard = { notBefore: letterSet }

export const keyDumpDetectors: readonly Detector[] = [
  {
    id: 'private_key_dump',
    label: 'PRIVATE_KEY',
    title: 'numbers of a private key, printed as bytes',
    group: 'secret',
    tier: 'high',
    lengthMin: 40,
    anchors: heads.map((literal) => ({ literal, guard })),
    match: privateNumbers,
    hits: () => [
      `RSA Private-Key: (1024 bit, 2 primes)\nmodulus:\n${dump(129, 1)}\npublicExponent: 65537 (0x10001)\nprivateExponent:\n${dump(128, 2)}\nprime1:\n${dump(65, 3)}\nprime2:\n${dump(65, 4)}\nexponent1:\n${dump(64, 5)}\n`,
      `Private-Key: (256 bit)\npriv:\n${dump(32, 6)}\npub:\n${dump(65, 7)}\nASN1 OID: prime256v1`,
      `X25519 Private-Key:\r\npriv:\r\n${dump(32, 8).replaceAll('\n', '\r\n')}\r\npub:\r\n`
    ],
    misses: () => [
      `Public-Key: (256 bit)\npub:\n${dump(65, 7)}`,
      `RSA Public-Key: (1024 bit)\nModulus:\n${dump(129, 1)}\nExponent: 65537`,
      'priv:\n    00:1b:44:11:3a:b7\n    00:1b:44:11:3a:b8',
      'user priv:\n  read, write\nprime1: 7\nprime2: 11'
    ],
    source: 'The manuals of OpenSSL, openssl-pkey(1) and openssl-rsa(1), option -text, and what they print.'
  }
]
