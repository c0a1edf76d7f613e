/**
 * A word or a phrase that ends its clause, as a sentence states a password: `X.`, `"X"`, `X and then ...`. Which of them
 * may be a password is told by the words that describe one (`values/descriptive-words.ts`).
 */
import type { Match } from '../../detector.ts'
import { charSet, codeAt, inSet, letterSet, lowerSet, runEnd, runStart } from '../../text/chars.ts'
import { isDescriptiveWord } from '../../values/descriptive-words.ts'
import { isDictionaryPassword } from '../../values/dictionary-passwords.ts'
import { ideographsFrom } from '../../values/language-words.ts'
import { isWirelessProtection } from '../../values/stated-value.ts'
import { isWeakPassword } from '../../values/weak-passwords.ts'

const wordUnitsMax = 40
const wordSigns = charSet('A-Z', 'a-z', '0-9', '-_.!@#$*+&^?%')
const tailSet = charSet('.!?-')
const foreignFrom = 0xc0

/** Opening quotes, and the closing one of each. */
const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '«': '»',
  '‘': '’'
}

/** Whether an opening quote stands at `at`. */
export function isQuoteAt(text: string, at: number): boolean {
  return quotes[text.charAt(at)] !== undefined
}

/** Whether a letter stands at `at`, of a script that puts blanks between words. */
export function isLetterAt(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return inSet(letterSet, code) || (code >= foreignFrom && code < ideographsFrom)
}

/** Words with which a sentence continues behind the password. */
const goingOn = new Set(
  (
    'and but for on so if can could please pls plz thanks thank help though although since because when while last yesterday today now ' +
    'by everywhere again at in it its u you i we but however und aber für bitte et mais pour y pero para e mas ma per en maar voor и но а'
  ).split(' ')
)

/** A quoted word, or one that ends its clause, if it does not describe a password. */
export function wordAt(text: string, from: number): Match | undefined {
  return placeOfWord(text, from) ? plainAt(text, place.start, place.end) : undefined
}

/** The same for notorious passwords. */
export function weakAt(text: string, from: number): Match | undefined {
  if (!placeOfWord(text, from)) return undefined
  const { start } = place
  // These end in a symbol more often than a sentence does.
  const end = codeAt(text, place.end) === 33 ? place.end + 1 : place.end
  return isWeakPassword(text, start, end) ? { start, end, confidence: 'medium' } : undefined
}

/** Where the word that was read last is. */
const place = { start: 0, end: 0 }

function placeOfWord(text: string, from: number): boolean {
  const close = quotes[text.charAt(from)]
  if (close !== undefined) {
    const units = text.slice(from + 1, from + 1 + wordUnitsMax).indexOf(close)
    place.start = from + 1
    place.end = from + 1 + units
    return units > 0
  }
  let end = from
  while (end < from + wordUnitsMax && (inSet(wordSigns, codeAt(text, end)) || isLetterAt(text, end))) {
    if (isEntity(text, end)) break
    end++
  }
  end = runStart(text, end, tailSet, end - from)
  place.start = from
  place.end = end
  return endsClause(text, end) || isEntity(text, end)
}

/** Whether markup writes a quote or bracket at `at`: `deleted&quot;`. */
function isEntity(text: string, at: number): boolean {
  return codeAt(text, at) === 38 && entities.some((entity) => text.startsWith(entity, at))
}
const entities = ['&quot;', '&apos;', '&lt;', '&gt;', '&#']

/** Two to six words that end a clause: `my passphrase is purple elephant`. */
export function wordsAt(text: string, from: number): Match | undefined {
  if (isQuoteAt(text, from)) return quotedWords(text, from)
  let end = from
  for (let words = 0; words < phraseWordsMax; words++) {
    const stop = runEnd(text, end, lowerSet, wordUnitsMax)
    if (stop - end < phraseWordUnitsMin) return undefined
    end = stop
    if (words > 0 && endsClause(text, end)) return phraseIn(text, from, end)
    if (codeAt(text, end) !== 32) return undefined
    end++
  }
  return undefined
}

