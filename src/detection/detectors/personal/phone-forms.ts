/** What a written telephone number looks like, and what else is written so: dates, versions, IP addresses. */
import { charSet, codeAt, consistsOf, digitSet, inSet, letterSet, runEnd, wordSet } from '../../text/chars.ts'
import { isDay, isDigits, isYyyymmdd } from '../../validators/digits.ts'
import { isInternational } from '../../validators/phone-plans.ts'

const blankSet = charSet(' ,')
const extensionGapMax = 2
const extensionWordMax = 10
const extensionUnitsMax = 6
const extensionWords = ['x', 'ext', 'extn', 'extension', 'durchwahl', 'dw', 'poste', 'ramal']

const separatorSet = charSet(' -.()/')
/** The 15 digits of E.164, and what is dialled before them. */
export const digitsMax = 18

export interface Dialled {
  readonly digits: string
  readonly end: number
  readonly separators: number
}

/**
 * Reads digits with at most two separators between (`) `), up to the last digit or that of an extension (`x204`).
 * @param endsAtGap whether two blanks end it, as between columns
 */
export function dialled(text: string, from: number, endsAtGap = false): Dialled | undefined {
  let digits = ''
  let end = from
  let separators = 0
  let gap = 0
  for (let i = from; digits.length <= digitsMax; i++) {
    const code = text.charCodeAt(i)
    if (inSet(digitSet, code)) {
      if (gap > 0) separators++
      gap = 0
      digits += String.fromCharCode(code)
      end = i + 1
    } else if (code === 47 && digits.length >= wholeDigitsMin) break
    else if (endsAtGap && code === 32 && text.charCodeAt(i - 1) === 32) break
    else if (inSet(separatorSet, code) && gap < 2) gap++
    else break
  }
  // A number in binary: `00001011101`.
  if (digits.length > digitsMax || consistsOf(digits, 0, digits.length, binarySet)) return undefined
  if (digits.length >= extendedDigitsMin) end = extensionEnd(text, end)
  return inSet(wordSet, text.charCodeAt(end)) ? undefined : { digits, end, separators }
}
const binarySet = charSet('01')
const extendedDigitsMin = 7
/** Behind this many digits, a slash separates two numbers: `07700 869144/869145`. */
const wholeDigitsMin = 9

/** Whether a bracket closes between the digits that was not opened there. */
export function opensLate(text: string, start: number, end: number): boolean {
  const close = text.slice(start, end).indexOf(')')
  return close >= 0 && !text.slice(start, start + close).includes('(')
}

/** How far before and behind a line a diff is recognised, in code units. */
const diffUnitsMax = 512

/**
 * Whether the plus marks a line that a diff adds, and not a telephone number: another changed line is next to it, or
 * the head of a diff shortly before.
 */
export function isAddedLine(text: string, at: number): boolean {
  if (at > 0 && codeAt(text, at - 1) !== 10) return false
  const before = text.slice(Math.max(0, at - diffUnitsMax), at)
  if (before.startsWith('@@ ') || before.includes('\n@@ ')) return true
  const line = before.lastIndexOf('\n', before.length - 2)
  if (before !== '' && (line >= 0 || before.length === at) && isOfDiff(text, at - before.length + line + 1)) return true
  const after = text.slice(at, at + diffUnitsMax).indexOf('\n')
  return after > 0 && isOfDiff(text, at + after + 1)
}

function isOfDiff(text: string, line: number): boolean {
  if (text.startsWith('-', line)) return true
  return text.startsWith('+', line) && !isInternational(dialled(text, line + 1)?.digits ?? '')
}

/** Past an extension behind a number: `x204`, ` ext. 47`; `at` if there is none. */
function extensionEnd(text: string, at: number): number {
  const word = runEnd(text, at, blankSet, extensionGapMax)
  const wordEnd = runEnd(text, word, letterSet, extensionWordMax)
  if (wordEnd === word || !extensionWords.includes(text.slice(word, wordEnd).toLowerCase())) return at
  const dot = codeAt(text, wordEnd) === 46 ? wordEnd + 1 : wordEnd
  const from = codeAt(text, dot) === 32 ? dot + 1 : dot
  const end = runEnd(text, from, digitSet, extensionUnitsMax)
  return end > from ? end : at
}

/** Whether it is a version: dots throughout, and groups of any length: `16.15.419.4409`, `10.0.10586`. */
export function isVersion(text: string, start: number, end: number): boolean {
  let dots = 0
  let isEven = true
  let hasSingle = false
  for (let i = start, from = start; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 46
    if (inSet(digitSet, code)) continue
    if (code !== 46) return false
    if (i < end) dots++
    isEven &&= i - from === 2
    hasSingle ||= i - from === 1
    from = i + 1
  }
  return (dots === 3 && !isEven) || (dots === 2 && hasSingle)
}

/**
 * Whether it is a decimal: one dot, and before it one to three digits that do not begin with zero, `12.341369`, or behind
 * it one or two, `16028.3`.
 */
export function isDecimal(text: string, start: number, end: number): boolean {
  const dot = runEnd(text, start, digitSet, digitsMax)
  if (codeAt(text, dot) !== 46 || codeAt(text, start) === 48 || runEnd(text, dot + 1, digitSet, digitsMax) < end)
    return false
  return dot - start <= decimalUnitsMax || end - dot - 1 <= centsUnitsMax
}
const decimalUnitsMax = 3
const centsUnitsMax = 2

/** Whether it is an IPv4 address: `47.190.36.235`. */
export function isQuad(text: string, start: number, end: number): boolean {
  if (end - start > quadUnitsMax) return false
  const parts = text.slice(start, end).split('.')
  return parts.length === 4 && parts.every((part) => isDigits(part) && Number(part) < 256)
}
const quadUnitsMax = 15

/** Whether it is a date: `2016-06-02`, `02.06.2016`, `6/2/2016`. */
export function isDate(text: string, start: number, end: number): boolean {
  // A time of day continues behind its hours.
  if (codeAt(text, end) === 58 && inSet(digitSet, codeAt(text, end + 1))) return true
  return isYearFirst(text, start, end) || isYearLast(text, start, end)
}

function isYearFirst(text: string, start: number, end: number): boolean {
  if (end - start !== 10 || text.charCodeAt(start + 4) !== text.charCodeAt(start + 7)) return false
  const day = text.slice(start, start + 4) + text.slice(start + 5, start + 7) + text.slice(start + 8, end)
  return isDigits(day) && isYyyymmdd(day)
}

/** Whether it is a date with the year last. No numbering plan has groups of two, two and four. */
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

/** Whether only blanks, brackets and dashes stand between the digits: ranges have slashes, and versions dots. */
export function isSpaced(text: string, start: number, end: number): boolean {
  return consistsOf(text, start, end, spacedSet)
}
const spacedSet = charSet('0-9', ' ()-')
