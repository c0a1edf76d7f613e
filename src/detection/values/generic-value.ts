/**
 * Judges a value beside a name that suggests a secret: is it a secret, or a reference, a sample, an ordinary word, an
 * identifier? The more the name promises, the less the value itself has to show.
 */
import {
  backslashSet,
  base62Set,
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  foldCode,
  hexSet,
  inSet,
  isAscii,
  letterSet,
  lowerSet,
  nameJointSet,
  runEnd,
  upperSet
} from '../text/chars.ts'
import {
  characterClasses,
  isColour,
  isHexDigest,
  isNumeric,
  isPublicBlob,
  isTokenText,
  isUuid
} from './non-secret-formats.ts'
import { weakName, likelyName, passwordName, type NameRating } from './key-names.ts'
import { isChosenPassword, isMarkedPassword } from './chosen-passwords.ts'
import { hasGeneratedSuffix, isBootstrapToken } from './key-suffixes.ts'
import { dummyParts, sampleValues } from './dummy-words.ts'
import { isConstant, isKeyName, isSnakeName } from './program-identifiers.ts'
import { isNumberedPair, isNumberedPhrase, isPassphrase } from './passphrases.ts'
import { holdsSamplePart, looksLikeDummy, touchesOwnPlaceholder } from './placeholders.ts'
import { isLongToken } from './long-tokens.ts'
import { isAccentedWord, isIdeographic, isNumberedText, isTitle, labelEnd } from './language-words.ts'
import { rarity } from './rarity.ts'
import { isNameChain, isPathLike, isReference } from './references.ts'

/** How a value is written, which determines what it must show. */
export interface ValueForm {
  readonly quoted: boolean
  /** In prose, or as the argument of a call, where more values are something else. */
  readonly doubtful: boolean
  /** Whether the name leaves no doubt, so that even a UUID, a number or a phrase is a secret. */
  readonly uuids?: boolean
  /** Whether unquoted digits count as text. */
  readonly digits?: boolean
  /** `NAME=value` without blanks, as in an environment file, where the value is never the name of a variable. */
  readonly literal?: boolean
}

const unitsMin = 4
/** A longer value is a token or none. */
const unitsMax = 512
/** Bits per character (rarity) that a value must have. Measured on assignments in programs, where words stay below 6. */
const bits = {
  letters: 6,
  mixed: 6,
  token: 6.9,
  tokenMixed: 6.1,
  weakName: 9,
  doubt: 0.6,
  blanks: 9,
  salted: 7.2,
  strong: 5,
  ruled: 3.6,
  literal: 5.2,
  least: 3.5,
  path: 7.5,
  prefix: 9,
  numbered: 1.8,
  /** Form labels of every language are capitalised words, and hardly any password looks like one. */
  title: 10
} as const
const weakNameUnitsMin = 16

/** Whether the value in `[start, end)` beside a name of this rating is a secret. */
export function isSecretValue(text: string, start: number, end: number, name: NameRating, form: ValueForm): boolean {
  return !isOrdinary(text, start, end) && isUncommonSecret(text, start, end, name, form)
}

/** The same for a value that {@link isOrdinary} has already let pass. */
export function isUncommonSecret(text: string, start: number, end: number, name: NameRating, form: ValueForm): boolean {
  const shown = shownEnd(text, end)
  if (shown < end) return isShownSecret(text, start, shown) && isUncommonSecret(text, start, shown, name, form)
  const length = end - start
  if (name === weakName && !isBeyondDoubt(text, start, end)) return false
  if (isPublicBlob(text, start, end) || isColour(text, start, end)) return false
  if (isCryptHash(text, start, end)) return false
  if (isReference(text, start, end) && !(name === passwordName && form.quoted && isMarkedWord(text, start, end)))
    return false
  // base64 contains slashes, and may begin with one.
  if (isPathLike(text, start, end) && rarity(text, start, end) < bits.path) return false
  if (name >= likelyName && isBootstrapToken(text, start, end)) return !isDummyValue(text, start, end)
  if (!form.quoted && countOf(text, start, end, backslashSet) > 2) return false
  if (!form.quoted && countOf(text, start, end, colonSet) > 2) return false
  if (!form.quoted && isChain(text, start, end)) return false
  if (isPrefix(text, start, end) || isKeyName(text, start, end)) return false
  if (form.literal !== true && isConstant(text, start, end, name, form.quoted)) return false
  if (name !== passwordName && isSnakeName(text, start, end)) return false
  if (isDummyValue(text, start, end) || touchesOwnPlaceholder(text, start, end)) return false
  if (name === weakName) return true
  if (isUuid(text, start, end)) return form.uuids === true && !isNilUuid(text, start)
  if (runEnd(text, start, digitSet, length) === end) return isPin(text, start, end, name, form)
  if (isHexKey(text, start, end)) return !form.doubtful || length >= 16
  if (!form.doubtful && hasGeneratedSuffix(text, start, end, form.uuids === true)) return true
  if (isNumeric(text, start, end)) return false
  return isRare(text, start, end, name, form) && (name === passwordName || !isAccentedWord(text, start, end))
}

