/** What reads like the assignment of a secret and is program text: a type, a constant, a call, a list, a part of an address. */
import type { Assignment } from './assignments.ts'
import { operators, type Operator } from './operators.ts'
import {
  base62Set,
  charSet,
  codeAt,
  countOf,
  digitSet,
  hexSet,
  inSet,
  letterSet,
  lowerSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { isHexDigest } from '../values/friends.ts'
import { rarity } from '../values/rarity.ts'
import { isToldBeside } from '../values/told-value.ts'

/** Whether what is assigned is a piece of program text, of a list, or of what a placeholder or an address goes on with. */
export function isOfCode(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, nameQuoted, operator, quoted, start, end } = assigned
  if (
    !quoted &&
    ((!isParameter(text, nameStart) && isCall(text, start, end, operator)) ||
      namesItself(text, assigned) ||
      isVariableName(text, start, end, operator))
  )
    return true
  switch (operator) {
    case operators.column:
      return isTypeOrPort(text, start, end)
    case operators.colon:
      if (nameQuoted) return quoted ? text.startsWith('::', nameStart - 2) : isMember(text, start, end)
      return !quoted && (isOfAddress(text, assigned) || isLoop(text, assigned))
    case operators.element:
      return !quoted && !nameQuoted && followsPlaceholder(text, start, end)
    case operators.option:
      return !quoted && isAccount(text, nameEnd, start, end)
    case operators.comma:
      return quoted && isSibling(text, nameStart, start, end)
    case operators.call:
      return quoted && runEnd(text, start, upperSet, end - start) === end
    case operators.cell:
      return !quoted && commands.has(text.slice(start, end))
    case operators.equals:
      if (quoted) return isAccount(text, nameEnd, start, end)
      // `type FREE_PASSWORD = uintptr`.
      if (text.startsWith('type ', nameStart - 5) || isStatement(text, assigned)) return true
      return isInShell(text, nameStart, start, end) || isContract(text, nameStart, start, end) || isFile(text, assigned)
    default:
      return false
  }
}

/** What a text goes through where a bar is a pipe: `printf password | md5sum`. */
const commands = new Set(
  'md5sum sha1sum sha256sum sha512sum base64 xxd openssl htpasswd mkpasswd gpg docker kubectl'.split(' ')
)

/** `{'credential': ec2_ref}`: a variable in the braces of a program. */
function isMember(text: string, start: number, end: number): boolean {
  if (codeAt(text, end) !== 125 || runEnd(text, start, wordSet, end - start) !== end) return false
  return text.slice(start, end).includes('_')
}

/** The columns of a table, quoted by graves, and other names that begin alike: `("pw_passwd", "pw_uid")`. */
function isSibling(text: string, nameStart: number, start: number, end: number): boolean {
  if (codeAt(text, nameStart - 1) === 96 && codeAt(text, start - 1) === 96) return true
  const head = runEnd(text, nameStart, lowerSet, headUnitsMax)
  if (head === nameStart || codeAt(text, head) !== 95) return false
  return (
    text.startsWith(text.slice(nameStart, head + 1), start) && runEnd(text, start, identifierSet, end - start) === end
  )
}
const headUnitsMax = 4

/** `$pass = pushes`: a word without quotes is no value where names have this sign. */
function isInShell(text: string, nameStart: number, start: number, end: number): boolean {
  return codeAt(text, nameStart - 1) === 36 && runEnd(text, start, identifierSet, end - start) === end
}

/** `token = tkSEMI;`, `info->pass = rgb_ycc_start;`, `pw = *start;`: one variable is given to another. */
function isStatement(text: string, { nameEnd, start, end }: Assignment): boolean {
  if (codeAt(text, end) !== 59 || codeAt(text, nameEnd) !== 32 || codeAt(text, start - 1) !== 32) return false
  const from = codeAt(text, start) === 42 ? start + 1 : start
  return runEnd(text, from, identifierSet, end - from) === end
}

/** Whether the name at `at` is that of a parameter in an address: `?page=4&api_key=...`. */
function isParameter(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return before === 63 || before === 38
}

/** `?token=0x...` with 40 hexadecimal digits: a contract of a chain, which everybody may read. */
function isContract(text: string, nameStart: number, start: number, end: number): boolean {
  if (!isParameter(text, nameStart) || end - start !== contractUnits || !text.startsWith('0x', start)) return false
  return runEnd(text, start + 2, hexSet, contractUnits) === end
}
const contractUnits = 42

const identifierSet = charSet('A-Z', 'a-z', '_')

