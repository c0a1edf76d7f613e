/** What a number of a telephone is written like, and what else is written so: dates, versions. */
import { charSet, codeAt, digitSet, inSet, letterSet, runEnd } from '../text/chars.ts'
import { isDay, isDigits, isYyyymmdd } from '../validators/digits.ts'

const blankSet = charSet(' ,')
const extensionGapMax = 2
const extensionWordMax = 10
const extensionUnitsMax = 6
const extensionWords = ['x', 'ext', 'extn', 'extension', 'durchwahl', 'dw', 'poste', 'ramal']

/** Past an extension that is written behind a number: `x204`, ` ext. 47`; the place itself where none is. */
export function extensionEnd(text: string, at: number): number {
  const word = runEnd(text, at, blankSet, extensionGapMax)
  const wordEnd = runEnd(text, word, letterSet, extensionWordMax)
  if (wordEnd === word || !extensionWords.includes(text.slice(word, wordEnd).toLowerCase())) return at
  const dot = codeAt(text, wordEnd) === 46 ? wordEnd + 1 : wordEnd
  const from = codeAt(text, dot) === 32 ? dot + 1 : dot
  const end = runEnd(text, from, digitSet, extensionUnitsMax)
  return end > from ? end : at
}

/** `16.15.419.4409`: numbers of versions have dots throughout, and groups as they come. */
export function isVersion(text: string, start: number, end: number): boolean {
  let dots = 0
  let isEven = true
  for (let i = start, from = start; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 46
    if (inSet(digitSet, code)) continue
    if (code !== 46) return false
    if (i < end) dots++
    isEven &&= i - from === 2
    from = i + 1
  }
  return dots === 3 && !isEven
}

/** `2016-06-02`, `02.06.2016`, `6/2/2016` are the day of something. */
export function isDate(text: string, start: number, end: number): boolean {
  // A time of the day goes on behind its hours.
  if (codeAt(text, end) === 58 && inSet(digitSet, codeAt(text, end + 1))) return true
  return isYearFirst(text, start, end) || isYearLast(text, start, end)
}

function isYearFirst(text: string, start: number, end: number): boolean {
  if (end - start !== 10 || text.charCodeAt(start + 4) !== text.charCodeAt(start + 7)) return false
  const day = text.slice(start, start + 4) + text.slice(start + 5, start + 7) + text.slice(start + 8, end)
  return isDigits(day) && isYyyymmdd(day)
}

/** The day or the month first; whoever dials so has no groups of two, two and four. */
function isYearLast(text: string, start: number, end: number): boolean {
  const first = runEnd(text, start, digitSet, 3)
  const second = runEnd(text, first + 1, digitSet, 3)
  if (first - start > 2 || second === first + 1 || second - first > 3 || end !== second + 5) return false
  if (text.charCodeAt(first) !== text.charCodeAt(second) || text.charCodeAt(first) === 32) return false
  const [a, b, year] = [text.slice(start, first), text.slice(first + 1, second), text.slice(second + 1, end)].map(
    Number
  ) as [number, number, number]
  return year >= yearMin && year <= yearMax && (isDay(a, b) || isDay(b, a))
}
const yearMin = 1900
const yearMax = 2099

/** Whether nothing but blanks, brackets and dashes stands between the digits: bands have slashes, and versions dots. */
export function isSpaced(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!inSet(spacedSet, text.charCodeAt(i))) return false
  return true
}
const spacedSet = charSet('0-9', ' ()-')
