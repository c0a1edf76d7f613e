/**
 * Passwords as people choose them when a rule asks for letters, digits and a symbol: a word or two, a number, perhaps a
 * symbol. No measure of randomness finds them, since their words are ordinary. They are recognised because the words
 * are not among those in names of programs (decision 128).
 */
import { charSet, codeAt, countOf, digitSet, inSet, letterSet, lowerSet, runEnd, upperSet } from '../text/chars.ts'
import { isPlainWord, sizes } from './passphrases.ts'

const wordUnitsMin = 3
const wordUnitsMax = 14
const wordsMax = 3
const digitsMax = 6
const marksMax = 3
/** The shortest such password, and the shortest word that may stand alone before a number, in code units. */
const unitsMin = 7
const loneWordUnitsMin = 4

/** Characters that join the words, or words and number. */
const jointSet = charSet('-_.!@#$*+&^')
/** Symbols that end such a password, or stand between word and number, but do neither in the name of a thing. */
const markSet = charSet('!@#$*+&?%^')

/** Words that precede numbers in program text. */
const numberedWords = new Set(
  (
    'step part page item line level type group class index slot port node core unit test mock fake stub spec case temp tmp foo bar ' +
    'baz qux foobar abc xyz hello world secret hash salt crypt bcrypt version release build commit issue ticket input output ' +
    'button label panel column option choice param arg args variable object array list dict entry record event task job worker ' +
    'thread process window screen frame layer block chunk batch queue topic model layout theme style font color colour utf ascii ' +
    'unicode latin windows ubuntu debian fedora centos alpine linux python java node ruby perl sha md rsa dsa ecdsa aes des ' +
    'hmac oauth saml ldap kerberos ntlm basic bearer digest plain foo1 admin1 john jane alice bob joe ana guest anonymous dummy ' +
    'changeme letmein welcome qwerty monkey correct right good better best bad worse invalid wrong random another other ' +
    'first second third fourth last next prev previous abcd one two three four five six seven eight nine ten zero null none ' +
    'bytes uint int float true false yes not and the for with error warning info debug trace fatal status code message reason'
  ).split(' ')
)

/** Whether a lower-case word is one that programs and their tests number. */
export const isNumberedWord = (word: string): boolean => numberedWords.has(word)

const isUncommonWord = (word: string): boolean => !isPlainWord(word) && !numberedWords.has(word)

/** Words behind a number that counts them. */
const countedWords = new Set(
  (
    'second seconds minute minutes hour hours day days week weeks month months year years byte bytes bits item items time times ' +
    'char chars pixel pixels digit users files lines rows pages'
  ).split(' ')
)

/** The words and symbols of the current value, as far as they were read. A single object serves all readings. */
const read = { at: 0, words: 0, shortest: 0, capitals: 0, marks: 0, isJoined: false, isUpper: false }

/**
 * Whether the value is a password that somebody chose: `tango8841`, `Lantern47!`, `amber-falcon-41`, `Harbor_Kettle7`,
 * `2031lantern`. A single short word without a symbol needs three digits.
 */
export function isChosenPassword(text: string, start: number, end: number): boolean {
  if (end - start < unitsMin) return false
  const firstDigits = runEnd(text, start, digitSet, digitsMax) - start
  if (firstDigits > 0) return firstDigits > 1 && isNumberFirst(text, start + firstDigits, end)
  if (!readWords(text, start, end)) return false
  const { words, shortest, capitals, isJoined, isUpper } = read
  const digitsEnd = runEnd(text, read.at, digitSet, digitsMax + 1)
  const digits = digitsEnd - read.at
  const last = marksEnd(text, digitsEnd, end)
  if (last !== end || digits > digitsMax) return false
  const marks = read.marks + (last > digitsEnd ? 1 : 0)
  if (digits === 0) return words > 1 && capitals === words && last > digitsEnd
  if (!isJoined && sizes.has(text.slice(read.at, digitsEnd)) && !isMarked(text, digitsEnd, end)) return false
  if (words > 1) return digits > 1 || marks > 0 || capitals === words
  if (isUpper) return shortest > loneWordUnitsMin && (digits > 2 || marks > 0 || (isJoined && digits > 1))
  if (shortest < loneWordUnitsMin) return false
  return digits > 2 || (digits === 2 && (marks > 0 || capitals > 0 || shortest > loneWordUnitsMin))
}

/**
 * The same with a symbol that occurs in no name of a thing, so that the value counts beside `secret` as well:
 * `Lantern47!`.
 */
export function isMarkedPassword(text: string, start: number, end: number): boolean {
  return countOf(text, start, end, markSet) > 0 && isChosenPassword(text, start, end)
}

/** Whether the value ends in a symbol that does not end a sentence: `Candle64*`. */
function isMarked(text: string, digitsEnd: number, end: number): boolean {
  if (digitsEnd === end) return false
  // No sentence ends in `!,`.
  return inSet(sizeMarkSet, text.charCodeAt(end - 1)) || inSet(goesOnSet, codeAt(text, end))
}
const goesOnSet = charSet(',;')
const sizeMarkSet = charSet('@#$*+&%^')

/** The number first: `2031lantern`, `47Kettle!`. Words and perhaps a symbol from `from` on. */
function isNumberFirst(text: string, from: number, end: number): boolean {
  if (!readWords(text, from, end) || read.isUpper || read.isJoined) return false
  if (read.words === 1 && countedWords.has(text.slice(from, read.at).toLowerCase())) return false
  return read.shortest > loneWordUnitsMin && marksEnd(text, read.at, end) === end
}

/** Reads the words with which `[start, end)` begins into `read`; false if one of them is not a word of passwords. */
function readWords(text: string, start: number, end: number): boolean {
  Object.assign(read, { at: start, words: 0, shortest: wordUnitsMax, capitals: 0, marks: 0, isJoined: false })
  read.isUpper = inSet(upperSet, codeAt(text, start)) && inSet(upperSet, codeAt(text, start + 1))
  while (read.at < end && isLetter(codeAt(text, read.at))) {
    const stop = read.isUpper ? runEnd(text, read.at, upperSet, wordUnitsMax + 1) : wordEnd(text, read.at)
    const units = stop - read.at
    if (units < wordUnitsMin || units > wordUnitsMax || stop > end || ++read.words > wordsMax) return false
    if (!isUncommonWord(text.slice(read.at, stop).toLowerCase())) return false
    if (inSet(upperSet, codeAt(text, read.at))) read.capitals++
    read.shortest = Math.min(read.shortest, units)
    read.at = stop
    if (!inSet(jointSet, codeAt(text, stop)) || stop + 1 >= end) continue
    if (inSet(markSet, codeAt(text, stop))) read.marks++
    read.isJoined = true
    read.at++
  }
  return read.words > 0
}

/** Whether a code is a letter of any alphabet. Beyond ASCII, its range decides. */
function isLetter(code: number): boolean {
  return inSet(letterSet, code) || (code >= 0xc0 && code < 0xd800)
}

/** The end of the lower-case letters behind the first one. */
function wordEnd(text: string, at: number): number {
  let end = at + 1
  while (end - at <= wordUnitsMax && (inSet(lowerSet, codeAt(text, end)) || codeAt(text, end) >= 0xc0)) end++
  return end
}

/** Past the symbols that end a password. */
function marksEnd(text: string, from: number, end: number): number {
  let at = from
  while (at < end && at - from < marksMax && (inSet(markSet, codeAt(text, at)) || codeAt(text, at) === 46)) at++
  return at
}