/** `new_token = xstrdup (old)`, `pwd = pw_name ? getpwnam (pw_name) : null`, and no `pass: ... (no dot at the end)`. */
function isCall(text: string, start: number, end: number, operator: Operator): boolean {
  if (codeAt(text, end) !== 32 || runEnd(text, start, wordSet, end - start) !== end) return false
  // The name of no function has so many digits: `&api_key=3f9c... (Caused by ...`.
  const isLong = end - start >= drawnUnitsMin && runEnd(text, start, base62Set, end - start) === end
  if (isLong && countOf(text, start, end, digitSet) >= drawnDigitsMin) return false
  const sign = runEnd(text, end, blankSet, callGapMax)
  if (codeAt(text, sign) !== 40 && !text.startsWith(' ? ', end)) return false
  return operator !== operators.colon || !isToldBeside(text, start, end)
}
const callGapMax = 16
const drawnUnitsMin = 16
const drawnDigitsMin = 3
const blankSet = charSet(' \t')

/** `char *ca_pwd = ca_pwd_rsa;`: the value goes on from the name. */
function namesItself(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  const length = nameEnd - nameStart
  if (end - start <= length || codeAt(text, start + length) !== 95) return false
  return text.startsWith(text.slice(nameStart, nameEnd), start)
}

const variableTails = ['Pwd', 'Pass', 'Pw', 'Pswd']
const memberOrVariableTails = [...variableTails, 'Key', 'Token', 'Secret']
const tailEndSet = charSet(...memberOrVariableTails.map((tail) => tail.slice(-1)))

/** `newPw2`, `savedGpgPass`, `apiKey: acmeApiKey`: a variable in camelCase, whose name says what it holds. */
function isVariableName(text: string, start: number, end: number, operator: Operator): boolean {
  const to = inSet(digitSet, codeAt(text, end - 1)) ? end - 1 : end
  if (!inSet(tailEndSet, codeAt(text, to - 1))) return false
  const tails = operator === operators.colon ? memberOrVariableTails : variableTails
  const tail = tails.find((one) => text.startsWith(one, to - one.length))
  if (tail === undefined || to - tail.length <= start) return false
  return !inSet(upperSet, codeAt(text, start)) && countOf(text, start, to, letterSet) >= to - start - 2
}

/** Digits of a port, and the most letters of a word that a column shows by chance. */
const portDigitsMax = 6
const typeBits = 9

/** `Fgr_passwd   uintptr` in a structure, `kpasswd   464/tcp` in a list of services. */
function isTypeOrPort(text: string, start: number, end: number): boolean {
  const digits = runEnd(text, start, digitSet, portDigitsMax)
  if (digits > start)
    return digits === end || (codeAt(text, digits) === 47 && runEnd(text, digits + 1, letterSet, 8) === end)
  return runEnd(text, start, identifierSet, end - start) === end && rarity(text, start, end) < typeBits
}

/**
 * What a colon joins to the end of a path or of a chain: the tag of an image (`acme/app-secrets:v0.9.9-ubi`), the digest of a
 * file (`/etc/passwd: 5891b5...`), the next of `license:golang:userpass:MPL-2.0`; and `!PSK:!SRP:!DSS`, ciphers.
 */
function isOfAddress(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  const before = codeAt(text, nameStart - 1)
  const isTight = start === nameEnd + 1
  if (before === 33) return isTight
  // `\int_step_tokens:nnnn`: a function of LaTeX and what it takes.
  if (before === 92) return isTight && runEnd(text, start, argumentSet, end - start) === end
  if (before === 47) return isTight ? isVersion(text, start) : isHexDigest(text, start, end)
  if (before !== 58 || !isTight) return false
  // `arn:aws:secretsmanager:*:*:secret:name`.
  if (codeAt(text, nameStart - 2) === 42) return true
  const word = runStart(text, nameStart - 1, wordSet, chainUnitsMax)
  return word < nameStart - 1 && codeAt(text, word - 1) === 58
}
const chainUnitsMax = 32
const argumentSet = charSet('NnVvoxefTFDpcw')

function isVersion(text: string, start: number): boolean {
  const from = codeAt(text, start) === 118 ? start + 1 : start
  const digits = runEnd(text, from, digitSet, 4)
  return digits > from && codeAt(text, digits) === 46 && inSet(digitSet, codeAt(text, digits + 1))
}

/** `for (auto password : candidates)`. */
function isLoop(text: string, { nameEnd, start, end }: Assignment): boolean {
  return codeAt(text, nameEnd) === 32 && codeAt(text, end) === 41 && runEnd(text, start, wordSet, end - start) === end
}

/** `smbpass=<password> -p445`, `<user>:<password>@host`: a placeholder, and no element of markup. */
function followsPlaceholder(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start)
  return first === 64 || (first === 45 && codeAt(text, end) === 32)
}

/** `/etc/passwd -> r:-rw-r--r--`. */
function isFile(text: string, { nameStart, nameEnd, start }: Assignment): boolean {
  return codeAt(text, nameStart - 1) === 47 && text.slice(nameEnd, start).includes('->')
}

const backslashSet = charSet('\\')

/** `-Credential jdoe`, `Credential = 'ACME\\jdoe'` of PowerShell: whose password is asked for. */
function isAccount(text: string, nameEnd: number, start: number, end: number): boolean {
  if (!text.startsWith('redential', nameEnd - 9)) return false
  return countOf(text, start, end, lowerSet) === end - start || countOf(text, start, end, backslashSet) === 1
}
