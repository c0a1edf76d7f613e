/**
 * Passwords in one string with their user, from which a header is made (`btoa("ops:...")`), and values stored under a
 * key that follows them (`set("...", forKey: "password")`).
 */
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import {
  backslashSet,
  blankSet,
  charSet,
  codeAt,
  inSet,
  runEnd,
  runStart,
  stringQuoteSet,
  wordSet
} from '../../text/chars.ts'
import { accessLook } from '../../values/access-value.ts'
import { likelyName, noName, passwordName, rateName } from '../../values/key-names.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { isDictionaryPassword } from '../../values/dictionary-passwords.ts'

/** Calls that encode the following string in base64. */
const encoders = [
  ...['b64encode(', 'btoa(', 'base64_encode(', 'encodetostring(', 'tobase64string(', 'encode64('],
  'encodebase64('
]
/** The same, behind the string. */
const conversions = [".tostring('base64", '.tostring("base64', '.tostring(\\"base64']
/** The labels of the name in Apple's APIs for storage and requests. */
const keyLabels = ['forkey:', 'forhttpheaderfield:']

const userSet = charSet('A-Z', 'a-z', '0-9', '_.@+-')
const userUnitsMax = 64
const valueUnitsMax = 128
/** What may stand between the bracket of a call and the string: other calls, prefixes of byte strings. */
const innerSet = charSet('A-Z', 'a-z', '0-9', '_.[]( ')
const innerUnitsMax = 48
/** What may stand between the string and the conversion: its quote, escaped or not, and a bracket. */
const closeSet = charSet(')"\'\\ ')
const labelGapSet = charSet(' @\\')

/** The password, if all of `[start, end)` is a user, a colon and a password. */
export function passwordOfPair(text: string, start: number, end: number): Match | undefined {
  const user = runEnd(text, start, userSet, Math.min(userUnitsMax, end - start))
  if (user === start || user >= end || codeAt(text, user) !== 58) return undefined
  const look = accessLook(text, user + 1, end)
  return look === 'chosen' || look === 'generated' || look === 'word' ? contextMatch(user + 1, end) : undefined
}

/**
 * Where the string that opens behind `from` ends: at its quote, or the backslash before it; -1 if not on the same line.
 */
function textEnd(text: string, from: number, quote: number): number {
  const rest = text.slice(from, from + valueUnitsMax)
  const close = rest.indexOf(String.fromCharCode(quote))
  return close < 0 || rest.slice(0, close).includes('\n') ? -1 : runStart(text, from + close, backslashSet, 4)
}

/** `base64.b64encode(b"ops:...")`. */
function encodedPair(text: string, from: number): Match | undefined {
  const quote = runEnd(text, runEnd(text, from, innerSet, innerUnitsMax), backslashSet, 4)
  if (!inSet(stringQuoteSet, codeAt(text, quote))) return undefined
  const end = textEnd(text, quote + 1, codeAt(text, quote))
  if (end < 0) return undefined
  return (
    passwordOfPair(text, quote + 1, end) ?? wordOfPair(text, quote + 1, end) ?? joinedPassword(text, quote + 1, end)
  )
}

/** An ordinary word behind a user, if it is to be encoded: `b64encode(b"ops:...")`. It is not remembered. */
function wordOfPair(text: string, start: number, end: number): Match | undefined {
  const user = runEnd(text, start, userSet, Math.min(userUnitsMax, end - start))
  if (user === start || codeAt(text, user) !== 58 || samples.has(text.slice(start, user).toLowerCase()))
    return undefined
  const isWord = runEnd(text, user + 1, wordSet, end - user) === end && isDictionaryPassword(text, user + 1, end)
  return isWord ? { start: user + 1, end, confidence: 'medium' } : undefined
}
/** Users of documentation, and schemes of addresses. */
const samples = new Set('user username login name foo client_id data http https mailto urn key type'.split(' '))

/** The password that is appended to `"user:"`: `btoa("ops:" + "...")`. */
function joinedPassword(text: string, start: number, end: number): Match | undefined {
  if (codeAt(text, end - 1) !== 58 || runEnd(text, start, userSet, userUnitsMax) !== end - 1) return undefined
  const sign = runEnd(text, end + 1, blankSet, 4)
  const next = runEnd(text, sign + 1, blankSet, 4)
  if (!inSet(joinSet, codeAt(text, sign)) || !inSet(stringQuoteSet, codeAt(text, next))) return undefined
  const close = textEnd(text, next + 1, codeAt(text, next))
  const look = close < 0 ? 'none' : accessLook(text, next + 1, close)
  return look === 'chosen' || look === 'generated' || look === 'word' ? contextMatch(next + 1, close) : undefined
}
const joinSet = charSet('+&.')

