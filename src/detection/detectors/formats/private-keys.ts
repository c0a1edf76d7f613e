/** Private keys in PEM and OpenPGP armour. */
import {
  base64Set,
  blankSet,
  charSet,
  countOf,
  digitSet,
  inSet,
  lowerSet,
  paddedBase64Set,
  padSet,
  runEnd,
  stringQuoteSet,
  upperSet
} from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { base64Letters, filler, hexLetters } from '../../sample-text.ts'
import { base64Alphabet } from '../../text/base64-text.ts'

const pgpType = 'PGP PRIVATE KEY BLOCK'
const begin = '-----BEGIN '
const dashes = '-----'
const typeSet = charSet('A-Z', '0-9', ' ')
const typeUnitsMax = 40
/** A shorter body is a sample in documentation. */
const bodyUnitsMin = 64
const spanUnitsMax = 65_536
const headerLinesMax = 4
const lineUnitsMax = 200

/** The type in the header at `at`, such as `RSA PRIVATE KEY`, and where the header ends. */
function headerAt(text: string, at: number): { type: string; end: number } | undefined {
  const from = at + begin.length
  const end = runEnd(text, from, typeSet, typeUnitsMax)
  return text.startsWith(dashes, end) ? { type: text.slice(from, end), end: end + dashes.length } : undefined
}

/**
 * Skips line breaks in any form: real ones, `\n` and `\r` as escapes, also escaped twice, and the quotes and operators
 * that join strings in source code.
 */
function skipBreak(text: string, at: number): number {
  let i = at
  for (;;) {
    const code = text.charCodeAt(i)
    if (code === 92) {
      let next = i
      while (text.charCodeAt(next) === 92 && next - i < 4) next++
      const letter = text.charCodeAt(next)
      if (letter === 110 || letter === 114 || letter === 10) i = next + 1
      else return i
    } else if (breakSet[code] === 1 && i - at < lineUnitsMax) i++
    else return i
  }
}
const breakSet = charSet(' \t\r\n"\'+,>|')

/**
 * The end of the base64 lines from `from` on, and how many of their units are base64.
 * @param mark how another key begins, `markAt` units into its first line; the lines end before it, so that no unit is
 *   read for two keys
 * @param quotesBefore the number of quotes between the frame and `from`
 */
export function bodyEnd(
  text: string,
  from: number,
  mark?: string,
  markAt = 0,
  quotesBefore = 0
): { end: number; units: number } {
  let at = skipBreak(text, from)
  let end = at
  let units = 0
  let quotes = quotesBefore + countOf(text, from, at, stringQuoteSet)
  while (at - from < spanUnitsMax) {
    const lineEnd = mark === undefined ? runEnd(text, at, paddedBase64Set, spanUnitsMax) : base64End(text, at)
    if (lineEnd === at || (units > 0 && isName(text, lineEnd))) break
    units += lineEnd - at
    end = lineEnd
    at = skipBreak(text, lineEnd)
    // This quote closes the string and none reopens it: what follows is not part of the key.
    const between = countOf(text, lineEnd, at, stringQuoteSet)
    quotes += between
    if (
      at === lineEnd ||
      (between % 2 === 1 && quotes % 2 === 1) ||
      (mark !== undefined && text.startsWith(mark, at + markAt))
    )
      break
  }
  return { end, units }
}

/** Past a line of base64 without a frame, which ends at its padding: another key may begin right behind. */
function base64End(text: string, from: number): number {
  return runEnd(text, runEnd(text, from, base64Set, spanUnitsMax), padSet, padsMax)
}
const padsMax = 4

/** Whether a word is the name of the next field: `"x":`, `version: 1`, `pfx_password = ...`. */
function isName(text: string, wordEnd: number): boolean {
  if (text.charCodeAt(wordEnd) === 95) return true
  const close = runEnd(text, wordEnd, closeSet, 4)
  const sign = text.charCodeAt(runEnd(text, close, blankSet, 16))
  return sign === 58 || (sign === 61 && sign !== text.charCodeAt(wordEnd))
}
const closeSet = charSet('"\'\\')

/** Skips the headers of an encrypted or armoured key: `Proc-Type: 4,ENCRYPTED`, `Version: ...`. */
function skipHeaders(text: string, from: number): number {
  let at = skipBreak(text, from)
  for (let line = 0; line < headerLinesMax; line++) {
    if (!isHeader(text, at)) return at
    let end = at
    while (end < text.length && end - at < lineUnitsMax && !endsHeader(text, end)) end++
    at = skipBreak(text, end)
  }
  return at
}

