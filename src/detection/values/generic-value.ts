/**
 * Judges a value that a telling name stands beside: is it a secret, or a reference, a sample, a word, a structural
 * friend? The stronger the name, the less the value itself has to show.
 */
import {
  base62Set,
  charSet,
  codeAt,
  countOf,
  digitSet,
  foldCode,
  hexSet,
  inSet,
  isAscii,
  letterSet,
  lowerSet,
  runEnd,
  upperSet
} from '../text/chars.ts'
import {
  characterClasses,
  isColour,
  isHexDigest,
  isLongBlob,
  isNumeric,
  isPublicBlob,
  isTokenText,
  isUuid
} from './friends.ts'
import { faintName, likelyName, plainName, type NameRating } from './key-names.ts'
import { isChosenPassword, isMarkedPassword } from './chosen-passwords.ts'
import { endsInDrawn, isBootstrapToken } from './key-tails.ts'
import { isConstant, isKeyName, isSnakeName } from './names-of-things.ts'
import { isNumberedPair, isNumberedPhrase, isPassphrase } from './passphrases.ts'
import { looksInvented, touchesOwnPlaceholder } from './placeholders.ts'
import { rarity } from './rarity.ts'
import { isNameChain, isPathLike, isReference } from './references.ts'
import { WordList } from '../text/word-list.ts'

/** How a value is written, which decides what it must show. */
export interface ValueForm {
  readonly quoted: boolean
  /** In prose, or as the argument of a call: more of what stands there is something else. */
  readonly doubtful: boolean
  /** Whether the name says beyond doubt what its value is, so that even a UUID, a number or a phrase is a secret. */
  readonly uuids?: boolean
  /** Whether digits that stand without quotes are text all the same. */
  readonly digits?: boolean
  /** `NAME=value` without blanks, as in an environment file: what stands there is never the name of a variable. */
  readonly literal?: boolean
}

const unitsMin = 4
const unitsMax = 512
/** Bits a character that a value must have. Measured on assignments in program text: words stay below 6. */
const bits = {
  letters: 6,
  mixed: 6,
  token: 6.9,
  tokenMixed: 6.1,
  faint: 9,
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
  /** A word with a capital: labels of forms in every language are, and hardly a password of these is no word. */
  title: 10
} as const
const faintUnitsMin = 16

const sampleValues = new Set(
  (
    'qwerty qwertz asdf asdfgh asdfasdf foo bar baz quux qux dummy foobar barfoo foobaz bazqux xyzzy plugh hunter2 ' +
    'letmein welcome sekrit s3kr1t s3cr3t secr3t p4ssw0rd passw0rd p@ssw0rd p@ssword pa55word pa$$word pa$$w0rd p@$$w0rd lorem ipsum ' +
    'mypwd newpwd oldpwd userpwd secretpwd pswrd rootpwd somepwd aduserpwd aeiou zxcvbnm ' +
    'wachtwoord wachtwurd wagwoord adgangskode passord lösenord salasana heslo geslo lozinka zaporka parool parole haslo hasło ' +
    'jelszo jelszó slaptazodis slaptažodis sifre şifre şifrə parola sandi senha contraseña contrasinal contrasenya pasvorto ' +
    'curve25519 ed25519 x25519 secp256k1 secp256r1 secp384r1 prime256v1 nistp256 chacha20 poly1305 ' +
    'pasahitza nenosiri katalaluan suojakoodi kodkalimi fjalëkalimi kupuhipa okwuntughe paasiwaadi pasiwedhi'
  ).split(' ')
)
const sampleValueUnitsMax = Math.max(...Array.from(sampleValues, (value) => value.length))

/** Whether the value in `[start, end)` beside a name of this rating is a secret. */
export function isSecretValue(text: string, start: number, end: number, name: NameRating, form: ValueForm): boolean {
  return !isOrdinary(text, start, end) && isUncommonSecret(text, start, end, name, form)
}

