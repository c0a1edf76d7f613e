/** Recognises names by their last words: service keys, tokens, names whose value may be a UUID. */
import type { Assignment } from './assignments.ts'
import { operators } from './operators.ts'
import {
  blankSet,
  charSet,
  consistsOf,
  countOf,
  digitSet,
  foldCode,
  inSet,
  letterSet,
  lowerHexSet,
  lowerSet,
  nameJointSet,
  runEnd,
  runStart,
  underscoreSet
} from '../text/chars.ts'
import { WordList } from '../text/word-list.ts'

/** Whether a name ends in the same words as `[start, end)` of another text, whatever the separators and cases. */
export function endsIn(
  text: string,
  nameStart: number,
  nameEnd: number,
  other: string,
  start: number,
  end: number
): boolean {
  let i = nameEnd
  for (let k = end - 1; k >= start; k--) {
    const code = other.charCodeAt(k)
    if (inSet(nameJointSet, code)) continue
    do i--
    while (i >= nameStart && inSet(nameJointSet, text.charCodeAt(i)))
    if (i < nameStart || foldCode(text.charCodeAt(i)) !== foldCode(code)) return false
  }
  return true
}

/** The same for one of several words. */
function endsInOne(text: string, nameStart: number, nameEnd: number, words: readonly string[]): boolean {
  const last = foldCode(text.charCodeAt(nameEnd - 1))
  for (const word of words) {
    if (last !== word.charCodeAt(word.length - 1) && !inSet(nameJointSet, last)) continue
    if (endsIn(text, nameStart, nameEnd, word, 0, word.length)) return true
  }
  return false
}

/** Whether it is `NAME=`: a name without lower case, and no blank on either side of the `=`. */
export function isVariable(text: string, { nameStart, nameEnd, start }: Assignment): boolean {
  if (start !== nameEnd + 1 || text.charCodeAt(nameEnd) !== 61) return false
  return countOf(text, nameStart, nameEnd, lowerSet) === 0
}

const otherKeys = [
  'gpgkey',
  'pgpkey',
  'commitkey',
  'buildkey',
  'sourcekey',
  'idkey',
  'hashkey',
  'versionkey',
  'etagkey'
]

/**
 * Whether 32, 40 or 64 hexadecimal digits are the key of a service: in an environment (`ACMEWORKS_KEY=...`) or a header
 * (`X-Acmeworks-Key: ...`). Elsewhere they are a digest, and in capitals the fingerprint of a public key.
 */
export function isServiceKey(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, start, end } = assigned
  const length = end - start
  if (length !== 32 && length !== 40 && length !== 64) return false
  if (!endsIn(text, nameStart, nameEnd, 'key', 0, 3)) return false
  if (runEnd(text, start, lowerHexSet, length) !== end || countOf(text, start, end, digitSet) < serviceDigitsMin)
    return false
  if (isKeyOfAddress(text, assigned) || isKeyOfSection(text, assigned)) return true
  if (!isOwnHeader(text, nameStart) && !isVariable(text, assigned) && !isListedVariable(text, assigned)) return false
  return nameEnd - nameStart >= serviceNameUnitsMin && !endsInOne(text, nameStart, nameEnd, otherKeys)
}

/** The `key` parameter of a URL, in which services expect their key: `https://tiles.acme.dev/3/4/2.pbf?key=...`. */
function isKeyOfAddress(text: string, { nameStart, nameEnd, operator }: Assignment): boolean {
  const before = text.charCodeAt(nameStart - 1)
  if (operator !== operators.equals || (before !== 63 && before !== 38) || nameEnd - nameStart !== 3) return false
  const from = runStart(text, nameStart, addressSet, addressUnitsMax)
  const scheme = text.slice(from, nameStart).lastIndexOf('://')
  return scheme >= 0 && text.slice(from + scheme, nameStart).includes('.')
}
const addressSet = charSet('A-Z', 'a-z', '0-9', ':/.?&=%{}$@_~+,;-')
const addressUnitsMax = 160