/** `Buffer.from("ops:...").toString("base64")`. */
function convertedPair(text: string, at: number): Match | undefined {
  const end = runStart(text, at, closeSet, 6)
  if (!inSet(stringQuoteSet, codeAt(text, end)) && codeAt(text, end) !== 92) return undefined
  const before = Math.max(0, end - valueUnitsMax)
  const line = text.slice(before, end)
  const open = Math.max(line.lastIndexOf('"'), line.lastIndexOf("'"), line.lastIndexOf('\n'))
  return open < 0 || line.charCodeAt(open) === 10 ? undefined : passwordOfPair(text, before + open + 1, end)
}

/**
 * `keychain.set("...", forKey: "password")`, `[defaults setObject:@"..." forKey:@"token"]`,
 * `request.setValue("...", forHTTPHeaderField: "X-API-Key")`.
 */
function keptUnder(text: string, at: number): Match | undefined {
  const quote = runEnd(text, text.indexOf(':', at) + 1, labelGapSet, 4)
  const end = runStart(text, at, keptGapSet, 4)
  if (!inSet(stringQuoteSet, codeAt(text, quote)) || !inSet(stringQuoteSet, codeAt(text, end - 1))) return undefined
  const nameTo = textEnd(text, quote + 1, codeAt(text, quote))
  const rating = nameTo < 0 ? noName : ratedKey(text, quote + 1, nameTo)
  if (rating < likelyName) return undefined
  const to = runStart(text, end - 1, backslashSet, 4)
  const before = Math.max(0, to - valueUnitsMax)
  const open = text.slice(before, to).lastIndexOf(text.charAt(end - 1))
  if (open < 0) return undefined
  const start = before + open + 1
  return isSecretValue(text, start, to, rating, { quoted: true, doubtful: rating < passwordName })
    ? contextMatch(start, to)
    : undefined
}
const keptGapSet = charSet(' ,')

const secretWords = ['pass', 'pwd', 'token', 'secret', 'key']

/** The rating of the key in `[start, end)`. */
export function ratedKey(text: string, start: number, end: number): typeof noName | ReturnType<typeof rateName> {
  const name = text.slice(start, end).toLowerCase()
  const word = secretWords.find((one) => name.includes(one))
  return word === undefined ? noName : rateName(text, start, end, start + name.lastIndexOf(word))
}

export const writtenPairDetectors: readonly Detector[] = [
  {
    id: 'written_pair',
    label: 'PASSWORD',
    title: 'password beside its user in one text, or before the key that it is kept under',
    group: 'secret',
    tier: 'medium',
    lengthMin: 14,
    anchors: [...encoders, ...conversions, ...keyLabels].map((literal) => ({ literal, fold: true as const })),
    match(text, at) {
      const code = codeAt(text, at)
      if (code === 46) return convertedPair(text, at)
      if ((code | 32) === 102) return keptUnder(text, at)
      return encodedPair(text, text.indexOf('(', at) + 1)
    },
    hits: () => [
      `base64.b64encode(b"ops:${filler(14)}42").decode()`,
      `'Basic ' + btoa('svc-7:${filler(14)}42')`,
      `b64encode(b'ops:${['sun', 'flower'].join('')}')`,
      `"Basic " & EncodeBase64("ops:" & "${filler(14)}42")`,
      `Convert.ToBase64String(Encoding.ASCII.GetBytes("ops:${filler(14)}42"))`,
      `Buffer.from('ops@acme.dev:${filler(14)}42').toString('base64')`,
      `Buffer.from(\\"ops:${filler(14)}42\\").toString(\\"base64\\")`,
      `keychain.set("${filler(14)}42", forKey: "userPassword")`,
      `request.setValue("${filler(32)}", forHTTPHeaderField: "X-API-Key")`,
      `[defaults setObject:@"${filler(24)}42" forKey:@"authToken"];`
    ],
    misses: () => [
      'btoa(`${user}:${password}`)',
      "btoa('user:password')",
      'btoa("ops:" + password)',
      "btoa('data:text/plain')",
      `base64.b64encode(b"${filler(14)}42")`,
      "Buffer.from('{\"a\":1}').toString('base64')",
      `defaults.set("${filler(14)}42", forKey: "lastPage")`,
      `request.setValue("${filler(14)}42", forHTTPHeaderField: "X-Request-Id")`,
      'keychain.set(password, forKey: "password")',
      'forKey: "password"'
    ],
    source: 'RFC 7617: a name, a colon and a password in base64; Apple, UserDefaults and keychain wrappers, "forKey".'
  }
]