/** The same for a value of which {@link isOrdinary} was asked already. */
export function isUncommonSecret(text: string, start: number, end: number, name: NameRating, form: ValueForm): boolean {
  const length = end - start
  if (name === faintName && !isBeyondDoubt(text, start, end)) return false
  if (isPublicBlob(text, start, end) || isLongBlob(text, start, end) || isColour(text, start, end)) return false
  if (isCryptHash(text, start, end)) return false
  if (isReference(text, start, end)) return false
  // base64 has slashes in it as well, and may begin with one.
  if (isPathLike(text, start, end) && rarity(text, start, end) < bits.path) return false
  if (name >= likelyName && isBootstrapToken(text, start, end)) return !isInvented(text, start, end)
  if (!form.quoted && countOf(text, start, end, backslashSet) > 2) return false
  if (!form.quoted && countOf(text, start, end, colonSet) > 2) return false
  if (!form.quoted && isChain(text, start, end)) return false
  if (isPrefix(text, start, end) || isKeyName(text, start, end)) return false
  if (form.literal !== true && isConstant(text, start, end, name, form.quoted)) return false
  if (name !== plainName && isSnakeName(text, start, end)) return false
  if (isInvented(text, start, end) || touchesOwnPlaceholder(text, start, end)) return false
  if (name === faintName) return true
  if (isUuid(text, start, end)) return form.uuids === true && !isNilUuid(text, start)
  if (runEnd(text, start, digitSet, length) === end) return isPin(text, start, end, name, form)
  if (isHexKey(text, start, end)) return !form.doubtful || length >= 16
  if (!form.doubtful && endsInDrawn(text, start, end, form.uuids === true)) return true
  if (isNumeric(text, start, end)) return false
  return isRare(text, start, end, name, form)
}

/**
 * Whether no rule can take the value for a secret, whatever its name promises. It costs less than to rate the name, and
 * nearly all of program text ends here.
 */
export function isOrdinary(text: string, start: number, end: number): boolean {
  if (end - start < unitsMin || end - start > unitsMax) return true
  const score = rarity(text, start, end)
  if (score >= bits.strong) return false
  if (countOf(text, start, end, digitSet) === 0) return !isPassphrase(text, start, end)
  return score < bits.least && !isHexKey(text, start, end) && !isNumbered(text, start, end)
}

/** What is a member of something, and no password of words with a number behind. */
function isChain(text: string, start: number, end: number): boolean {
  return isNameChain(text, start, end) && rarity(text, start, end) < 8 && !isNumbered(text, start, end)
}

function isNumbered(text: string, start: number, end: number): boolean {
  return isNumberedPhrase(text, start, end) || isNumberedPair(text, start, end) || isChosenPassword(text, start, end)
}

function isRare(text: string, start: number, end: number, name: NameRating, form: ValueForm): boolean {
  if (name === plainName && isChosenPassword(text, start, end)) return true
  if (name === likelyName && form.quoted && !form.doubtful && isMarkedPassword(text, start, end)) return true
  const score = rarity(text, start, end)
  const length = end - start
  if (countOf(text, start, end, blankSet) > 0) {
    // Several words: a sentence of some language, unless hardly any of it is a word.
    if (!form.quoted || !isAscii(text, start, end)) return false
    if (name === plainName && form.uuids === true && holdsWords(text, start, end)) return true
    return score >= bits.blanks ? name === plainName : score >= bits.salted && isSaltLike(text, start, end)
  }
  if (!isAscii(text, start, end) && score < bits.blanks) return false
  if (name === plainName && !form.doubtful && isPassphrase(text, start, end)) return true
  const labelEnd = codeAt(text, end - 1) === 58 ? end - 1 : end
  if (score < bits.title && isTitle(text, start, labelEnd)) return false
  const classes = characterClasses(text, start, end)
  // Three classes of characters are what rules for passwords ask for, and what no name in program text has.
  if (name === plainName && length >= 8 && countOf(text, start, end, signSet) > 0) {
    if (classes === 4 && score >= bits.ruled && (form.quoted || !form.doubtful)) return true
    const isSigned = countOf(text, start, end, digitSet) >= signedDigitsMin
    if (classes === 3 && !form.doubtful && score >= (isSigned ? bits.ruled : bits.strong) && (form.quoted || isSigned))
      return true
  }
  if (name === plainName && !form.doubtful && isNumberedPhrase(text, start, end)) return true
  if (name === plainName && length >= 8 && !form.doubtful && score >= bits.strong) {
    if (form.quoted && classes >= 3 && mixesCases(text, start, end)) return true
    if (form.literal === true && score >= bits.literal) return true
  }
  const mixed = classes >= 2 && countOf(text, start, end, digitSet) > 0
  const needed = name === plainName ? (mixed ? bits.mixed : bits.letters) : mixed ? bits.tokenMixed : bits.token
  let doubt = (form.doubtful ? bits.doubt : 0) + briefness(length, mixed, name)
  if (name !== plainName && length < shortUnits && isNumberedWord(text, start, end)) doubt += bits.numbered
  return score >= needed + doubt
}

