/** String arguments that are no secrets by their form: hosts, versions, record ids, names of algorithms. */
import {
  base62Set,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  dottedDigitSet,
  dottedNameSet,
  hexSet,
  inSet,
  letterSet,
  lowerSet,
  nameJointSet,
  nameSet,
  placeOf,
  runEnd,
  runStart,
  underscoreSet,
  upperDigitSet,
  wordSet
} from '../text/chars.ts'

const mailSet = charSet('A-Z', 'a-z', '0-9', '_.+-')
const formatSet = charSet('sdvxq')

/** Whether it is a host, perhaps with port or path, or a file name with dots. */
export function isHostLike(text: string, start: number, end: number): boolean {
  const stop = runEnd(text, start, dottedNameSet, end - start)
  const dot = runEnd(text, start, nameSet, stop - start)
  if (dot === start || dot >= stop - 1) return false
  const sign = stop < end ? text.charCodeAt(stop) : slash
  return sign === slash || (sign === colon && runEnd(text, stop + 1, digitSet, 6) >= end)
}
const slash = 47
const colon = 58

/** Whether it is hosts, or other names with dots, with a comma before each: `,broker-2:9092,org.acme.Listener`. */
export function isHostList(text: string, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    const comma = placeOf(text, 44, at + 1, end - at - 1)
    const to = comma < 0 ? end : comma
    if (text.charCodeAt(at) !== 44 || !isHostOrPort(text, at + 1, to)) return false
    at = to
  }
  return end > start
}

/** Whether it is a host that has a dot or a port. */
function isHostOrPort(text: string, start: number, end: number): boolean {
  const label = runEnd(text, start, nameSet, end - start)
  const isLocal = label > start && text.charCodeAt(label) === colon && label + 1 < end
  return isLocal ? runEnd(text, label + 1, digitSet, 6) === end : isHostLike(text, start, end)
}

/** Whether it is a mail address. */
export function isMailLike(text: string, start: number, end: number): boolean {
  const at = runEnd(text, start, mailSet, end - start)
  return at > start && at < end && text.charCodeAt(at) === 64 && isHostLike(text, at + 1, end)
}

/** Whether a literal without blanks is something that stands beside secrets and looks like one. */
export function isNonSecretArgument(text: string, start: number, end: number): boolean {
  return (
    isHostLike(text, start, end) ||
    isMailLike(text, start, end) ||
    isVersioned(text, start, end) ||
    isRecord(text, start, end) ||
    isConstant(text, start, end) ||
    isProgram(text, start, end) ||
    isKeys(text, start, end) ||
    isCounted(text, start, end) ||
    isNumberedName(text, start, end) ||
    isFunction(text, start, end) ||
    isWritten(text, start, end)
  )
}

const programs = new Set('chrome chromium firefox edge safari opera outlook office windows'.split(' '))

/** Whether it is a program with its version, as people mention it when a sign-in fails: `Chrome131`. */
export function isProgram(text: string, start: number, end: number): boolean {
  const number = runStart(text, end, digitSet, versionDigitsMax)
  return number < end && programs.has(text.slice(start, number).toLowerCase())
}
const versionDigitsMax = 4

const modifiers = ['ctrl', 'control', 'alt', 'shift', 'cmd', 'meta', 'super', 'option']

/** Whether it is a keyboard shortcut: `ctrl+shift+4`. */
function isKeys(text: string, start: number, end: number): boolean {
  return modifiers.some((one) => text.startsWith(one + '+', start)) && countOf(text, start, end, digitSet) === 1
}

/** Whether it is one of many numbered things, with a leading zero: `deploy-02`, `node_007`. */
function isCounted(text: string, start: number, end: number): boolean {
  const number = runStart(text, end, digitSet, end - start)
  if (end - number < 2 || number === start || text.charCodeAt(number) !== 48) return false
  return inSet(nameJointSet, text.charCodeAt(number - 1)) && runEnd(text, start, lowerSet, end - start) === number - 1
}

