/** Words as people write them in any language: labels of forms, and passwords with letters beyond ASCII. */
import { charSet, codeAt, countOf, digitSet, inSet, letterSet, lowerSet, upperSet } from '../text/chars.ts'

/** Whether it is a capitalised word, also of other languages, or two: `Wachtwoord`, `Rimuovi`, `Palavra-chave`. */
export function isTitle(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start)
  if (!inSet(upperSet, first) && first < latinFrom) return false
  for (let i = start, consonants = 0; i < end; i++) {
    const code = codeAt(text, i)
    const isJoint = code === 45 && inSet(lowerSet, codeAt(text, i - 1)) && inSet(lowerSet, codeAt(text, i + 1))
    if (i > start && !isJoint && !inSet(lowerSet, code) && code < latinFrom) return false
    consonants = code >= latinFrom || isJoint || inSet(vowelSet, code) ? 0 : consonants + 1
    if (consonants >= consonantsMax) return false
  }
  return true
}
const vowelSet = charSet(...'aeiouyAEIOUY')
/** No word has this many consonants in a row. */
const consonantsMax = 5
/** First code unit of letters beyond ASCII. */
export const latinFrom = 0xc0

/** Whether it is letters alone and some of them are beyond ASCII, which no program puts into a token: `utløpt`. */
export function isAccentedWord(text: string, start: number, end: number): boolean {
  let accents = 0
  for (let i = start; i < end; i++) {
    if (inSet(letterSet, codeAt(text, i))) continue
    if (codeAt(text, i) < latinFrom || codeAt(text, i) >= cyrillicTo) return false
    accents++
  }
  return accents > 0
}

/** Where a label ends: before its colon, or the mark of a field that must be filled in, as in `Hasło*`. */
export function labelEnd(text: string, end: number): number {
  return inSet(behindLabelSet, codeAt(text, end - 1)) ? end - 1 : end
}
const behindLabelSet = charSet(':*')

/** Whether most of it is of scripts that put no blanks between words, so that it is a sentence: `密码6到20位`. */
export function isIdeographic(text: string, start: number, end: number): boolean {
  let count = 0
  for (let i = start; i < end; i++) if (codeAt(text, i) >= ideographsFrom) count++
  return count * 2 > end - start
}
/** The radicals of Chinese characters, before the scripts of East Asia. */
export const ideographsFrom = 0x2e80

/**
 * Whether it has two digits, or one among eight characters, and letters only of scripts that put blanks between words,
 * so that it is no sentence in another language: `Übung2024x`, and not `密码长度6到20位`.
 */
export function isNumberedText(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = codeAt(text, i)
    if (code > 127 && (code < latinFrom || code >= cyrillicTo) && !keyboardSigns.includes(text.charAt(i))) return false
  }
  return countOf(text, start, end, digitSet) >= (end - start < longUnitsMin ? 2 : 1)
}
const longUnitsMin = 8
/** Signs beyond ASCII that keyboards of Europe have, and passwords therefore. */
const keyboardSigns = '£€§¤µ¥°²³'
/** Behind Latin, Greek and Cyrillic letters. */
const cyrillicTo = 0x530

/**
 * Whether a code is of a script that is typed by means of an input method, which fields for passwords switch off: those of
 * India and its neighbours, from Devanagari to Burmese, and Khmer. A word in them behind a label says how the field is to be
 * filled in.
 */
export const isComposed = (code: number): boolean =>
  (code >= 0x900 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800)