/** `Wachtwoord`, `Rimuovi`: a capital and small letters, also those of other languages. */
function isTitle(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start)
  if (!inSet(upperSet, first) && first < latinFrom) return false
  for (let i = start, consonants = 0; i < end; i++) {
    const code = codeAt(text, i)
    if (i > start && !inSet(lowerSet, code) && code < latinFrom) return false
    consonants = code >= latinFrom || inSet(vowelSet, code) ? 0 : consonants + 1
    if (consonants >= consonantsMax) return false
  }
  return true
}
const vowelSet = charSet(...'aeiouyAEIOUY')
/** No word has so many without a vowel between. */
const consonantsMax = 5
/** From here on letters stand that are not ASCII. */
const latinFrom = 0xc0

/** Digits beside a sign that make a password of a word. */
const signedDigitsMin = 2

/** Whether the value is words with blanks between that are no sentence. */
function holdsWords(text: string, start: number, end: number): boolean {
  return isPassphrase(text, start, end) || isNumberedPair(text, start, end)
}

/** Both cases and digits, as `Summer2024` has them, which rules for passwords ask for. */
function mixesCases(text: string, start: number, end: number): boolean {
  return [lowerSet, upperSet, digitSet].every((set) => countOf(text, start, end, set) > 0)
}

const shortUnits = 7

/** `AES256`, `OAuth2`, `T1552`: what is that short and has its digits last is the name of a thing. */
function isNumberedWord(text: string, start: number, end: number): boolean {
  const digitsAt = runEnd(text, start, letterSet, end - start)
  return digitsAt > start && digitsAt < end && runEnd(text, digitsAt, digitSet, end - digitsAt) === end
}

/** What a short value must show beyond the rest: a few letters are rare by chance. */
function briefness(length: number, mixed: boolean, name: NameRating): number {
  if (length === 4) return name === plainName ? 3 : 5
  return length < 7 && !mixed ? 0.4 : 0
}

/** More of it than a password has: a regular expression, or escapes of some language. */
const backslashSet = charSet('\\')
/** A line of fields, as `/etc/passwd` has them. */
const colonSet = charSet(':')
const blankSet = charSet(' \t')
const signSet = charSet('!#%&*+^~?@$`')

/** Long and full of signs, as generators of salts write them. */
function isSaltLike(text: string, start: number, end: number): boolean {
  if (end - start < 32 || countOf(text, start, end, digitSet) < 2 || !isAscii(text, start, end)) return false
  return (end - start - countOf(text, start, end, base62Set)) * 6 >= end - start
}

/** Random beyond doubt, for names that promise next to nothing. */
function isBeyondDoubt(text: string, start: number, end: number): boolean {
  const length = end - start
  if (rarity(text, start, end) < bits.salted) return false
  if (isSaltLike(text, start, end)) return true
  if (length < faintUnitsMin || isUuid(text, start, end) || isHexDigest(text, start, end)) return false
  if (runEnd(text, start, hexSet, length) === end || !isTokenText(text, start, end)) return false
  const digits = countOf(text, start, end, digitSet)
  return (
    digits > 0 &&
    countOf(text, start, end, letterSet) >= 4 &&
    rarity(text, start, end) >= bits.faint &&
    (countOf(text, start, end, upperSet) >= 2 || digits >= 4)
  )
}

