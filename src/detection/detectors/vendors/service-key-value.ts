/** Whether a value behind the name of a service and a word for a key looks like one. */
import {
  base62Set,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  foldCode,
  inSet,
  lowerSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { hasDigitAndLetter } from '../../keys/key-shape.ts'
import { isAddress, isPublicBlob } from '../../values/non-secret-formats.ts'
import { isFilled } from '../../values/placeholders.ts'
import { isWordsInCapitals } from '../../values/program-identifiers.ts'
import { rarity } from '../../values/rarity.ts'
import { isNameChain } from '../../values/references.ts'
import { WordList } from '../../text/word-list.ts'

/** Letters of both cases have more bits per character in the rarity model than this, unless they are a camelCase name. */
const letterBits = 9
/** Names in camelCase and chains of names have fewer: `ED25519SignerVerifier`, `ed25519.PublicKey`. */
const chainBits = 7

/** Whether it looks like a key and neither like a name, a time or something public, nor like a placeholder. */
export function looksLikeKey(text: string, start: number, end: number): boolean {
  if (!mixesLikeKey(text, start, end)) return false
  if (isNameChain(text, start, end) && rarity(text, start, end) < chainBits) return false
  if (
    isWordsInCapitals(text, start, end) ||
    isMangled(text, start) ||
    isCamelCase(text, start, end) ||
    isTime(text, start, end) ||
    isPublicBlob(text, start, end) ||
    isAddress(text, start, end)
  )
    return false
  return !looksLikeDummyWord(text, start, end) && !isFilled(text, start, end)
}

/**
 * Whether letters and digits mix in words that are too long or too irregular for a name, or one run of a single case is
 * longer than any word.
 */
function mixesLikeKey(text: string, start: number, end: number): boolean {
  const length = end - start
  const digits = countOf(text, start, end, digitSet)
  const { longest, mixes } = chunksOf(text, start, end)
  if (digits === 0) {
    const upper = countOf(text, start, end, upperSet)
    const isOneCase = upper === 0 || upper === length
    return (
      longest === length &&
      length >= 20 &&
      (isOneCase || countsLetters(text, start, end) || rarity(text, start, end) >= letterBits)
    )
  }
  if (digits === length) return length >= 20
  return mixes && ((digits >= 2 && longest >= 12) || digits * 6 >= length)
}

/** A camelCase name with few digits: `ED25519SignerVerifier`, `Verifier_X509Certificate`. */
function isCamelCase(text: string, start: number, end: number): boolean {
  if (countOf(text, start, end, digitSet) * 3 > end - start || rarity(text, start, end) >= chainBits) return false
  if (!consistsOf(text, start, end, wordSet) || countsLetters(text, start, end)) return false
  for (let i = start; i < end - camelUnitsMin; i++) {
    if (!inSet(upperSet, text.charCodeAt(i))) continue
    if (runEnd(text, i + 1, lowerSet, camelUnitsMin) === i + 1 + camelUnitsMin) return true
  }
  return false
}
/** Lower-case letters behind a capital of such a name. */
const camelUnitsMin = 4

/** Whether it is part of a mangled C++ name: `_ZN5clang9ASTReader...`. */
function isMangled(text: string, start: number): boolean {
  if (!inSet(wordSet, codeAt(text, start - 1))) return false
  return text.startsWith('_Z', runStart(text, start, wordSet, mangledUnitsMax))
}
const mangledUnitsMax = 1_000

/** `2014-01-30T15:30:58.000000Z`, or part of it. */
function isTime(text: string, start: number, end: number): boolean {
  const hour = text.slice(start, end).indexOf('T') + start + 1
  return hour > start && runEnd(text, hour, digitSet, 3) === hour + 2 && text.charCodeAt(hour + 2) === 58
}

/** Whether ten letters stand in alphabetical order, as in typed samples of a key, and in no name. */
function countsLetters(text: string, start: number, end: number): boolean {
  let rising = 1
  for (let i = start + 1; i < end && rising < 10; i++)
    rising = foldCode(text.charCodeAt(i)) - foldCode(text.charCodeAt(i - 1)) === 1 ? rising + 1 : 1
  return rising >= 10
}

/** The length of the longest run of letters and digits, and whether some run has both: in `TOKEN_2024` none has. */
function chunksOf(text: string, start: number, end: number): { longest: number; mixes: boolean } {
  let longest = 0
  let mixes = false
  for (let at = start; at < end; at++) {
    const stop = runEnd(text, at, base62Set, end - at)
    longest = Math.max(longest, stop - at)
    mixes ||= stop - at > 3 && hasDigitAndLetter(text, at, stop)
    at = stop
  }
  return { longest, mixes }
}

/** Whether a word was written in place of a key. Letters in order do not count: keys in documentation contain them. */
function looksLikeDummyWord(text: string, start: number, end: number): boolean {
  return dummyWords.standsIn(text, start, end)
}
const madeUp = 'example your_ your- xxxx placeholder changeme redacted dummy test_key'
const dummyWords = new WordList(madeUp.split(' '))