/** Whether it is a name with its version or port: `redis:7.2`, `eslint@9`, `acme-agent/1.4`, `org.acme:shop:2.0.18`. */
function isVersioned(text: string, start: number, end: number): boolean {
  const first = runEnd(text, start, dottedNameSet, end - start)
  // The group of a Maven artifact is the reverse of a host.
  const isOfGroup = text.charCodeAt(first) === colon && isHostLike(text, start, first)
  const name = isOfGroup ? runEnd(text, first + 1, dottedNameSet, end - first - 1) : first
  const sign = text.charCodeAt(name)
  if (name === start || name >= end - 1 || (sign !== colon && sign !== 64 && sign !== slash)) return false
  const number = codeAt(text, name + 1) === 118 ? name + 2 : name + 1
  // `k6cloud/v0.4`, as programs introduce themselves. A password may end in `/7`.
  if (sign === slash) return isDottedNumber(text, number, end)
  if (isOfGroup && !(consistsOf(text, first + 1, name, artifactSet) && text.slice(number, end).includes('.')))
    return false
  return inSet(digitSet, codeAt(text, number)) && consistsOf(text, number, end, dottedNameSet)
}

const artifactSet = charSet('a-z', '0-9', '._-')

function isDottedNumber(text: string, start: number, end: number): boolean {
  const point = runEnd(text, start, digitSet, end - start)
  return point > start && codeAt(text, point) === 46 && consistsOf(text, point, end, dottedDigitSet)
}

/** Whether it is words and a count, joined by underscores: `Counting_Sem_1`. */
function isNumberedName(text: string, start: number, end: number): boolean {
  const number = runStart(text, end, digitSet, countDigitsMax)
  if (number === end || text.charCodeAt(number - 1) !== 95) return false
  let words = 0
  for (let at = start; at < number; words++) {
    const to = runEnd(text, at, letterSet, number - at)
    if (to === at || text.charCodeAt(to) !== 95) return false
    at = to + 1
  }
  return words > 1
}
const countDigitsMax = 1

/** Whether it is a function of C with the library before it: `Z3_mk_fpa_to_fp_float`. */
function isFunction(text: string, start: number, end: number): boolean {
  const head = runEnd(text, start, base62Set, end - start)
  if (codeAt(text, head) !== 95 || !inSet(letterSet, codeAt(text, start))) return false
  return consistsOf(text, head, end, lowerSnakeSet) && countOf(text, head, end, underscoreSet) > 2
}
const lowerSnakeSet = charSet('a-z', '_')

const sortUnitsMin = 2
const sortUnitsMax = 12
const recordUnitsMin = 6
const recordUnitsMax = 16

/** Whether it is a record id behind its type: `cus_UkLWZg9DAJ`, `_TZ3000_j1xl73iw`. */
function isRecord(text: string, first: number, end: number): boolean {
  const isInternal = codeAt(text, first) === 95
  const start = isInternal ? first + 1 : first
  const joint = runEnd(text, start, isInternal ? upperDigitSet : lowerSet, sortUnitsMax)
  if (joint - start < sortUnitsMin || codeAt(text, joint) !== 95) return false
  const units = end - joint - 1
  return units >= recordUnitsMin && units <= recordUnitsMax && runEnd(text, joint + 1, base62Set, units) === end
}

const partUnitsMax = 12

/** Whether it is capitals and digits, in several parts if it is long: `XOAUTH2`, `ROLE_ROLE1`, `ECDH-ES`. */
function isConstant(text: string, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    const stop = runEnd(text, at, upperDigitSet, end - at)
    if (stop === at || (at === start && stop - at > partUnitsMax)) return false
    if (stop < end && !inSet(nameJointSet, text.charCodeAt(stop))) return false
    at = stop + 1
  }
  return true
}

const hashHeadMax = 6

/** Whether it contains a format directive, a URL escape, a query, a password hash, or ends like `aspect$0`. */
function isWritten(text: string, start: number, end: number): boolean {
  for (let i = start; i < end - 1; i++) {
    const code = text.charCodeAt(i)
    const next = text.charCodeAt(i + 1)
    if (code === 37 && (inSet(formatSet, next) || (inSet(hexSet, next) && inSet(hexSet, codeAt(text, i + 2)))))
      return true
    if (code === 38 && next === 38) return true
    if (code === 63 && codeAt(text, runEnd(text, i + 1, wordSet, end - i - 1)) === 61) return true
    // `$2a$`, `$apr1$`.
    if (code === 36 && next !== 36 && codeAt(text, runEnd(text, i + 1, base62Set, hashHeadMax)) === 36) return true
  }
  const digits = runStart(text, end, digitSet, end - start)
  return digits < end && codeAt(text, digits - 1) === 36 && countOf(text, start, digits, digitSet) === 0
}