const mixedHexUnitsMin = 24
const joinedSet = charSet(':|')

/** A hexadecimal number with letters and digits in it, too long for a colour or a flag; also two with a colon or a bar between. */
function isHexKey(text: string, start: number, end: number): boolean {
  const prefixed = text.charCodeAt(start) === 48 && (text.charCodeAt(start + 1) | 32) === 120
  const from = prefixed ? start + 2 : start
  const first = runEnd(text, from, hexSet, end - from)
  const whole =
    inSet(joinedSet, text.charCodeAt(first)) && first - from >= 6 ? runEnd(text, first + 1, hexSet, end - first) : first
  const length = end - from
  if (length < (prefixed ? 32 : 10) || whole !== end) return false
  const digits = countOf(text, from, end, digitSet)
  const upper = countOf(text, from, end, upperSet)
  // Hardly any generator mixes cases, but so many hexadecimal digits are no word in any case.
  const oneCase = prefixed || length >= mixedHexUnitsMin || upper === 0 || countOf(text, from, end, lowerSet) === 0
  return digits >= 3 && length - digits >= 2 && oneCase
}

/** Digits alone: a password of digits in quotes, or a long token. Counts and times are neither. */
function isPin(text: string, start: number, end: number, name: NameRating, form: ValueForm): boolean {
  const length = end - start
  if (isSequence(text, start, end)) return false
  if (name === plainName) {
    const isMeant = form.quoted ? form.uuids === true || !form.doubtful : form.digits === true && !form.doubtful
    return length >= 6 && length <= 20 && isMeant
  }
  return length >= 15 && length <= 64 && !form.doubtful
}

/** `123456`, `987654321`, `111111`, `121212`. */
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

/** `$2b$12$...`, `$6$...`, `$argon2id$...`: what is stored of a password; it has a detector of its own. */
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

/** `pplx-`, `dckr_pat_`: what keys begin with, as rules and documents tell it. */
function isPrefix(text: string, start: number, end: number): boolean {
  const isJoint = end - start <= prefixUnitsMax && inSet(joinSet, text.charCodeAt(end - 1))
  return isJoint && (end - start < shortUnits || rarity(text, start, end) < bits.prefix)
}

const prefixUnitsMax = 16
const joinSet = charSet('_-')

const starSet = charSet('*.xX#-_?')

/** What documents write where a secret would stand. */
export function isInvented(text: string, start: number, end: number): boolean {
  if (looksInvented(text, start, end) && !isLongAndRare(text, start, end)) return true
  if (runEnd(text, start, starSet, end - start) === end) return true
  const to = Math.min(end, start + inventedUnitsMax)
  if (isCounting(text, start, to) || inventedParts.standsIn(text, start, to)) return true
  return to - start <= sampleValueUnitsMax && sampleValues.has(text.slice(start, to).toLowerCase())
}

/** Long enough that a run of one letter, or letters in order, stand in it by chance. */
function isLongAndRare(text: string, start: number, end: number): boolean {
  return end - start >= 40 && rarity(text, start, end) >= 8.5
}

/** `00112233445566...`, `0a1b2c3d...`: every other character counts up. */
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

/** How much of a value is looked at for what documents write. */
const inventedUnitsMax = 64

const inventedParts = new WordList([
  '...',
  '***',
  '\u2022\u2022\u2022',
  '\u25cf\u25cf\u25cf',
  '_xxx',
  '-xxx',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'username',
  'removed',
  'hidden',
  'omitted',
  'masked',
  'yourstrong',
  'filtered',
  'censored',
  'notused',
  'undefined',
  'lorem',
  'ipsum',
  '1234567',
  'abcdef',
  'qwerty',
  // What a comic made a sample of.
  'horse battery',
  'horse-battery',
  'horse_battery',
  'horsebattery',
  'horse%20battery',
  // What begins the parts of a form, and what a mail server asks for the password with.
  'formboundary',
  'ugfzc3dvcmq6',
  'my-',
  'my_',
  'some-',
  'some_',
  'todo',
  'fixme',
  'testing',
  'default',
  'required',
  'optional',
  'string'
])
