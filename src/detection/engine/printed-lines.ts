/** Lines of documents and listings that may pass for one value: columns, rulers, years, words, genotypes, places. */
import {
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  inSet,
  letterSet,
  lowerSet,
  placeOf,
  runEnd
} from '../text/chars.ts'

/** Whether the line in `[start, end)`, which has no blanks at its ends, is printed for its own sake. */
export function isPrinted(text: string, start: number, end: number): boolean {
  return (
    isSpread(text, start, end) ||
    isRuler(text, start, end) ||
    endsInYear(text, end) ||
    hasOtherPart(text, start, end) ||
    isPlace(text, start, end) ||
    isMolecule(text, start, end)
  )
}

/** Whether it begins with a letter and has two brackets: `CC(c(c)c)C -140`. A telephone number may have two as well. */
function isMolecule(text: string, start: number, end: number): boolean {
  return inSet(letterSet, codeAt(text, start)) && countOf(text, start, end, openSet) > 1
}
const openSet = charSet('(')

/**
 * Whether the line is a place on a map or a chromosome: two round numbers (`300000 400000`), several of few digits of which
 * the first has a sign (`-111 50`), or numbers behind a chromosome (`chr1 95 100`).
 */
function isPlace(text: string, start: number, end: number): boolean {
  const blank = placeOf(text, 32, start, end - start)
  if (blank < 0) return false
  const first = codeAt(text, start)
  // More digits are a number behind the mark of a list item.
  if (first === 45)
    return inSet(digitSet, codeAt(text, start + 1)) && countOf(text, start, end, digitSet) <= placeDigitsMax
  if (inSet(digitSet, first))
    return isRound(text, blank) && isRound(text, end) && runEnd(text, blank + 1, digitSet, end - blank) === end
  const number = start + chromosome.length
  return text.startsWith(chromosome, start) && runEnd(text, number, digitSet, blank - number) === blank
}
const placeDigitsMax = 7
const chromosome = 'chr'

function isRound(text: string, to: number): boolean {
  return text.startsWith('000', to - 3)
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
