/** Lines of documents and listings that may pass for one value: columns, rulers, years, words, genotypes. */
import { codeAt, consistsOf, digitSet, inSet, letterSet, lowerSet } from '../text/chars.ts'

/** Whether the line in `[start, end)`, which has no blanks at its ends, is printed for its own sake. */
export function isPrinted(text: string, start: number, end: number): boolean {
  return (
    isSpread(text, start, end) || isRuler(text, start, end) || endsInYear(text, end) || hasOtherPart(text, start, end)
  )
}

/** Whether blanks align the line with others: three between two parts, or two where no other blanks are. */
function isSpread(text: string, start: number, end: number): boolean {
  let gaps = 0
  let widest = 0
  for (let i = start; i < end; i++) {
    if (text.charCodeAt(i) !== 32) continue
    const from = i
    while (text.charCodeAt(i + 1) === 32) i++
    gaps++
    widest = Math.max(widest, i + 1 - from)
  }
  return widest > 2 || (widest === 2 && gaps === 1)
}

/** Whether all digits count up from zero, or ten from one, as above columns of characters: `0123456789`, `1234567890`. */
function isRuler(text: string, start: number, end: number): boolean {
  const first = codeAt(text, start) - 48
  if (first > 1 || (first === 1 && end !== start + decade)) return false
  let count = 0
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (inSet(letterSet, code) || (inSet(digitSet, code) && code - 48 !== (first + count++) % 10)) return false
  }
  return first === 0 ? count >= rulerDigitsMin : count === decade
}
const rulerDigitsMin = 8
const decade = 10

/** Whether a year in brackets ends the line, as behind the pages of a volume: `749-758 (2011)`. */
function endsInYear(text: string, end: number): boolean {
  const from = end - '(2011)'.length
  if (codeAt(text, from) !== 40 || codeAt(text, end - 1) !== 41) return false
  return text.startsWith('19', from + 1) || text.startsWith('20', from + 1)
}

/** Whether a part of the line belongs to no value: a word in lower-case letters (`23009 goto 23008`), a genotype (`3258449 0/1`). */
function hasOtherPart(text: string, start: number, end: number): boolean {
  for (let at = start; at < end;) {
    let to = at
    while (to < end && text.charCodeAt(to) !== 32) to++
    if (to - at >= wordUnitsMin && at > start && consistsOf(text, at, to, lowerSet)) return true
    if (to - at === 3 && codeAt(text, at + 1) === 47) return true
    at = to + 1
  }
  return false
}
const wordUnitsMin = 3
