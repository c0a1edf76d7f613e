/** What a string literal looks like, where only its place suggests that it may be a password or key. */
import { charSet, codeAt, countOf, digitSet, inSet, letterSet, lowerSet, runEnd, upperSet } from '../text/chars.ts'
import { likelyName } from './key-names.ts'
import { isChosenPassword, isMarkedPassword } from './chosen-passwords.ts'
import { isHexDigest } from './non-secret-formats.ts'
import { isDummyValue, isSecretValue } from './generic-value.ts'
import { isHostLike, isNonSecretArgument } from './non-secret-arguments.ts'
import { isPassphrase } from './passphrases.ts'
import { rarity } from './rarity.ts'
import { isGenerated } from './stated-value.ts'

/**
 * `none`: not a secret. `word`: a word with a number, as names of things are too. `digest`: hexadecimal, as digests
 * are. `phrase`: four words or more. `chosen`: a password that a person made of words. `generated`: it looks random.
 */
export type ValueLook = 'none' | 'word' | 'digest' | 'phrase' | 'chosen' | 'generated'

const unitsMin = 7
const unitsMax = 128
const form = { quoted: true, doubtful: true } as const

/** What the text in `[start, end)` looks like. */
export function accessLook(text: string, start: number, end: number): ValueLook {
  const length = end - start
  if (length < unitsMin || length > unitsMax) return 'none'
  if (countOf(text, start, end, digitSet) === 0) {
    if (isPassphrase(text, start, end)) return isDummyValue(text, start, end) ? 'none' : 'phrase'
    return isMarkedPassword(text, start, end) ? 'chosen' : 'none'
  }
  if (runEnd(text, start, plainSet, length) !== end) return 'none'
  const look = lookOfPlain(text, start, end)
  if (look === 'none' || (look === 'generated' && hasNoWords(text, start, end))) return look
  return isNonSecretArgument(text, start, end) ? 'none' : look
}

/**
 * Whether text that has the form of a host mixes cases and digits within its labels, as no host does:
 * `Fd34.OV3Sz0L.01E`.
 */
function hasNoWords(text: string, start: number, end: number): boolean {
  if (!isHostLike(text, start, end)) return false
  return [upperSet, lowerSet, digitSet].every((set) => countOf(text, start, end, set) >= ofEachMin)
}
const ofEachMin = 3

function lookOfPlain(text: string, start: number, end: number): ValueLook {
  if (isHexDigest(text, start, end)) return isLooseHex(text, start, end) ? 'digest' : 'none'
  if (isChosenPassword(text, start, end)) {
    if (isDummyValue(text, start, end)) return 'none'
    return isMarkedPassword(text, start, end) || isCapitalised(text, start, end) ? 'chosen' : 'word'
  }
  return isStrong(text, start, end) && isSecretValue(text, start, end, likelyName, form) ? 'generated' : 'none'
}

/** Characters of passwords and keys: no blanks, quotes or brackets. */
const plainSet = charSet('A-Z', 'a-z', '0-9', '!#%&*+-./:=?@^_~$')

/** Whether hexadecimal digits are in lower case; in upper case they are the fingerprint of a certificate. */
function isLooseHex(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  return digits >= 4 && end - start - digits >= 4 && countOf(text, start, end, upperSet) === 0
}

/** Whether it begins with a capital: `Tango8841`, `Amber.Falcon7`, but not `tango8841`. */
function isCapitalised(text: string, start: number, end: number): boolean {
  return inSet(upperSet, codeAt(text, start)) && countOf(text, start, end, lowerSet) > 1
}

const strongBits = 7
const shortBits = 8
const shortUnits = 12
const generatedUnitsMin = 9
const generatedDigitsMin = 3

/** Whether it is rare enough without a name, with letters and digits mixed. */
function isStrong(text: string, start: number, end: number): boolean {
  if (isGenerated(text, start, end)) return true
  if (end - start < generatedUnitsMin || countOf(text, start, end, letterSet) < 4) return false
  // Hyphenated words with a number: a region, a release.
  if (countOf(text, start, end, upperSet) === 0 && countOf(text, start, end, digitSet) < generatedDigitsMin)
    return false
  return rarity(text, start, end) >= (end - start < shortUnits ? shortBits : strongBits)
}