/** Where a value ends of which only the beginning is shown: before its `...` or `…`. */
function shownEnd(text: string, end: number): number {
  if (codeAt(text, end - 1) === ellipsis) return end - 1
  return text.startsWith('...', end - 3) ? end - 3 : end
}
const ellipsis = 0x2026

/**
 * Whether the shown beginning of a value is that of a real one, and not of a sample in documentation: it is generated,
 * and shows more than the prefix of a key or the header of a token.
 */
export function isShownSecret(text: string, start: number, end: number): boolean {
  if (end - start < shownUnitsMin || headerStarts.some((one) => text.startsWith(one, start))) return false
  if (isHexKey(text, start, end)) return end - start >= shownHexMin
  return mixesCases(text, start, end) && rarity(text, start, end) >= bits.weakName
}
/** How tokens, keys in PEM and keys in DER begin in base64. */
const headerStarts = ['eyJ', 'LS0t', 'MII']
const shownUnitsMin = 12
const shownHexMin = 16

/**
 * Whether no rule can take the value for a secret, whatever its name promises. It costs less than rating the name, and
 * rejects nearly all of program text.
 */
export function isOrdinary(text: string, start: number, end: number): boolean {
  if (end - start < unitsMin || (end - start > unitsMax && !isLongToken(text, start, end))) return true
  const score = rarity(text, start, end)
  if (score >= bits.strong) return false
  if (countOf(text, start, end, digitSet) === 0) return !isPassphrase(text, start, end)
  return score < bits.least && !isHexKey(text, start, end) && !isNumbered(text, start, end)
}

/** Whether the value is a member expression, and not a password of words and a number. */
function isChain(text: string, start: number, end: number): boolean {
  return isNameChain(text, start, end) && rarity(text, start, end) < 8 && !isNumbered(text, start, end)
}

function isNumbered(text: string, start: number, end: number): boolean {
  return isNumberedPhrase(text, start, end) || isNumberedPair(text, start, end) || isChosenPassword(text, start, end)
}

function isRare(text: string, start: number, end: number, name: NameRating, form: ValueForm): boolean {
  if (name === passwordName && isChosenPassword(text, start, end)) return true
  if (name === likelyName && form.quoted && !form.doubtful && isMarkedPassword(text, start, end)) return true
  const score = rarity(text, start, end)
  const length = end - start
  if (countOf(text, start, end, blankSet) > 0) {
    // Several words: a sentence in some language, unless they hardly are words.
    if (!form.quoted || !isAscii(text, start, end)) return false
    if (name === passwordName && form.uuids === true && holdsWords(text, start, end)) return true
    return score >= bits.blanks ? name === passwordName : score >= bits.salted && isSaltLike(text, start, end)
  }
  if (!isAscii(text, start, end)) {
    const isTyped = isNumberedText(text, start, end)
    if (isIdeographic(text, start, end)) return false
    const isSure = name === passwordName || (length >= shownUnitsMin && characterClasses(text, start, end) === 4)
    if (score < bits.blanks && !(isTyped && isSure)) return false
    // Letters beyond ASCII are of one class, so that words of them are never rare.
    if (isTyped && name === passwordName && !form.doubtful && countOf(text, start, end, digitSet) >= signedDigitsMin)
      return true
  }
  if (name === passwordName && !form.doubtful && isPassphrase(text, start, end)) return true
  if (score < bits.title && isTitle(text, start, labelEnd(text, end))) return false
  const classes = characterClasses(text, start, end)
  // Rules for passwords ask for three classes of characters, and no name in program text has them.
  if (name === passwordName && length >= 8 && countOf(text, start, end, signSet) > 0) {
    if (classes === 4 && score >= bits.ruled && (form.quoted || !form.doubtful)) return true
    const isSigned = countOf(text, start, end, digitSet) >= signedDigitsMin
    if (classes === 3 && !form.doubtful && score >= (isSigned ? bits.ruled : bits.strong) && (form.quoted || isSigned))
      return true
  }
  if (name === passwordName && !form.doubtful && isNumberedPhrase(text, start, end)) return true
  if (name === passwordName && length >= 8 && !form.doubtful && score >= bits.strong) {
    if (form.quoted && classes >= 3 && mixesCases(text, start, end)) return true
    if (form.literal === true && score >= bits.literal) return true
  }
  const mixed = classes >= 2 && countOf(text, start, end, digitSet) > 0
  const needed = name === passwordName ? (mixed ? bits.mixed : bits.letters) : mixed ? bits.tokenMixed : bits.token
  let doubt = (form.doubtful ? bits.doubt : 0) + briefness(length, mixed, name)
  if (name !== passwordName && length < shortUnits && isNumberedWord(text, start, end)) doubt += bits.numbered
  return score >= needed + doubt
}

