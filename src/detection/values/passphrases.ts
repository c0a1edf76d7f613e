/**
 * Passwords made of words, which no measure of randomness finds: four words and more that are not a sentence
 * (`violet-canyon-...`).
 */
import {
  base62Set,
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  letterSet,
  lowerSet,
  runEnd,
  upperSet
} from '../text/chars.ts'
import { WordSet } from '../text/word-set.ts'
import { rarity } from './rarity.ts'

const wordsMin = 4
const wordsMax = 8
const wordUnitsMin = 3
const wordUnitsMax = 12
const phraseUnitsMax = 80

/** Words of sentences, labels and names, which passphrases do not contain. */
const plainWords = new WordSet(
  (
    'the you your and for not with from this that are was has have will can must should may use enter type please again ' +
    'new old current confirm repeat forgot change reset set get invalid wrong incorrect missing required optional empty ' +
    'user users username name email login sign account admin root client server service host app api web http https url ' +
    'auth oauth token key keys secret secrets pass password passwords passwd credential credentials cert config default ' +
    'test tests example sample demo dev prod staging local value field string text file files path data base database db ' +
    'store storage cluster node pod kube release chart image docker registry postgres postgresql mysql mariadb redis mongo ' +
    'mongodb rabbitmq kafka grafana prometheus elastic elasticsearch keycloak vault nginx here then when where which some ' +
    'any all only but into over under before after than more less least most very also than was were been being does did ' +
    'der die das und ist ein eine nicht mit fur von bitte ihr les des une est pas pour avec votre que los las del una por ' +
    'para con het een niet van voor characters letters digits numbers long short length'
  ).split(' ')
)

/** Whether a lower-case word is one that passphrases do not contain. */
export const isPlainWord = (word: string): boolean => plainWords.has(word)

/**
 * Whether the value is four or more lower-case words joined by one separator throughout, without a word from sentences
 * or names of things.
 */
export function isPassphrase(text: string, start: number, end: number): boolean {
  if (end - start > phraseUnitsMax || end - start < wordsMin * (wordUnitsMin + 1)) return false
  const first = runEnd(text, start, lowerSet, wordUnitsMax + 1)
  const joint = codeAt(text, first)
  if (first - start < wordUnitsMin || first >= end || (joint !== 32 && joint !== 45 && joint !== 46 && joint !== 95))
    return false
  let count = 0
  for (let at = start; at < end;) {
    const stop = runEnd(text, at, lowerSet, wordUnitsMax + 1)
    if (stop - at < wordUnitsMin || stop - at > wordUnitsMax || ++count > wordsMax) return false
    if (plainWords.stands(text, at, stop)) return false
    if (stop === end) break
    if (codeAt(text, stop) !== joint) return false
    at = stop + 1
  }
  return count >= wordsMin && differentOf(text.slice(start, end).split(String.fromCharCode(joint))) >= wordsMin - 1
}

const groupsCount = 4
const groupUnits = 4
/**
 * Bits per character (rarity). One of 50 such passwords has fewer; four words of four letters have at most 5.3 in the
 * languages that were tried.
 */
const groupBits = 7

/**
 * The end of four groups of four random lower-case letters, as Google shows the passwords that it makes for apps;
 * `start` if there are none (decision 257).
 */
export function letterGroupsEnd(text: string, start: number): number {
  // Hardly any other value has a blank there.
  if (codeAt(text, start + groupUnits) !== 32) return start
  let end = start
  for (let group = 0; group < groupsCount; group++) {
    if (group > 0 && codeAt(text, end) !== 32) return start
    const from = group > 0 ? end + 1 : start
    end = runEnd(text, from, lowerSet, groupUnits)
    if (end - from < groupUnits || inSet(base62Set, codeAt(text, end))) return start
  }
  return rarity(text, start, end) >= groupBits ? end : start
}

/** How many different words there are among a few. */
function differentOf(words: readonly string[]): number {
  return words.filter((word, i) => words.indexOf(word) === i).length
}

const capitalsMin = 2
/** A single digit behind two capitalised words numbers a thing. */
const fewCapitals = 2
const tailDigitsMax = 4
/** Numbers in names of things: sizes, versions. */
export const sizes: ReadonlySet<string> = new Set('1 2 3 8 16 32 64 128 255 256 384 512 1024 2048 4096'.split(' '))
const jointSet = charSet('._-')

/**
 * Whether the value is capitalised words joined by nothing or one separator, with a number behind:
 * `VioletCanyonLantern73`, `Violet.Canyon73`.
 */
export function isNumberedPhrase(text: string, start: number, end: number): boolean {
  let count = 0
  let at = start
  while (at < end && inSet(upperSet, codeAt(text, at))) {
    const stop = runEnd(text, at + 1, lowerSet, wordUnitsMax)
    if (stop - at < wordUnitsMin) return false
    if (plainWords.stands(text, at, stop)) return false
    count++
    at = stop
    if (inSet(jointSet, codeAt(text, at)) && inSet(upperSet, codeAt(text, at + 1))) at++
  }
  if (count < capitalsMin || inSet(letterSet, codeAt(text, at))) return false
  const stop = runEnd(text, at, digitSet, tailDigitsMax + 1)
  if (stop - at < (count > fewCapitals ? 1 : 2) || stop - at > tailDigitsMax) return false
  if (sizes.has(text.slice(at, stop))) return false
  return stop === end || (stop === end - 1 && codeAt(text, stop) === 33)
}

const pairDigitsMin = 3

/** Whether the value is two words, one of them with a number glued to it, as in no sentence: `Violet 4821canyon`. */
export function isNumberedPair(text: string, start: number, end: number): boolean {
  const first = runEnd(text, start, base62Set, phraseUnitsMax)
  const second = runEnd(text, first + 1, base62Set, phraseUnitsMax)
  if (codeAt(text, first) !== 32 || second !== end || first === start || second === first + 1) return false
  if (countOf(text, start, end, digitSet) < pairDigitsMin) return false
  return isGlued(text, start, first) || isGlued(text, first + 1, end)
}

/** Whether it is letters with digits that are not a size behind the name of something. */
function isGlued(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  if (digits < 2 || end - start - digits < wordUnitsMin) return false
  const number = runEnd(text, start, letterSet, end - start)
  return !sizes.has(text.slice(number, end)) && !plainWords.stands(text, start, number)
}