function isHeader(text: string, at: number): boolean {
  return inSet(upperSet, text.charCodeAt(at)) && text.startsWith(': ', runEnd(text, at, headerSet, 24))
}
const headerSet = charSet('A-Z', 'a-z', '-')

/**
 * Whether a header ends at `at`: with its line or, if all lines were joined into one, before the next header or the
 * key.
 */
function endsHeader(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code !== 32) return code === 10 || code === 92
  return isHeader(text, at + 1) || runEnd(text, at + 1, paddedBase64Set, keyLineUnits) === at + 1 + keyLineUnits
}
/** A base64 word longer than any in a header. */
const keyLineUnits = 40

interface Span {
  readonly start: number
  readonly end: number
  /** Whether it is only shown what the key looks like. */
  readonly isShown: boolean
}

/** The whole block from its header on, with its footer if there is one. */
function span(text: string, at: number, type: string, headerEnd: number): Span | undefined {
  const from = skipHeaders(text, headerEnd)
  const body = bodyEnd(text, from, undefined, 0, countOf(text, headerEnd, from, stringQuoteSet))
  if (body.units < bodyUnitsMin || !holdsKey(text, skipBreak(text, from), body.end)) return undefined
  const footer = `-----END ${type}-----`
  const footerAt = skipBreak(text, body.end)
  return {
    start: at,
    end: text.startsWith(footer, footerAt) ? footerAt + footer.length : body.end,
    isShown: showsModulusAlone(text, skipBreak(text, from), body)
  }
}

/**
 * Whether no more is shown of an RSA key than a part of its modulus, which is public, before the frame closes or dots
 * follow, as documentation shows one line of a key: it is masked and does not block. The modulus is more than a fifth of
 * a key, and nothing secret stands before it.
 * @param from where the body begins
 * @param body where it ends, and how many of its units are base64
 */
export function showsModulusAlone(text: string, from: number, body: { end: number; units: number }): boolean {
  if (!text.startsWith(derHead, from)) return false
  const behind = skipBreak(text, body.end)
  if (![dashes, '...', '…'].some((one) => text.startsWith(one, behind))) return false
  const [high = 0, middle = 0, low = 0] = [3, 4, 5].map((i) => base64Alphabet.indexOf(text.charAt(from + i)))
  const bytes = (high << 8) | (middle << 2) | (low >> 4)
  return bytes >= rsaBytesMin && (body.units * 3) / 4 < bytes / 5
}
/** A sequence in DER whose length has two bytes, in base64. The length follows. */
const derHead = 'MII'
/** The length of a key of 1,024 bits; keys of elliptic curves are shorter. */
const rsaBytesMin = 600

/** Longer than the words of a sentence about the header. */
const longLineUnits = 24
/** Distinct letters in the first line of a key; in `XXXX`, which fills a gap in a sample, there is one. */
const lettersMin = 5

/** A key in short lines has, in its first `mixedUnits`, this many digits and this many letters of each case. */
const mixedUnits = 160
const digitsMin = 4
const caseMin = 8

/**
 * Whether the lines belong to a key: one of them is longer than a word and not one letter repeated, or they are wrapped
 * to a few characters and mix digits and cases as words do not.
 */
function holdsKey(text: string, from: number, to: number): boolean {
  let at = from
  while (at < to) {
    const end = runEnd(text, at, paddedBase64Set, longLineUnits)
    if (end - at === longLineUnits) return new Set(text.slice(at, end)).size >= lettersMin
    at = end < to && end === at ? at + 1 : skipBreak(text, end)
  }
  const mixed = Math.min(to, from + mixedUnits)
  return (
    countOf(text, from, mixed, digitSet) >= digitsMin &&
    countOf(text, from, mixed, upperSet) >= caseMin &&
    countOf(text, from, mixed, lowerSet) >= caseMin
  )
}

export const pemFrame = (type: string, body: string, join = '\n') =>
  [begin + type + dashes, body, '-----END ' + type + dashes].join(join)
export const pemLines = (join: string) =>
  [filler(64, base64Letters), filler(64, base64Letters, 3), filler(44, base64Letters) + '=='].join(join)

/** Whether a type ends in `PRIVATE KEY`, perhaps followed by `BLOCK`. OpenPGP has a kind of its own. */
function isPrivateType(type: string): boolean {
  return type.endsWith('PRIVATE KEY') || (type.endsWith('PRIVATE KEY BLOCK') && type !== pgpType)
}

