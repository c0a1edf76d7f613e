/** Program text that looks like the assignment of a secret: a type, a constant, a call, a list, part of a URL. */
import { endsIn } from './assigned-names.ts'
import {
  isInitializer,
  isMapVariable,
  isMemberVariable,
  isOfSubscript,
  isReceiver,
  isStatement,
  isVariableName
} from './assigned-variables.ts'
import type { Assignment } from './assignments.ts'
import { operators, type Operator } from './operators.ts'
import {
  backslashSet,
  base62Set,
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  identifierSet,
  inSet,
  letterSet,
  lowerSet,
  quoteSet,
  runEnd,
  runStart,
  spaceSet,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { nameParts } from '../values/key-names.ts'
import { isHexDigest, isUuid } from '../values/non-secret-formats.ts'
import { isDeclaredType } from '../values/program-identifiers.ts'
import { isNameChain } from '../values/references.ts'
import { rarity } from '../values/rarity.ts'
import { isAdjacentSecret, isGenerated } from '../values/stated-value.ts'

/** Whether the assigned value is a piece of program text or of a list, or continues a placeholder or URL. */
export function isCodeFalsePositive(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, nameQuoted, operator, quoted, wrapped, start, end } = assigned
  if (
    !quoted &&
    ((!isParameter(text, nameStart) && isCall(text, start, end, operator)) ||
      namesItself(text, assigned) ||
      (isDefaulted(text, nameEnd) && !isGenerated(text, start, end)) ||
      isVariableName(text, assigned) ||
      isMapVariable(text, assigned) ||
      isMemberVariable(text, assigned))
  )
    return true
  if (quoted && isRepeated(text, start, end)) return true
  if (quoted && (wrapped ? isLookedUp(text, start, end) : isKeyAttribute(text, assigned))) return true
  switch (operator) {
    case operators.column:
      return isTypeOrPort(text, start, end)
    case operators.colon:
      if (nameQuoted) return quoted ? text.startsWith('::', nameStart - 2) : isMember(text, assigned)
      // `case WIFI_AUTH_WPA2_PSK: security = "WPA2/PSK"`.
      if (text.startsWith('case ', nameStart - 5) && !isAdjacentSecret(text, start, end)) return true
      if (isElement(text, start, end)) return true
      if (!quoted && (isType(text, start, end) || isMemberType(text, assigned) || isDeclaredType(text, start, end)))
        return true
      return !quoted && (isOfAddress(text, assigned) || isLoop(text, assigned))
    case operators.element:
      // A gap to fill in: `ClientSecret <client password>`, `get <path/to/secret>`, `--password=<PASSWORD>`.
      if (!nameQuoted && isGap(text, nameStart)) return true
      return !quoted && !nameQuoted && followsPlaceholder(text, start, end)
    case operators.option:
      return !quoted && isAccount(text, nameEnd, start, end)
    case operators.comma:
      return quoted && isSibling(text, nameStart, start, end)
    case operators.call:
      return quoted && (consistsOf(text, start, end, upperSet) || isIdOfKey(text, assigned))
    case operators.cell:
      // `key: AllowedPrivateKeys | PyJWK | str`: a union of types.
      if (text.startsWith(': ', nameStart - 2) && inSet(upperSet, codeAt(text, nameStart)))
        return !quoted && isType(text, start, end)
      return !quoted && commands.has(text.slice(start, end))
    case operators.equals:
      if (isOfSubscript(text, assigned)) return true
      if (quoted) return isAccount(text, nameEnd, start, end)
      if (isLoaded(text, nameEnd, start, end)) return true
      // The folder that a shell is in, and the public token of a badge.
      if (codeAt(text, start) === 47 && isFolder(text, nameStart, nameEnd)) return true
      if (isParameter(text, nameStart) && isOfBadge(text, nameStart)) return true
      // `--service-pipe-token=11343697476573359606`: a channel between the processes of a browser.
      if (text.startsWith('--service-', nameStart) && consistsOf(text, start, end, digitSet)) return true
      // `type FREE_PASSWORD = uintptr`.
      if (text.startsWith('type ', nameStart - 5) || isStatement(text, assigned) || isReceiver(text, assigned))
        return true
      // `awk '/^password=/{p=$0}'`.
      if (codeAt(text, nameStart - 1) === 94 && codeAt(text, start) === 47) return true
      if (isOperand(text, start, end) || isJoined(text, start, end) || isInitializer(text, assigned)) return true
      return isInShell(text, nameStart, start, end) || isFile(text, assigned)
    default:
      return false
  }
}