/** With this many digits beside a symbol, a word is a password. */
const signedDigitsMin = 2

/** Whether the value is several words with blanks between them that are not a sentence. */
function holdsWords(text: string, start: number, end: number): boolean {
  return isPassphrase(text, start, end) || isNumberedPair(text, start, end)
}

/** Whether it has both cases and digits, as rules for passwords ask: `Summer2024`. */
function mixesCases(text: string, start: number, end: number): boolean {
  return [lowerSet, upperSet, digitSet].every((set) => countOf(text, start, end, set) > 0)
}

const shortUnits = 7

/** Whether it is the name of a thing, short with its digits last: `AES256`, `OAuth2`, `T1552`. */
function isNumberedWord(text: string, start: number, end: number): boolean {
  const digitsAt = runEnd(text, start, letterSet, end - start)
  return digitsAt > start && digitsAt < end && consistsOf(text, digitsAt, end, digitSet)
}

/** Extra bits that a short value must have: a few letters are rare by chance. */
function briefness(length: number, mixed: boolean, name: NameRating): number {
  if (length === 4) return name === passwordName ? 3 : 5
  return length < 7 && !mixed ? 0.4 : 0
}

/** With more colons it is a line of fields, as in `/etc/passwd`. */
const colonSet = charSet(':')
const signSet = charSet('!#%&*+^~?@$`')

/** Whether it is long and full of symbols, as generated salts are. */
function isSaltLike(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < 32 || (length - countOf(text, start, end, base62Set)) * 6 < length) return false
  return countOf(text, start, end, digitSet) >= 2 && isAscii(text, start, end)
}

/** Whether it is random beyond doubt, as required beside a name that promises next to nothing. */
function isBeyondDoubt(text: string, start: number, end: number): boolean {
  if (isSaltLike(text, start, end)) return rarity(text, start, end) >= bits.salted
  const length = end - start
  if (length < weakNameUnitsMin || !isTokenText(text, start, end)) return false
  if (isUuid(text, start, end) || isHexDigest(text, start, end)) return false
  if (runEnd(text, start, hexSet, length) === end) return false
  const digits = countOf(text, start, end, digitSet)
  return (
    digits > 0 &&
    countOf(text, start, end, letterSet) >= 4 &&
    (countOf(text, start, end, upperSet) >= 2 || digits >= 4) &&
    rarity(text, start, end) >= bits.weakName
  )
}

const mixedHexUnitsMin = 24
const joinedSet = charSet(':|')

/** Whether it is a hexadecimal number of digits and letters too long for a colour or flag, or two with `:` or `|`. */
function isHexKey(text: string, start: number, end: number): boolean {
  const prefixed = text.charCodeAt(start) === 48 && (text.charCodeAt(start + 1) | 32) === 120
  const from = prefixed ? start + 2 : start
  const first = runEnd(text, from, hexSet, end - from)
  const whole =
    first < end && inSet(joinedSet, text.charCodeAt(first)) && first - from >= 6
      ? runEnd(text, first + 1, hexSet, end - first)
      : first
  const length = end - from
  if (length < (prefixed ? 32 : 10) || whole !== end) return false
  const digits = countOf(text, from, end, digitSet)
  const upper = countOf(text, from, end, upperSet)
  // Few generators mix cases, but so many hexadecimal digits are not a word in any case.
  const oneCase = prefixed || length >= mixedHexUnitsMin || upper === 0 || countOf(text, from, end, lowerSet) === 0
  return digits >= 3 && length - digits >= 2 && oneCase
}

/** Whether digits alone are a secret: a password of digits in quotes, or a long token. Counts and times are not. */
function isPin(text: string, start: number, end: number, name: NameRating, form: ValueForm): boolean {
  const length = end - start
  if (isSequence(text, start, end) || (!form.quoted && isTime(text, start, end))) return false
  if (name === passwordName) {
    const isMeant = form.quoted ? form.uuids === true || !form.doubtful : form.digits === true && !form.doubtful
    return length >= 6 && length <= 20 && isMeant
  }
  return length >= 15 && length <= 64 && !form.doubtful
}

