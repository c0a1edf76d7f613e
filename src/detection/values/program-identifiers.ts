/** Values that are names of variables and constants in program text. */
import {
  base62Set,
  codeAt,
  consistsOf,
  constantSet,
  countOf,
  digitSet,
  inSet,
  lowerSet,
  runEnd,
  snakeSet,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { passwordName, type NameRating } from './key-names.ts'
import { isChosenPassword } from './chosen-passwords.ts'

const nameTails = ['_key', '_pwd', '_pw', '_pass', '_passwd', '_psk', '_hash']

/**
 * Whether it is a constant, variable or type named after a key: `ISO_9797_5_CMAC_KEY`, `ssh_pwd`,
 * `PrivacyDlpV2CryptoKey`.
 */
export function isKeyName(text: string, start: number, end: number): boolean {
  const last = text.slice(Math.max(start, end - 4), end)
  const folded = text.slice(Math.max(start, end - 8), end).toLowerCase()
  if (nameTails.some((tail) => folded.endsWith(tail))) return consistsOf(text, start, end, wordSet)
  if (!last.endsWith('Key') || lowerSet[last.charCodeAt(0)] !== 1 || end - start < 8) return false
  return consistsOf(text, start, end, base62Set) && inSet(upperSet, text.charCodeAt(start))
}

const wordUnitsMax = 8

/** Whether it is at least three short words in capitals: `PKIX_ECDSA_P256_SHA_256`. */
export function isWordsInCapitals(text: string, start: number, end: number): boolean {
  if (!inSet(upperSet, codeAt(text, start)) || !consistsOf(text, start, end, constantSet)) return false
  const words = text.slice(start, end).split('_')
  return words.length > 2 && words.every((word) => word.length <= wordUnitsMax)
}

const snakeDigitsMax = 2

/** Whether it is a snake_case name with a leading underscore, of a member or column: `_sf2_flashes`. */
export function isSnakeName(text: string, start: number, end: number): boolean {
  if (codeAt(text, start) !== 95 || !consistsOf(text, start, end, snakeSet)) return false
  return text.slice(start + 1, end).includes('_') && countOf(text, start, end, digitSet) <= snakeDigitsMax
}

/**
 * Whether it is the type of a declaration, which ends in a semicolon: `Password : Octet_255;` of Ada,
 * `salt : a_gnutls_datum_t;`. In Ada words begin with a capital; those of a password rarely do with so few digits.
 */
export function isDeclaredType(text: string, start: number, end: number): boolean {
  if (codeAt(text, end) !== 59 || !consistsOf(text, start, end, wordSet)) return false
  if (text.startsWith('_t', end - 2)) return true
  if (!text.startsWith(' : ', start - 3) || !text.slice(start, end).includes('_')) return false
  let at = start
  while (inSet(upperSet, codeAt(text, at)) && inSet(lowerSet, codeAt(text, at + 1))) {
    at = runEnd(text, at + 1, lowerSet, end - at)
    if (at === end) return true
    if (codeAt(text, at) !== 95) return false
    at++
  }
  return at > start && at < end && runEnd(text, at, digitSet, typeDigitsMax) === end
}
const typeDigitsMax = 3

/**
 * Whether it is an arithmetic expression or a type of Fortran, all in capitals, `JROW+NNB-1`, `CHARACTER*6`, or an
 * expression in lower case that adds short names and one: `jrow+nnb-1`. Others in lower case may be words of a password.
 */
export function isExpression(text: string, start: number, end: number): boolean {
  const isUpper = inSet(upperSet, codeAt(text, start))
  const nameSet = isUpper ? upperSet : lowerSet
  const nameUnitsMax = isUpper ? operandUnitsMax : shortUnitsMax
  if (!isUpper && !text.startsWith('+1', end - 2) && !text.startsWith('-1', end - 2)) return false
  let operands = 0
  let isSummed = false
  for (let at = start; at < end; operands++) {
    const letters = runEnd(text, at, nameSet, nameUnitsMax)
    const to = runEnd(text, letters, digitSet, letters === at ? operandDigitsMax : 1)
    if (to === at || (operands === 0 && letters < at + 2)) return false
    if (to === end) return isSummed && operands > 0
    const sign = text.charCodeAt(to)
    if (sign !== 42 && sign !== 43 && sign !== 45) return false
    // Words in capitals that dashes join are those of a serial number or a password.
    isSummed ||= sign === 43 || (isUpper && sign === 42)
    at = to + 1
  }
  return false
}
const operandUnitsMax = 9
const shortUnitsMax = 4
const operandDigitsMax = 3

const constantDigitsMax = 4

/**
 * Whether it is words in capitals joined by underscores, perhaps with a short number: `TK_EOS`, `RC4_128`,
 * `R_DKIM_ALLOW`.
 */
export function isConstant(text: string, start: number, end: number, name: NameRating, quoted: boolean): boolean {
  if (!inSet(upperSet, codeAt(text, start))) return false
  if (name !== passwordName && isCode(text, start, end)) return true
  if (!consistsOf(text, start, end, constantSet) || text.slice(start, end).lastIndexOf('_') < 1) return false
  const digits = countOf(text, start, end, digitSet)
  if (name !== passwordName) return digits <= constantDigitsMax
  return quoted ? digits === 0 : digits <= constantDigitsMax && !isChosenPassword(text, start, end)
}

/** Whether it is two short words in capitals joined by a dash: `OS-EC2`. */
function isCode(text: string, start: number, end: number): boolean {
  const dash = runEnd(text, start, upperSet, codeUnitsMax)
  if (end - start > codeUnitsMax || codeAt(text, dash) !== 45 || !inSet(upperSet, codeAt(text, dash + 1))) return false
  return runEnd(text, dash + 1, constantSet, codeUnitsMax) === end && countOf(text, dash, end, digitSet) < 2
}
const codeUnitsMax = 8

/** Whether it is a ticket or an advisory: `JIRA-1234`, `GHSL-2024-128`. */
export function isTicket(text: string, start: number, end: number): boolean {
  const name = runEnd(text, start, upperSet, end - start)
  if (name === start || codeAt(text, name) !== 45) return false
  const number = runEnd(text, name + 1, digitSet, end - name)
  if (number === end) return number > name + 1
  return number === name + 5 && codeAt(text, number) === 45 && runEnd(text, number + 1, digitSet, end - number) === end
}

/** Whether it is the name of a model or program with its version: `glm-5.2`, `gpt-4.1-mini`. */
export function isRelease(text: string, start: number, end: number): boolean {
  const name = runEnd(text, start, base62Set, end - start)
  if (name === start || codeAt(text, name) !== 45) return false
  const major = runEnd(text, name + 1, digitSet, 2)
  const minor = runEnd(text, major + 1, digitSet, 2)
  if (major === name + 1 || codeAt(text, major) !== 46 || minor === major + 1) return false
  return minor === end || (codeAt(text, minor) === 45 && runEnd(text, minor + 1, lowerSet, end - minor) === end)
}