/** Whether a short string is repeated, as tests fill a value: `"ab12".repeat(8)`, `"ab12" * 8`. */
function isRepeated(text: string, start: number, end: number): boolean {
  if (end - start > pieceUnitsMax) return false
  const quote = runEnd(text, end, backslashSet, backslashesMax)
  if (!inSet(quoteSet, codeAt(text, quote))) return false
  if (text.startsWith('.repeat(', quote + 1)) return true
  const star = runEnd(text, quote + 1, blankSet, 1)
  return codeAt(text, star) === 42 && inSet(digitSet, codeAt(text, runEnd(text, star + 1, blankSet, 1)))
}
const backslashesMax = 4
const pieceUnitsMax = 16

/** Whether a key is asked for or removed by its id, a UUID: `client.get_auth_key("...")`. */
function isIdOfKey(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  return isUuid(text, start, end) && askingVerbs.has(nameParts(text, nameStart, nameEnd)[0] as string)
}
const askingVerbs = new Set('get fetch find read show describe retrieve delete remove revoke rotate'.split(' '))

/** Commands that make a bar a pipe: `printf password | md5sum`. */
const commands = new Set(
  'md5sum sha1sum sha256sum sha512sum base64 xxd openssl htpasswd mkpasswd gpg docker kubectl'.split(' ')
)

/** A variable in an object literal: `{'credential': ec2_ref}`, `{"jwt": pyjwt}`. */
function isMember(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  if (codeAt(text, end) !== 125 || !consistsOf(text, start, end, wordSet)) return false
  return text.slice(start, end).includes('_') || endsIn(text, start, end, text, nameStart, nameEnd)
}

/** A member of an object in a list: `sshKeys: [deploySshKey.id]`. */
function isElement(text: string, start: number, end: number): boolean {
  if (codeAt(text, start - 1) !== 91 || codeAt(text, end) !== 93) return false
  return isNameChain(text, start, end) && countOf(text, start, end, digitSet) === 0
}

const integers = ['8', '16', '32', '64', 'ptr', 'max'].flatMap((size) => [`int${size}_t`, `uint${size}_t`])

/**
 * A type behind a parameter or an enumeration: `enum FormatToken : uint8_t`, `(self, jwt: PyJWT) -> None`,
 * `key: AllowedKeys | PyJWK | str`, `RwLock<Option<String>>`.
 */
function isType(text: string, start: number, end: number): boolean {
  if (text.startsWith('_t', end - 2) && integers.includes(text.slice(start, end))) return true
  if (!inSet(upperSet, codeAt(text, start)) || !consistsOf(text, start, end, letterSet)) return false
  if (text.startsWith(' | ', start - 3) && inSet(wordSet, codeAt(text, start - 4))) return true
  if (text.startsWith(' | ', end) && inSet(letterSet, codeAt(text, end + 3))) return true
  if (codeAt(text, end) === 60) return true
  const close = runEnd(text, end, spaceSet, parameterGapMax)
  return text.startsWith(') ->', close) || text.startsWith('):', close)
}
const parameterGapMax = 16

/** The type of a public member in Rust: `pub password: CryptPw,`. */
function isMemberType(text: string, { nameStart, start, end }: Assignment): boolean {
  if (!inSet(upperSet, codeAt(text, start)) || !consistsOf(text, start, end, letterSet)) return false
  return text.startsWith('pub ', nameStart - 4)
}

/** Two quoted names that begin alike, such as columns of a table: `("pw_passwd", "pw_uid")`. */
function isSibling(text: string, nameStart: number, start: number, end: number): boolean {
  if (codeAt(text, nameStart - 1) === 96 && codeAt(text, start - 1) === 96) return true
  // `'kuma_failed_password', 'kuma_failed_totp'`.
  const name = text.slice(nameStart, runEnd(text, nameStart, wordSet, longHeadMax))
  const last = name.lastIndexOf('_') + 1
  if (last > longHeadMin && text.startsWith(name.slice(0, last), start)) return true
  const head = runEnd(text, nameStart, lowerSet, headUnitsMax)
  if (head === nameStart || codeAt(text, head) !== 95) return false
  return text.startsWith(text.slice(nameStart, head + 1), start) && consistsOf(text, start, end, identifierSet)
}
const headUnitsMax = 4
const longHeadMin = 8
const longHeadMax = 64

/** A bare word that is assigned unless there is a value: `@shared_secret ||= dh_512bits`. Only programs have the sign. */
function isDefaulted(text: string, nameEnd: number): boolean {
  const sign = codeAt(text, nameEnd) === 32 ? nameEnd + 1 : nameEnd
  return text.startsWith('||=', sign) || text.startsWith('??=', sign)
}

/** A bare word in a language whose variables have a `$`: `$pass = pushes`. */
function isInShell(text: string, nameStart: number, start: number, end: number): boolean {
  return codeAt(text, nameStart - 1) === 36 && consistsOf(text, start, end, identifierSet)
}

