/** Judges values stated in sentences, where only a word announces them. */
import { WordList } from '../text/word-list.ts'
import { WordSet } from '../text/word-set.ts'
import {
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  inSet,
  letterSet,
  lowerSet,
  runEnd,
  upperSet
} from '../text/chars.ts'
import type { Confidence } from '../findings.ts'
import { isChosenPassword } from './chosen-passwords.ts'
import { characterClasses, isHexDigest, isNumeric, isPublicBlob, isUuid } from './non-secret-formats.ts'
import { isDummyValue } from './generic-value.ts'
import { isExpression } from './program-identifiers.ts'
import { isNumberedPhrase, isPassphrase } from './passphrases.ts'
import { rarity } from './rarity.ts'
import { isPathLike, isReference } from './references.ts'

/** Characters of a password that a sentence states, and those of them that end the sentence instead. */
export const statedSet = charSet('A-Z', 'a-z', '0-9', '_!@#$%^&*.+-')
export const statedTailSet = charSet('.-')

/**
 * Whether a value that a sentence announces is a password: not an ordinary word, by its classes of characters or its
 * rarity.
 */
export function isStatedSecret(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < 5 || length > 128 || isReference(text, start, end) || isPathLike(text, start, end)) return false
  if (isDummyValue(text, start, end) || isPublicBlob(text, start, end) || isUuid(text, start, end)) return false
  if (isDescribed(text, start, end) || isMention(text, start, end) || isExpression(text, start, end)) return false
  // An escaped line break in message catalogues.
  if (text.slice(start, end).includes('%0A')) return false
  const digits = countOf(text, start, end, digitSet)
  const letters = countOf(text, start, end, letterSet)
  if (digits === length) return length >= 6
  if (isNumberedPhrase(text, start, end) || isDashed(text, start, end)) return true
  const classes = characterClasses(text, start, end)
  if (digits > 0 && letters >= 3 && classes >= 2) return rarity(text, start, end) >= (classes >= 3 ? 3.4 : 4.2)
  const signs = length - digits - letters
  if (signs > 0 && letters >= 4 && text.charCodeAt(end - 1) === 33 && signs === 1) return false
  return rarity(text, start, end) >= (signs > 0 || mixesCase(text, start, end) ? 6.8 : 7.2)
}

const participles = ['-encoded', '-encrypted', '-hashed', '-protected', '-based', '-salted', '-escaped', '-generated']

/** Whether it describes what is done with passwords: "Passwords are base64-encoded", "are utf-8 encoded", "is SHA512". */
function isDescribed(text: string, start: number, end: number): boolean {
  if (isWirelessProtection(text, start, end)) return true
  return participles.some((one) => text.startsWith(one, end - one.length)) || encodings.stands(text, start, end)
}
const encodings = new WordSet(
  'utf-8 utf8 utf-16 utf16 utf-16le utf16le iso-8859-1 base64 base-64 base64url base32 md5 sha1 sha-1 sha256 sha-256 sha384 sha-384 sha512 sha-512 pbkdf2 argon2 argon2id aes-128 aes-256 aes128 aes256'.split(
    ' '
  )
)

/** Whether it says how a wireless network is protected: "the wifi password is WPA2-PSK", `WPA/WPA2-PSK`, `WPA3-SAE`. */
export function isWirelessProtection(text: string, start: number, end: number): boolean {
  return (
    text.startsWith('WPA', start) &&
    !inSet(upperSet, codeAt(text, start + 3)) &&
    consistsOf(text, start, end, protectionSet)
  )
}
const protectionSet = charSet('A-Z', '23-/_')

/** Whether it mentions a person: "Thanks @jo552uk". */
function isMention(text: string, start: number, end: number): boolean {
  return text.charCodeAt(start) === 64 && runEnd(text, start + 1, mentionSet, end - start) === end
}
const mentionSet = charSet('a-z', '0-9', '-')

const adjacentBits = 7

/**
 * Whether a value that only the word directly before it announces is a password: at least eight characters with digits
 * that are not a word.
 */
export function isAdjacentSecret(text: string, start: number, end: number): boolean {
  if (isChosenPassword(text, start, end)) return !isDummyValue(text, start, end)
  if (end - start < 8 || countOf(text, start, end, letterSet) < 3) return false
  if (countOf(text, start, end, digitSet) < 2 && !isGenerated(text, start, end)) return false
  if (isHexDigest(text, start, end) || isNumeric(text, start, end)) return false
  return rarity(text, start, end) >= adjacentBits && isStatedSecret(text, start, end)
}

/** Whether the value is long, in both cases and with a digit, and so rare that it must be generated. */
export function isGenerated(text: string, start: number, end: number): boolean {
  if (end - start < generatedUnitsMin || countOf(text, start, end, digitSet) === 0) return false
  return mixesCase(text, start, end) && rarity(text, start, end) >= generatedBits
}
const generatedUnitsMin = 12
/** Names in camelCase with a digit stay below 7 (decision 123). */
const generatedBits = 9

/** Whether it is hyphenated words that are not a sentence. */
function isDashed(text: string, start: number, end: number): boolean {
  return isPassphrase(text, start, end) && !text.slice(start, end).includes(' ')
}

/** Less rare values were chosen by a person or for documentation (decision 18). */
const wordBits = 4.5

/** Fewer characters are rare by chance: `pass1`. */
const blockUnitsMin = 7

/**
 * How sure a password is that its syntax reveals: an ordinary word is masked, and only a value that is not one may
 * block (decision 18).
 */
export function passwordConfidence(text: string, start: number, end: number): Confidence {
  const isWord = end - start < blockUnitsMin || rarity(text, start, end) < wordBits
  return isWord || isMadeOfSamples(text.slice(start, end)) ? 'medium' : 'strong'
}

/** Parts of sample passwords, and runs of keyboard keys. Leet spellings are compared as their words. */
const sampleParts = (
  'password passwort passwd passphrase pass pswd pwd word test user admin root login secret sekret token key demo guest ' +
  'letmein welcome hello qwertz qwerty qwer asdfgh asdf zxcv wasd qaz wsx'
).split(' ')
const samples = new WordList(sampleParts)
const leet: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '0': 'o', $: 's', '5': 's' }
/** With at most this many further letters a value with such a part is still a sample: `evil_pass`. */
const besideSampleMax = 4

/** Whether hardly a letter remains of a value without such parts: `test2pass`, `P@ssw0rd!42`, `asdfqwer1234`. */
function isMadeOfSamples(value: string): boolean {
  if (value.length > sampleUnitsMax) return false
  let left = ''
  for (const sign of value.toLowerCase()) left += leet[sign] ?? sign
  if (!samples.standsIn(left, 0, left.length)) return false
  for (const part of sampleParts) left = left.replaceAll(part, '')
  return countOf(left, 0, left.length, letterSet) <= besideSampleMax
}
const sampleUnitsMax = 24

/** Whether capitals stand within words, as nobody writes them. */
export function mixesCase(text: string, start: number, end: number): boolean {
  return countOf(text, start + 1, end, upperSet) > 0 && countOf(text, start, end, lowerSet) > 0
}

/** Whether the quote before the value closes a string: `'the password is ' + value`. */
export function isConcatenated(text: string, start: number): boolean {
  return text.charCodeAt(start) === 32
}