const pem: Detector = {
  id: 'pem_private_key',
  label: 'PRIVATE_KEY',
  lengthMin: 90,
  title: 'private key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: begin }],
  match(text, at) {
    const header = headerAt(text, at)
    if (header === undefined || !isPrivateType(header.type)) return undefined
    const found = span(text, at, header.type, header.end)
    if (found === undefined) return undefined
    const { start, end, isShown } = found
    return isShown || header.type.startsWith('ENCRYPTED')
      ? { start, end, confidence: 'strong', tier: 'medium' }
      : { start, end, confidence: 'certain' }
  },
  hits: () => [
    pemFrame('RSA PRIVATE KEY', pemLines('\n')),
    pemFrame('PRIVATE KEY', pemLines('\\n'), '\\n'),
    pemFrame('RSA PRIVATE KEY', `${filler(40, base64Letters)}=${filler(60, base64Letters, 3)}`),
    pemFrame('OPENSSH PRIVATE KEY', pemLines('\r\n'), '\r\n'),
    begin + 'EC PRIVATE KEY' + dashes + '\n' + pemLines('\n'),
    pemFrame('PRIVATE KEY', Array.from({ length: 6 }, (_, line) => filler(20, base64Letters, line + 1)).join('\n')),
    `"private_key": "${pemFrame('PRIVATE KEY', pemLines('\\n'), '\\n')}\\n"`,
    pemFrame('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00AA\n\n' + pemLines('\n')),
    pemFrame('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED DEK-Info: AES-128-CBC,00AA  ' + pemLines(' '), ' ')
  ],
  misses: () => [
    pemFrame('PUBLIC KEY', pemLines('\n')),
    pemFrame('CERTIFICATE', pemLines('\n')),
    pemFrame('PRIVATE KEY', '...'),
    `if (text.startsWith('${begin}RSA PRIVATE KEY-----')) return true`,
    pemFrame('PRIVATE KEY', ['X'.repeat(64), 'X'.repeat(64), 'X'.repeat(20)].join('\n')),
    pemFrame(
      'PRIVATE KEY',
      'put the key of your account that you got\nfrom the console on Page 3 of these notes right here'
    ),
    `## starts with ${begin}RSA PRIVATE KEY-----\n## name should line up with a secretName set further up and be unique to it`
  ],
  source: 'RFC 7468 and RFC 1421: encapsulation boundaries; 64 characters of base64 a line.'
}

const pgp: Detector = {
  id: 'pgp_private_key',
  label: 'PGP_PRIVATE_KEY',
  lengthMin: 90,
  title: 'OpenPGP private key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: begin }],
  match(text, at) {
    const header = headerAt(text, at)
    if (header === undefined || header.type !== pgpType) return undefined
    const found = span(text, at, header.type, header.end)
    return found && { start: found.start, end: found.end, confidence: 'certain' }
  },
  hits: () => [pemFrame(pgpType, 'Version: GnuPG v2\n\n' + pemLines('\n') + '\n=aB3d')],
  misses: () => [
    pemFrame('PGP PUBLIC KEY BLOCK', pemLines('\n')),
    pemFrame('PGP MESSAGE', pemLines('\n')),
    begin + pgpType + dashes
  ],
  source: 'RFC 9580 section 6.2: armour headers.'
}

const staticType = 'OpenVPN Static key V1'
const staticUnits = 512

const openvpn: Detector = {
  id: 'openvpn_static_key',
  label: 'OPENVPN_KEY',
  lengthMin: staticUnits,
  title: 'OpenVPN static key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: begin + staticType }],
  match(text, at) {
    const from = at + begin.length + staticType.length + dashes.length
    const body = bodyEnd(text, from)
    return body.units === staticUnits
      ? { start: skipBreak(text, from), end: body.end, confidence: 'certain' }
      : undefined
  },
  hits: () => [pemFrame(staticType, Array.from({ length: 16 }, () => filler(32, hexLetters)).join('\n'))],
  misses: () => [pemFrame(staticType, filler(32, hexLetters)), begin + staticType + dashes],
  source: 'OpenVPN manual, --secret and --tls-auth: 2,048 bits in sixteen lines of hexadecimal digits.'
}

export const privateKeyDetectors: readonly Detector[] = [pem, pgp, openvpn]