/** The same in quotes: `the password is "open sesame"`. */
export function quotedWords(text: string, from: number): Match | undefined {
  const close = quotes[text.charAt(from)]
  if (close === undefined) return undefined
  const units = text.slice(from + 1, from + 1 + phraseUnitsMax).indexOf(close)
  const end = from + 1 + units
  return units > 0 && runEnd(text, from + 1, phraseSet, units) === end ? phraseIn(text, from + 1, end) : undefined
}
const phraseSet = charSet('a-z', ' ')
const phraseUnitsMax = 64
const phraseWordsMax = 6
const phraseWordUnitsMin = 3

/** The phrase in `[start, end)`: two to six words. Only in four or more may one of them describe a password. */
function phraseIn(text: string, start: number, end: number): Match | undefined {
  const words = text.slice(start, end).split(' ')
  if (words.length < 2 || words.length > phraseWordsMax) return undefined
  const last = words.at(-1) as string
  if (isDescriptiveWord(last) || goingOn.has(last) || last.length < 4) return undefined
  const descriptive = words.filter(
    (word) => isDescriptiveWord(word) || goingOn.has(word) || word.length < phraseWordUnitsMin
  ).length
  if (descriptive > 1 || (descriptive === 1 && words.length < 4 && words[0] !== 'open')) return undefined
  let at = start
  for (const word of words) {
    if (
      !isDescriptiveWord(word) &&
      word !== 'open' &&
      !isDictionaryPassword(text, at, at + word.length) &&
      word.length > 3
    )
      return undefined
    at += word.length + 1
  }
  return { start, end, confidence: 'medium' }
}

/** An ASCII word, with nothing but a blank, a quote or letters of another script behind it. */
export function asciiWordAt(text: string, start: number): Match | undefined {
  const wordTo = runEnd(text, start, wordSigns, wordUnitsMax)
  const end = runStart(text, wordTo, tailSet, wordTo - start)
  const next = codeAt(text, end)
  return next > 127 || next < 33 || next === 34 ? plainAt(text, start, end) : undefined
}

function plainAt(text: string, start: number, end: number): Match | undefined {
  const word = text.slice(start, end).toLowerCase()
  if (
    isDescriptiveWord(word) ||
    isDescriptiveWord(word.slice(0, word.indexOf(' ') >>> 0)) ||
    isWirelessProtection(text, start, end) ||
    !isDictionaryPassword(text, start, end)
  )
    return undefined
  return { start, end, confidence: 'medium' }
}

const signSet = charSet('.!?')
const stopSet = charSet(',;)\n\r"')

/**
 * Whether a clause ends at `end`: at the end of the text or line, at punctuation, or before a word that begins another
 * clause.
 */
function endsClause(text: string, end: number): boolean {
  if (end >= text.length) return true
  const code = text.charCodeAt(end)
  if (inSet(stopSet, code)) return true
  if (inSet(signSet, code)) {
    const next = codeAt(text, runEnd(text, end, signSet, signsMax))
    return next <= 32 || next === 41 || next === 34
  }
  if (code !== 32) return false
  if (remarks.some((remark) => text.startsWith(remark, end + 1))) return true
  const next = codeAt(text, end + 1)
  // A dash, a bracket, an emoji.
  if (next === 45 || next === 40 || next > 0x2000) return true
  let to = end + 1
  while (to < end + wordUnitsMax && isLetterAt(text, to)) to++
  return goingOn.has(text.slice(end + 1, to).toLowerCase())
}
const signsMax = 4
/** Remarks on the spelling that people add behind a password. */
const remarks = [
  'all lower',
  'all upper',
  'all small',
  'without quotes',
  'without the quotes',
  'with a capital',
  'no spaces',
  'one word',
  'in lower'
]