/**
 * The argument of a call that looks something up by its name: `getElementById("smtppass")`, `server.arg("blynk")`.
 * What bytes are got of is the value itself.
 * @param start the argument, behind its quote
 * @param end its end
 */
function isLookedUp(text: string, start: number, end: number): boolean {
  let to = start - 1
  while (to > 0 && inSet(openingSet, text.charCodeAt(to - 1))) to--
  const name = text.slice(runStart(text, to, wordSet, calleeUnitsMax), to)
  // The argument of a command has the same name as one that is looked up.
  if (name === 'arg' && !isAdjacentSecret(text, start, end)) return true
  if (namedEnds.some((one) => name.endsWith(one)) || isSecondNamed(text, start)) return true
  const isGetter = lookups.some((verb) => name.startsWith(verb) && inSet(callJointSet, codeAt(name, verb.length)))
  return isGetter && !name.toLowerCase().includes('bytes')
}
/** Whether the next argument is the kind of secret that is looked up: `data_bag_item("shop", "passwords")`. */
function isSecondNamed(text: string, start: number): boolean {
  const quote = codeAt(text, start - 1)
  const end = runEnd(text, start, identifierSet, calleeUnitsMax)
  if (end === start || codeAt(text, end) !== quote || !text.startsWith(', ', end + 1)) return false
  if (codeAt(text, end + 3) !== quote) return false
  const to = runEnd(text, end + 4, letterSet, calleeUnitsMax)
  return codeAt(text, to) === quote && codeAt(text, to + 1) === 41 && kinds.has(text.slice(end + 4, to).toLowerCase())
}
const kinds = new Set(['password', 'passwords', 'secret', 'secrets', 'credentials', 'keys', 'tokens'])
const openingSet = charSet('( "\'`')
const calleeUnitsMax = 48
/** `SubResource("Mesh_7ay8c")`, `GenerateUniqueName("CMK")`. */
const namedEnds = ['Resource', 'UniqueName']
const lookups = ['get', 'find', 'query', 'lookup', 'by']
/** What follows the verb in the name of a call. */
const callJointSet = charSet('A-Z', '_')

/** An attribute whose sibling has the value: `<property key="oXC16gcc-lvl" value=""/>`. */
function isKeyAttribute(text: string, { nameStart, nameEnd, operator, end }: Assignment): boolean {
  if (operator !== operators.equals || nameEnd - nameStart !== 3 || codeAt(text, nameStart - 1) !== 32) return false
  return text.startsWith(' value=', end + 1)
}

/** An operand of an arithmetic expression: `PW = NBLST * NBLST + 1`. */
function isOperand(text: string, start: number, end: number): boolean {
  if (codeAt(text, start - 1) !== 32 || codeAt(text, end) !== 32 || codeAt(text, end + 2) !== 32) return false
  if (!inSet(arithmeticSet, codeAt(text, end + 1)) || !consistsOf(text, start, end, wordSet)) return false
  return inSet(letterSet, codeAt(text, start)) && inSet(operandSet, codeAt(text, end + 3))
}
/** A variable that is joined to a string, or assigned on: `password=lmhash + ":" + nthash`, `user = passwd = acct = None`. */
function isJoined(text: string, start: number, end: number): boolean {
  if (!text.startsWith(' + ', end) && !text.startsWith(' = ', end)) return false
  return consistsOf(text, start, end, identifierSet) && inSet(joinedSet, codeAt(text, end + 3))
}
const joinedSet = charSet('A-Z', 'a-z', '_"\'')
const arithmeticSet = charSet('*+/')
const operandSet = charSet('A-Z', 'a-z', '0-9', '_(')

/** Whether the name at `at` is that of a URL parameter: `?page=4&api_key=...`. */
function isParameter(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return before === 63 || before === 38
}

/**
 * A call: `new_token = xstrdup (old)`, `pwd = pw_name ? getpwnam (pw_name) : null`; but not
 * `pass: ... (no dot at the end)`.
 */
function isCall(text: string, start: number, end: number, operator: Operator): boolean {
  if (codeAt(text, end) !== 32 || !consistsOf(text, start, end, wordSet)) return false
  // No function name has so many digits: `&api_key=3f9c... (Caused by ...`.
  const isLong = end - start >= generatedUnitsMin && consistsOf(text, start, end, base62Set)
  if (isLong && countOf(text, start, end, digitSet) >= generatedDigitsMin) return false
  const sign = runEnd(text, end, blankSet, callGapMax)
  if (codeAt(text, sign) !== 40 && !text.startsWith(' ? ', end)) return false
  return operator !== operators.colon || !isAdjacentSecret(text, start, end)
}
const callGapMax = 16
const generatedUnitsMin = 16
const generatedDigitsMin = 3