/**
 * The setting `key` of a section that encrypts or signs: `[encryption]` above `key = ...`, `encryption:` above
 * `key: ...`, `"encryption": { "key": "..." }`, `'crypt' => ['key' => '...']`.
 */
function isKeyOfSection(text: string, { nameStart, nameEnd, operator }: Assignment): boolean {
  if (nameEnd - nameStart !== 3 || (operator !== operators.equals && operator !== operators.colon)) return false
  const to = runStart(text, nameStart, headingGapSet, headingGapUnitsMax)
  const heading = text.slice(runStart(text, to, letterSet, headingUnitsMax), to).toLowerCase()
  if (to < nameStart - 1 && sections.has(heading)) return true
  if (operator !== operators.equals || text.charCodeAt(nameStart - 1) !== 10) return false
  const above = text.slice(Math.max(0, nameStart - sectionUnitsMax), nameStart - 1)
  const open = above.lastIndexOf('[')
  if (open < 0 || (open > 0 && !inSet(lineStartSet, above.charCodeAt(open - 1)))) return false
  return sections.has(above.slice(open + 1, above.indexOf(']', open)).toLowerCase())
}
const headingGapSet = charSet(' \t\r\n:{"\'[]=>')
/** A line break, or the quote of a text within a literal. */
const lineStartSet = charSet('\n"\'`')
const headingGapUnitsMax = 40
const headingUnitsMax = 16
const sections = new Set('encryption crypt crypto cryptography cipher signing session jwt cookie cookies'.split(' '))
const sectionUnitsMax = 400

/** A cookie named `auth`, which signs a browser in: `document.cookie = "auth=..."`. */
export function isSignInCookie(text: string, { nameStart, nameEnd, operator, start, end }: Assignment): boolean {
  if (operator !== operators.equals || start !== nameEnd + 1 || end - start < cookieUnitsMin) return false
  if (!endsIn(text, nameStart, nameEnd, 'auth', 0, 4) || countOf(text, start, end, digitSet) < serviceDigitsMin)
    return false
  if (!consistsOf(text, start, end, lowerHexSet)) return false
  const before = text.slice(Math.max(0, nameStart - cookiesUnitsMax), nameStart).toLowerCase()
  return before.slice(before.lastIndexOf('\n') + 1).includes('cookie')
}
const cookieUnitsMin = 32
const cookiesUnitsMax = 240

/** A variable as YAML, JSON and printed environments list it, or a constant: `ACMEWORKS_KEY:   ...`. */
function isListedVariable(text: string, { nameStart, nameEnd, operator }: Assignment): boolean {
  if (operator !== operators.colon && operator !== operators.equals) return false
  if (countOf(text, nameStart, nameEnd, lowerSet) > 0) return false
  return countOf(text, nameStart, nameEnd, underscoreSet) > 0
}

const serviceNameUnitsMin = 7
const serviceDigitsMin = 8

/** Ends of names under which even a UUID is a secret; the keys of records are UUIDs as well. */
const uuidNames = [
  'token',
  'secret',
  'secretkey',
  'apikey',
  'accesskey',
  'privatekey',
  'authkey',
  'signingkey',
  'masterkey',
  'licensekey',
  'password',
  'passwd',
  'pwd',
  'passphrase'
]

const onceNames = ['clienttoken', 'requesttoken', 'actiontoken', 'idempotencytoken']

/** Whether the name leaves no doubt that its value is a secret. */
export function namesToken(text: string, { nameStart, nameEnd }: Pick<Assignment, 'nameStart' | 'nameEnd'>): boolean {
  // An idempotency token of AWS, whose UUID is not secret.
  if (endsInOne(text, nameStart, nameEnd, onceNames)) return false
  if (endsInOne(text, nameStart, nameEnd, uuidNames)) return true
  return isOwnHeader(text, nameStart) && endsIn(text, nameStart, nameEnd, 'key', 0, 3)
}

/** Whether it is a header that a service invents, in any case: `X-Acmeworks-Key`. */
function isOwnHeader(text: string, nameStart: number): boolean {
  return foldCode(text.charCodeAt(nameStart)) === 120 && text.charCodeAt(nameStart + 1) === 45
}

