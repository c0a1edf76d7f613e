/** What people tell in sentences: judges values that stand there, where nothing but a word announces them. */
import { charSet, countOf, digitSet, letterSet, lowerSet, runEnd, upperSet } from '../text/chars.ts'
import type { Confidence } from '../findings.ts'
import { isChosenPassword } from './chosen-passwords.ts'
import { characterClasses, isHexDigest, isPublicBlob, isUuid } from './friends.ts'
import { isInvented } from './generic-value.ts'
import { isNumberedPhrase, isPassphrase } from './passphrases.ts'
import { rarity } from './rarity.ts'
import { isPathLike, isReference } from './references.ts'

/** What somebody tells is a password where it is no word: two classes of characters, or rare. */
export function isTold(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < 5 || length > 128 || isReference(text, start, end) || isPathLike(text, start, end)) return false
  if (isInvented(text, start, end) || isPublicBlob(text, start, end) || isUuid(text, start, end)) return false
  if (isDescribed(text, end) || isMention(text, start, end)) return false
  // A line break, as catalogues of messages escape it.
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

/** "Passwords are base64-encoded": what is done with one. */
function isDescribed(text: string, end: number): boolean {
  return participles.some((one) => text.startsWith(one, end - one.length))
}

/** "Thanks @jo552uk": whom a message speaks to. */
function isMention(text: string, start: number, end: number): boolean {
  return text.charCodeAt(start) === 64 && runEnd(text, start + 1, mentionSet, end - start) === end
}
const mentionSet = charSet('a-z', '0-9', '-')

const besideBits = 7

/** What nothing but the word before it announces: eight characters that are no word, digits among them. */
export function isToldBeside(text: string, start: number, end: number): boolean {
  if (isChosenPassword(text, start, end)) return !isInvented(text, start, end)
  if (end - start < 8 || countOf(text, start, end, letterSet) < 3) return false
  if (countOf(text, start, end, digitSet) < 2 && !isDrawn(text, start, end)) return false
  return rarity(text, start, end) >= besideBits && !isHexDigest(text, start, end) && isTold(text, start, end)
}

/** Long, in both cases and with a digit, and as rare as nothing but what a generator makes. */
export function isDrawn(text: string, start: number, end: number): boolean {
  if (end - start < drawnUnitsMin || countOf(text, start, end, digitSet) === 0) return false
  return mixesCase(text, start, end) && rarity(text, start, end) >= drawnBits
}
const drawnUnitsMin = 12
/** Names with a digit in camelCase stay below 7. */
const drawnBits = 9

/** Words that dashes join, and no sentence. */
function isDashed(text: string, start: number, end: number): boolean {
  return isPassphrase(text, start, end) && !text.slice(start, end).includes(' ')
}

/** What is less rare than this was chosen by a person, or for a document. */
const wordBits = 4.5

/** A few characters are rare by chance: `pass1`. */
const blockUnitsMin = 7

/** How sure a password is that its frame tells: a word masks, and only what is none may block. */
export function passwordConfidence(text: string, start: number, end: number): Confidence {
  const isWord = end - start < blockUnitsMin || rarity(text, start, end) < wordBits
  return isWord || isMadeOfSamples(text.slice(start, end)) ? 'medium' : 'strong'
}

/** Words of samples, and runs of keys on a keyboard; a leet spelling reads like its word. */
const sampleParts = (
  'password passwort passwd passphrase pass pswd pwd word test user admin root login secret sekret token key demo guest ' +
  'letmein welcome hello qwertz qwerty qwer asdfgh asdf zxcv wasd qaz wsx'
).split(' ')
const leet: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '0': 'o', $: 's', '5': 's' }
/** A few letters beside such a word still make a sample: `evil_pass`. */
const besideSampleMax = 4

/** Whether hardly a letter is left of a value without such words: `test2pass`, `P@ssw0rd!42`, `asdfqwer1234`. */
function isMadeOfSamples(value: string): boolean {
  if (value.length > sampleUnitsMax) return false
  let left = Array.from(value.toLowerCase(), (sign) => leet[sign] ?? sign).join('')
  const before = left.length
  for (const part of sampleParts) left = left.replaceAll(part, '')
  return left.length < before && countOf(left, 0, left.length, letterSet) <= besideSampleMax
}
const sampleUnitsMax = 24

/** Capitals inside of a word, as nobody writes them. */
export function mixesCase(text: string, start: number, end: number): boolean {
  return countOf(text, start + 1, end, upperSet) > 0 && countOf(text, start, end, lowerSet) > 0
}

/** `'the password is ' + value`: the quote before the value ends a text instead of beginning one. */
export function isConcatenated(text: string, start: number): boolean {
  return text.charCodeAt(start) === 32
}
