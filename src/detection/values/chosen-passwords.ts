/**
 * Passwords as people choose them where a rule asks for letters, digits and a sign: a word or two, a number behind, perhaps a
 * sign. No measure of rarity finds them, since a word is as common there as anywhere; what tells is that the words are none
 * of those that programs are written with.
 */
import { charSet, codeAt, digitSet, inSet, letterSet, lowerSet, runEnd, upperSet } from '../text/chars.ts'
import { isPlainWord, sizes } from './passphrases.ts'

const wordUnitsMin = 3
const wordUnitsMax = 14
const wordsMax = 3
const digitsMax = 6
/** The shortest such password, and the shortest word that stands alone before a number. */
const unitsMin = 7
const loneWordUnitsMin = 4

/** What joins the words, or them and the number. */
const jointSet = charSet('-_.!@#$*+&')
/** What ends such a password, or stands between word and number, and never does so in the name of a thing. */
const markSet = charSet('!@#$*+&?%')

/** Words that stand before numbers in program text, beside those that no password has. */
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
    'true false yes not and the for with error warning info debug trace fatal status code message reason'
  ).split(' ')
)

const isTelling = (word: string): boolean => !isPlainWord(word) && !numberedWords.has(word)

/**
 * Whether the value is a password that somebody chose: `tango8841`, `Lantern47!`, `amber-falcon-41`, `Harbor_Kettle7`.
 * One short word without a sign wants three digits behind it.
 */
export function isChosenPassword(text: string, start: number, end: number): boolean {
  if (end - start < unitsMin || !inSet(letterSet, codeAt(text, start))) return false
  let at = start
  let words = 0
  let shortest = wordUnitsMax
  let capitals = 0
  let marks = 0
  let isJoined = false
  while (inSet(letterSet, codeAt(text, at))) {
    const stop = runEnd(text, at + 1, lowerSet, wordUnitsMax)
    const units = stop - at
    if (units < wordUnitsMin || units > wordUnitsMax || ++words > wordsMax) return false
    if (!isTelling(text.slice(at, stop).toLowerCase())) return false
    if (inSet(upperSet, codeAt(text, at))) capitals++
    shortest = Math.min(shortest, units)
    at = stop
    if (!inSet(jointSet, codeAt(text, at)) || at + 1 >= end) continue
    if (inSet(markSet, codeAt(text, at))) marks++
    isJoined = true
    at++
  }
  const digitsEnd = runEnd(text, at, digitSet, digitsMax + 1)
  const digits = digitsEnd - at
  if (digits === 0 || digits > digitsMax || (!isJoined && sizes.has(text.slice(at, digitsEnd)))) return false
  let last = digitsEnd
  while (last < end && last - digitsEnd < 3 && (inSet(markSet, codeAt(text, last)) || codeAt(text, last) === 46)) last++
  if (last !== end) return false
  if (last > digitsEnd) marks++
  if (words > 1) return digits > 1 || marks > 0 || capitals === words
  return shortest >= loneWordUnitsMin && (digits > 2 || (digits === 2 && (marks > 0 || capitals > 0 || shortest > 4)))
}