/** A value that continues the name: `char *ca_pwd = ca_pwd_rsa;`. */
function namesItself(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  const length = nameEnd - nameStart
  if (end - start <= length || codeAt(text, start + length) !== 95) return false
  return text.startsWith(text.slice(nameStart, nameEnd), start)
}

/** The most digits of a port, and of the letters of a word that is in such a column by chance. */
const portDigitsMax = 6
const typeBits = 9

/** A type in a struct, `Fgr_passwd   uintptr`, or a port in a list of services, `kpasswd   464/tcp`. */
function isTypeOrPort(text: string, start: number, end: number): boolean {
  const digits = runEnd(text, start, digitSet, portDigitsMax)
  if (digits > start)
    return digits === end || (codeAt(text, digits) === 47 && runEnd(text, digits + 1, letterSet, 8) === end)
  return consistsOf(text, start, end, identifierSet) && rarity(text, start, end) < typeBits
}

/**
 * What a colon joins to a path or chain: an image tag (`acme/app-secrets:v0.9.9-ubi`), a file's digest
 * (`/etc/passwd: 5891b5...`), a host and its port (`shop.pw:80`), a part of `license:golang:userpass:MPL-2.0`, ciphers (`!PSK:!SRP:!DSS`).
 */
function isOfAddress(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  const before = codeAt(text, nameStart - 1)
  const isTight = start === nameEnd + 1
  if (before === 33) return isTight
  // `\int_step_tokens:nnnn`: a LaTeX function with its argument types.
  if (before === 92) return isTight && consistsOf(text, start, end, argumentSet)
  if (before === 47) return isTight ? isVersion(text, start) : isHexDigest(text, start, end)
  if (before === 46 && nameEnd - nameStart === 2) return isTight && inSet(digitSet, codeAt(text, start))
  if (before !== 58 || !isTight) return false
  // A public key as the name of somebody: `did:key:z6Mk...`.
  if (text.startsWith('did:', nameStart - 4)) return true
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

/** A loop: `for (auto password : candidates)`. */
function isLoop(text: string, { nameEnd, start, end }: Assignment): boolean {
  return codeAt(text, nameEnd) === 32 && codeAt(text, end) === 41 && consistsOf(text, start, end, wordSet)
}

/**
 * A value behind a placeholder, which is not markup: `smbpass=<password> -p445`, `<user>:<password>@host`, or the
 * sentence `Reenter password: <password> PBKDF2 hash of ...`.
 */
function followsPlaceholder(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start)
  if (first === 64 || (first === 45 && codeAt(text, end) === 32)) return true
  const next = runEnd(text, end + 1, lowerSet, 16)
  return codeAt(text, start - 1) === 32 && codeAt(text, end) === 32 && next > end + 1 && codeAt(text, next) === 32
}

/** Whether an angle bracket with more words, or behind an equals sign, opens before the name at `at`. */
function isGap(text: string, at: number): boolean {
  const from = runStart(text, at, gapWordSet, gapWordUnits)
  return codeAt(text, from - 1) === 60 && (from < at || codeAt(text, from - 2) === 61)
}
const gapWordSet = charSet('A-Z', 'a-z', ' /')
const gapWordUnits = 48

/** `PWD=/disk0:` on a line of its own. */
function isFolder(text: string, nameStart: number, nameEnd: number): boolean {
  return nameEnd - nameStart === 3 && text.startsWith('\nPWD=', nameStart - 1)
}

function isOfBadge(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - badgeUnitsMax), at)
  return before.slice(before.lastIndexOf('://') + 1).includes('/codecov/')
}
const badgeUnitsMax = 100

/** A file listing: `/etc/passwd -> r:-rw-r--r--`. */
function isFile(text: string, { nameStart, nameEnd, start }: Assignment): boolean {
  return codeAt(text, nameStart - 1) === 47 && text.slice(nameEnd, start).includes('->')
}

/** A credential that a unit of systemd takes from a file: `LoadCredential=pin:/etc/acme/pin`. */
function isLoaded(text: string, nameEnd: number, start: number, end: number): boolean {
  return text.startsWith('Credential', nameEnd - 10) && text.slice(start, end).includes(':/')
}

/** A PowerShell account, for which the password is asked: `-Credential jdoe`, `Credential = 'ACME\\jdoe'`. */
function isAccount(text: string, nameEnd: number, start: number, end: number): boolean {
  if (!text.startsWith('redential', nameEnd - 9)) return false
  return countOf(text, start, end, lowerSet) === end - start || countOf(text, start, end, backslashSet) === 1
}