/** Whether digits are a time of these years, in seconds or milliseconds: `1702877939`. */
function isTime(text: string, start: number, end: number): boolean {
  const length = end - start
  return (length === 10 || length === 13) && text.charCodeAt(start) === 49 && inSet(timeSet, text.charCodeAt(start + 1))
}
/** The second digit of a time between 2014 and 2033. */
const timeSet = charSet('4-9')

/** Whether digits are a sequence: `123456`, `987654321`, `111111`, `121212`. */
function isSequence(text: string, start: number, end: number): boolean {
  let steps = 0
  const seen = new Set<number>()
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    seen.add(code)
    if (i > start && Math.abs(code - text.charCodeAt(i - 1)) <= 1) steps++
  }
  return seen.size < 4 || steps >= (end - start) * 0.6
}

/** Whether it is a password hash, which has a detector of its own: `$2b$12$...`, `$6$...`, `$argon2id$...`. */
function isCryptHash(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) !== 36) return false
  const head = text.slice(start + 1, Math.min(end, start + 16))
  const close = head.indexOf('$')
  return close > 0 && cryptNames.has(head.slice(0, close))
}

const cryptNames = new Set(
  '1 2 2a 2b 2x 2y 5 6 7 y gy apr1 md5 sha1 argon2i argon2d argon2id scrypt pbkdf2 pbkdf2-sha256 pbkdf2-sha512'.split(
    ' '
  )
)

function isNilUuid(text: string, start: number): boolean {
  return text.startsWith('00000000-0000', start) || text.startsWith('11111111-1111', start)
}

/** Whether it is only the prefix of a key, as rules and documentation mention it: `pplx-`, `dckr_pat_`. */
function isPrefix(text: string, start: number, end: number): boolean {
  const isJoint = end - start <= prefixUnitsMax && inSet(nameJointSet, text.charCodeAt(end - 1))
  if (isJoint && runEnd(text, start, prefixSet, prefixUnitsMax) !== end) return false
  return isJoint && (end - start < shortUnits || rarity(text, start, end) < bits.prefix)
}

const prefixUnitsMax = 16
/** Prefixes have no other signs, except for the escapes of Markdown. Generated passwords may, and may end in one of these. */
const prefixSet = charSet('A-Z', 'a-z', '0-9', '_.-\\')

const starSet = charSet('*.xX#-_?')

/** Whether it is a placeholder of documentation. */
export function isDummyValue(text: string, start: number, end: number): boolean {
  if (looksLikeDummy(text, start, end) && (holdsSamplePart(text, start, end) || !isLongAndRare(text, start, end)))
    return true
  if (consistsOf(text, start, end, starSet)) return true
  // What was cut: `eyJ0eX..`.
  if (text.startsWith('..', end - 2)) return true
  const to = Math.min(end, start + dummyUnitsMax)
  if (isCounting(text, start, to) || dummyParts.standsIn(text, start, to)) return true
  return to - start <= sampleValues.unitsMax && sampleValues.has(text.slice(start, to).toLowerCase())
}

/** Whether letters and digits alternate behind an `@`, as in no name of a member: `@ns1bl3`. */
function isMarkedWord(text: string, start: number, end: number): boolean {
  if (codeAt(text, start) !== 64 || end - start < markedUnitsMin) return false
  let digits = 0
  for (let i = start + 2; i < end; i++)
    if (digitSet[text.charCodeAt(i)] === 1 && letterSet[text.charCodeAt(i - 1)] === 1) digits++
  return digits >= 2 && runEnd(text, start + 1, base62Set, end - start) === end
}
const markedUnitsMin = 7

/** Whether it is so long that a repeated letter, or letters in order, occur by chance. */
function isLongAndRare(text: string, start: number, end: number): boolean {
  return end - start >= 40 && rarity(text, start, end) >= 8.5
}

/** Whether every other character counts up: `00112233445566...`, `0a1b2c3d...`. */
function isCounting(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < 10) return false
  let steps = 0
  for (let i = start + 2; i < end; i++) {
    const step = foldCode(text.charCodeAt(i)) - foldCode(text.charCodeAt(i - 2))
    if (step === 1 || step === 0) steps++
  }
  return steps >= (length - 2) * 0.8
}

/** How much of a value is searched for words of placeholders, in code units. */
const dummyUnitsMax = 64
