/** Recognises fields that have a value of their own, so that their names say nothing about the next value. */
import { blankSet, charSet, codeAt, digitSet, inSet, runEnd } from './chars.ts'

const nameSet = charSet('A-Z', 'a-z', '0-9', '_-')
const quoteSet = charSet('"\'')
const escapeSet = charSet('\\')
const numberSet = charSet('0-9', ' ./-')
const endSet = charSet(',;}\r\n')
const nameUnitsMax = 24
const blanksMax = 8
const numberUnitsMax = 32
const nothings = ['null', 'none', 'nil', 'undefined', 'true', 'false', '{}', '[]']

/**
 * Whether the name that ends with a word already has its value before `at`, where another name's value stands:
 * `"ssn": null, "amount": 512...`. Only numbers, booleans, null and empty strings close a field. Words may refer to the
 * next field: `"type": "ssn", "value": ...`.
 */
export function closesField(text: string, wordEnd: number, at: number): boolean {
  let i = quoteEnd(text, runEnd(text, wordEnd, nameSet, nameUnitsMax))
  i = runEnd(text, i, blankSet, blanksMax)
  const sign = codeAt(text, i)
  if (sign !== 58 && sign !== 61) return false
  i = runEnd(text, i + (codeAt(text, i + 1) === 62 ? 2 : 1), blankSet, blanksMax)
  const end = runEnd(text, valueEnd(text, i), blankSet, blanksMax)
  return end > i && end < at && inSet(endSet, codeAt(text, end)) && assigns(text, end, at)
}

/** Past a quote, escaped or not. */
function quoteEnd(text: string, from: number): number {
  const i = runEnd(text, from, escapeSet, 4)
  return inSet(quoteSet, codeAt(text, i)) ? i + 1 : from
}

/** Past a number, quoted or not, an empty string, or a word for nothing; `from` if there is none of these. */
function valueEnd(text: string, from: number): number {
  const start = quoteEnd(text, from)
  const end = runEnd(text, start, numberSet, numberUnitsMax)
  if (start > from) {
    const close = quoteEnd(text, end)
    return close > end && (end === start || inSet(digitSet, codeAt(text, start))) ? close : from
  }
  if (inSet(digitSet, codeAt(text, from))) return end
  const word = text.slice(from, from + 9).toLowerCase()
  const nothing = nothings.find((one) => word.startsWith(one))
  return nothing === undefined ? from : from + nothing.length
}

/** Whether a name is given a value between two places. */
function assigns(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 58 || text.charCodeAt(i) === 61) return true
  return false
}

const cellSet = charSet(',;|\t')
const tailSet = charSet('sS', '0-9')
const tailUnitsMax = 6
const otherSet = charSet('()[]{}:="\'')

/**
 * Whether a word is itself a value and names nothing: a cell of the same row (`CIN,NL,arroybr01,10125000`) or of the row
 * before (`3,BSN,0\n3,50175579`), or part of a file name in a URL (`favicon.ico?v=1664051059`).
 */
export function isCell(text: string, wordEnd: number, at: number): boolean {
  if (codeAt(text, wordEnd) === 63) return true
  // A plural and a number are part of the cell.
  const sign = codeAt(text, runEnd(text, wordEnd, tailSet, tailUnitsMax))
  if (!inSet(cellSet, sign)) return false
  let cells = 0
  for (let i = wordEnd; i < at; i++) {
    const code = text.charCodeAt(i)
    if (inSet(otherSet, code)) return false
    if (code === sign) cells++
  }
  return cells > 1
}