const secretName = 'secret'
const beforeUnitsMax = 120
const userNames = ['user', 'login', 'auth', 'account', 'ext', 'realm']
const anyUser = new WordList(userNames)
const fieldSet = charSet(':=,')
const fieldGapSet = charSet(' "\'>')

/**
 * The names with which Java signs in to a directory: `java.naming.security.credentials=...`,
 * `put(SECURITY_CREDENTIALS, "...")`.
 */
function isOfDirectory(text: string, at: number, nameEnd: number): boolean {
  const name = text.slice(at, nameEnd)
  if (name === 'credentials') return text.endsWith(directoryHead, at)
  return name === directoryConstant
}
const directoryHead = '.security.'
const directoryConstant = 'SECURITY_CREDENTIALS'

/**
 * Whether a secret belongs to a sign-in: beside a user, people choose it like a password:
 * `{ user: "4711", secret: "..." }`.
 */
export function signsIn(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, quoted } = assigned
  if (isOfDirectory(text, nameStart, nameEnd)) return true
  if (nameEnd - nameStart !== secretName.length || !text.startsWith(secretName, nameStart)) return false
  if (!quoted) return isOfPeer(text, assigned)
  if (!anyUser.standsIn(text, Math.max(0, nameStart - beforeUnitsMax), nameStart)) return false
  const before = text.slice(Math.max(0, nameStart - beforeUnitsMax), nameStart).toLowerCase()
  const record = before.slice(Math.max(before.lastIndexOf('}'), before.lastIndexOf('\n\n')) + 1)
  return userNames.some((user) => {
    const at = record.lastIndexOf(user)
    if (at < 0 || inSet(letterSet, record.charCodeAt(at - 1))) return false
    const end = runEnd(record, runEnd(record, at, letterSet, 12), fieldGapSet, 4)
    return inSet(fieldSet, record.charCodeAt(end))
  })
}

const sessionUnitsMax = 96
/** Calls that sign sessions and tokens with the secret in their settings. */
const sessionCalls = [
  ...['session({', 'cookiesession({', 'jwtmodule.register({', 'expressjwt({', 'expressjwt.expressjwt({'],
  ...['fastifysession, {', 'fastifyjwt, {', 'fastifycookie, {', 'withironsession(', 'jwt({']
]

/** Whether it is the secret among the settings of such a call: `session({ secret: "..." })`. */
export function isOfSession(text: string, { nameStart, nameEnd, quoted, operator }: Assignment): boolean {
  if (!quoted || operator !== operators.colon || nameEnd - nameStart !== secretName.length) return false
  if (!text.startsWith(secretName, nameStart)) return false
  const before = text.slice(Math.max(0, nameStart - sessionUnitsMax), nameStart).toLowerCase()
  const call = before.slice(Math.max(before.lastIndexOf('}'), before.lastIndexOf(';')) + 1)
  return sessionCalls.some((one) => call.includes(one))
}

const peerNames = new Set(
  'user username host type ipaddr ipv4addr shortname nastype nas_type callsign reflector context address server peer port allow permit read write'.split(
    ' '
  )
)
const settingUnitsMax = 160

/**
 * `secret = X` below the name of the dialling party, in settings of telephones, radios and RADIUS: a line of its own
 * among such lines.
 */
function isOfPeer(text: string, { nameStart, start, end, operator }: Assignment): boolean {
  if (operator !== operators.equals || start > nameStart + secretName.length + 3) return false
  const blanks = runStart(text, nameStart, blankSet, settingUnitsMax)
  const next = text.charCodeAt(end)
  if ((blanks > 0 && text.charCodeAt(blanks - 1) !== 10) || (end < text.length && next !== 10 && next !== 13))
    return false
  const near = text.slice(Math.max(0, blanks - settingUnitsMax), blanks) + text.slice(end, end + settingUnitsMax)
  return near.split('\n').some((line) => {
    const sign = line.indexOf('=')
    return sign > 0 && peerNames.has(line.slice(0, sign).trim().toLowerCase())
  })
}
