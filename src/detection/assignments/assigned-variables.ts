/** Variables of programs that are assigned to others: `secret = dbSecret;`, `.secret_key = rpk_priv,`. */
import type { Assignment } from './assignments.ts'
import { operators } from './operators.ts'
import {
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
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { isNameChain } from '../values/references.ts'
import { isAdjacentSecret } from '../values/stated-value.ts'

/** A variable in an initializer of C: `.secret_key = rpk_priv,`. */
export function isInitializer(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  if (codeAt(text, nameStart - 1) !== 46 || inSet(wordSet, codeAt(text, nameStart - 2))) return false
  if (codeAt(text, nameEnd) !== 32 || !inSet(memberEndSet, codeAt(text, end))) return false
  // `.private_key = uu____0,`.
  const to = inSet(digitSet, codeAt(text, end - 1)) && codeAt(text, end - 2) === 95 ? end - 1 : end
  return runEnd(text, start, identifierSet, end - start) === to
}
const memberEndSet = charSet(',} \r\n')

/**
 * A variable or a call that is assigned to an entry of a map: `options["secretkey"] = b64key`,
 * `$dyndns['password'] = base64_encode($dyndns['password'])`.
 */
export function isOfSubscript(text: string, { nameEnd, nameQuoted, start, end }: Assignment): boolean {
  if (!nameQuoted || codeAt(text, nameEnd + 1) !== 93 || codeAt(text, start - 1) !== 32) return false
  if (codeAt(text, start - 2) !== 61 || codeAt(text, start - 3) !== 32) return false
  const to = runEnd(text, start, wordSet, end - start)
  if (!inSet(letterSet, codeAt(text, start)) || countOf(text, start, to, digitSet) > variableDigitsMax) return false
  return to === end || codeAt(text, to) === 40
}
const variableDigitsMax = 2

/** One variable assigned to another: `token = tkSEMI;`, `info->pass = rgb_ycc_start;`, `pw = *start;`. */
export function isStatement(text: string, { nameEnd, start, end }: Assignment): boolean {
  if (codeAt(text, end) !== 59 || codeAt(text, nameEnd) !== 32 || codeAt(text, start - 1) !== 32) return false
  const from = codeAt(text, start) === 42 ? start + 1 : start
  return consistsOf(text, from, end, identifierSet)
}

/**
 * A variable whose method is called on the next line, or a short member: `let secret = r_txn` above `.read`,
 * `int pw = u.uen, hp = 1`.
 */
export function isReceiver(text: string, { nameEnd, start, end }: Assignment): boolean {
  if (codeAt(text, nameEnd) !== 32 || codeAt(text, start - 1) !== 32) return false
  if (end - start < shortMemberMax && codeAt(text, end) === 44 && isNameChain(text, start, end)) return true
  if (codeAt(text, end) !== 10 || !consistsOf(text, start, end, identifierSet)) return false
  const call = runEnd(text, end + 1, blankSet, indentMax)
  return codeAt(text, call) === 46 && inSet(letterSet, codeAt(text, call + 1))
}
const shortMemberMax = 8
const indentMax = 64

const variableTails = ['Pwd', 'Pass', 'Pw', 'Pswd']
const memberOrVariableTails = [...variableTails, 'Key', 'Token', 'Secret']
const tailEndSet = charSet(...memberOrVariableTails.map((tail) => tail.slice(-1)))

/** A camelCase variable whose name says what it holds: `newPw2`, `savedGpgPass`, `apiKey: acmeApiKey`. */
export function isVariableName(text: string, { nameEnd, operator, start, end }: Assignment): boolean {
  if (isNumberedVariable(text, start, end)) return true
  const to = inSet(digitSet, codeAt(text, end - 1)) ? end - 1 : end
  if (!inSet(tailEndSet, codeAt(text, to - 1))) return false
  // Files of settings have no blanks around the sign, programs do.
  const isApart = codeAt(text, nameEnd) === 32 && codeAt(text, start - 1) === 32
  const tails = operator === operators.colon || isApart ? memberOrVariableTails : variableTails
  const tail = tails.find((one) => text.startsWith(one, to - one.length))
  if (tail === undefined || to - tail.length <= start) return false
  return !inSet(upperSet, codeAt(text, start)) && countOf(text, start, to, letterSet) >= to - start - 2
}

/** A variable as the member of an object, on a line of its own: `AccessKey: svcAK,`. YAML has no comma there. */
export function isMemberVariable(text: string, { nameStart, operator, nameQuoted, start, end }: Assignment): boolean {
  if (operator !== operators.colon || nameQuoted || codeAt(text, end) !== 44 || codeAt(text, end + 1) !== 10)
    return false
  const indent = runStart(text, nameStart, blankSet, indentMax)
  if (indent === nameStart || (indent > 0 && codeAt(text, indent - 1) !== 10)) return false
  if (!inSet(letterSet, codeAt(text, start)) || !consistsOf(text, start, end, wordSet)) return false
  return countOf(text, start, end, digitSet) <= variableDigitsMax && !isAdjacentSecret(text, start, end)
}

/** A variable of Erlang in a map: `#{password => JWS5}`. Elsewhere such an arrow may lead to a value. */
export function isMapVariable(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  if (!text.startsWith('=> ', start - 3) || nameEnd > start - 4 || !isInMap(text, nameStart)) return false
  if (!inSet(upperSet, codeAt(text, start)) || !consistsOf(text, start, end, wordSet)) return false
  return countOf(text, start, end, digitSet) <= variableDigitsMax && !isAdjacentSecret(text, start, end)
}

/** Whether the brace that is open at `at` is that of a map of Erlang: `#{`. */
function isInMap(text: string, at: number): boolean {
  const limit = Math.max(0, at - mapUnitsMax)
  let closed = 0
  for (let i = at - 1; i > limit; i--) {
    const code = text.charCodeAt(i)
    if (code === 125) closed++
    else if (code === 123 && closed-- === 0) return text.charCodeAt(i - 1) === 35
  }
  return false
}
const mapUnitsMax = 400

/** A variable that holds a key of some sort: `keyRSA2048`, `certECDSA256`. */
function isNumberedVariable(text: string, start: number, end: number): boolean {
  const head = runEnd(text, start, lowerSet, 8)
  const capitals = runEnd(text, head, upperSet, end - head)
  if (capitals < head + 2 || !variableHeads.has(text.slice(start, head))) return false
  return consistsOf(text, capitals, end, digitSet)
}
const variableHeads = new Set(['key', 'cert', 'secret', 'token'])
