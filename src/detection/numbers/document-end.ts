/** Numbers of documents that every country writes differently: capitals and digits, in groups or not. */
import { isPattern } from './chance-matches.ts'
import { charSet, codeAt, countOf, digitSet, inSet, runEnd, upperDigitSet, upperSet, wordSet } from '../text/chars.ts'
import { dateEnd } from '../validators/dates.ts'
import { isFlat, isYyyymmdd } from '../validators/digits.ts'

const signsMin = 6
const signsMax = 18
const digitsMin = 3
/** Fewer digits alone are a count, a year or a postal code. */
const bareDigitsMin = 7
const groupsMax = 6
/** The state of Washington filled short names up with asterisks. */
const signSet = charSet('A-Z', '0-9', '*')
const jointSet = charSet(' -/')
/** Letters that may stand alone before the digits: `WT 001088`, `P-1342323 8`. */
const seriesLettersMax = 3
/** What numbers standards and the like: driving licences in telephones are those of `ISO 18013-5`. */
const publishers = ['ISO', 'IEC', 'DIN', 'RFC', 'CVE']
/** A count that was rounded, or seconds since 1970 in an example. */
const roundEnd = '0000'

/**
 * The end of the number of a document at `at`: six to eighteen capitals and digits, at least three and a quarter of them
 * digits, in up to six groups behind blanks, dashes or slashes; -1 for dates, counts, standards, samples and words.
 */
export function documentEnd(text: string, at: number): number {
  let end = at
  for (let from = at, groups = 0; groups < groupsMax; groups++) {
    const to = runEnd(text, from, signSet, signsMax + 1)
    if (to === from || inSet(wordSet, codeAt(text, to)) || !isGroup(text, from, to, from === at)) break
    end = to
    if (!inSet(jointSet, codeAt(text, to)) || dateEnd(text, to + 1) > 0) break
    from = to + 1
  }
  return isDocument(text, at, end) ? end : -1
}

/** Whether `[from, to)` is a group of such a number, and not the next word of the sentence. */
function isGroup(text: string, from: number, to: number, isFirst: boolean): boolean {
  const hasDigits = countOf(text, from, to, digitSet) > 0
  if (isFirst) return hasDigits || to - from <= seriesLettersMax
  if (!hasDigits && to - from > 1) return false
  // `2` in `D1234567 2 years ago`.
  return to - from > 1 || codeAt(text, from - 1) !== 32 || !isBeforeWord(text, to)
}

function isBeforeWord(text: string, at: number): boolean {
  return codeAt(text, at) === 32 && inSet(wordSet, codeAt(text, at + 1))
}

function isDocument(text: string, at: number, end: number): boolean {
  const signs = countOf(text, at, end, upperDigitSet)
  const digits = countOf(text, at, end, digitSet)
  if (signs < signsMin || signs > signsMax || digits < digitsMin || digits * 4 < signs) return false
  // A decimal, a share, and the address of a network.
  if ((codeAt(text, end) === 46 && inSet(digitSet, codeAt(text, end + 1))) || codeAt(text, end) === 37) return false
  const value = digitsIn(text, at, end)
  if (isFlat(value) || isPattern(value, 1) || isPublished(text, at)) return false
  return digits < signs || !isCount(text, at, end, value)
}

function isPublished(text: string, at: number): boolean {
  return publishers.includes(text.slice(at, runEnd(text, at, upperSet, seriesLettersMax + 1)))
}

function digitsIn(text: string, at: number, end: number): string {
  let value = ''
  for (let i = at; i < end; i++) if (inSet(digitSet, codeAt(text, i))) value += text.charAt(i)
  return value
}

/** Whether digits alone are a count, a date or a day. */
function isCount(text: string, at: number, end: number, value: string): boolean {
  if (value.length < bareDigitsMin || value.endsWith(roundEnd) || dateEnd(text, at) > 0) return true
  return value.length === end - at && isYyyymmdd(value)
}
