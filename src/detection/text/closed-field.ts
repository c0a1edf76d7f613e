/** Recognises fields that have a value of their own, so that their names say nothing about the next value. */
import {
  allBut,
  backslashSet,
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  digitSet,
  foldCode,
  inSet,
  nameSet,
  quoteSet,
  runEnd,
  runStart,
  spaceSet,
  stringQuoteSet
} from './chars.ts'
import { holders } from './labelled-fields.ts'
import { WordList } from './word-list.ts'

/** Whether the word that ends at `wordEnd` belongs to another value than the one at `at`. */
export function isOfOther(text: string, wordEnd: number, at: number): boolean {
  return isCell(text, wordEnd, at) || isInTextCell(text, wordEnd, at) || isOfOtherString(text, wordEnd, at)
}

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
  const i = runEnd(text, from, backslashSet, 4)
  return inSet(stringQuoteSet, codeAt(text, i)) ? i + 1 : from
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
  return assignmentsIn(text, from, to) > 0
}

function assignmentsIn(text: string, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 58 || text.charCodeAt(i) === 61) count++
  return count
}

const tokenSet = allBut(' \t\r\n"\'`,;<>')
const tokenUnitsMax = 64
/** What the field is called whose name another field tells: `"type": "ssn", "country": "US", "value": ...`. */
const valueNames = [
  ...holders,
  ...['number', 'num', 'no', 'nr', 'id', 'code', 'identifier', 'input', 'entry', 'response', 'reply', 'arg', 'cell'],
  ...['default', 'example', 'after', 'new']
]

/**
 * Whether the word is in a string that ends before the field in which the value stands, and says nothing about it: part
 * of an address (`"url": "/docs/passport_5535.html", "t": 1331...`), or with other fields between
 * (`type="cc", bw=8, seed=2026...`). A field called value or the like may be named by one before.
 */
function isOfOtherString(text: string, wordEnd: number, at: number): boolean {
  // Some words end with the quote that closes them.
  const from = inSet(quoteSet, codeAt(text, wordEnd - 1)) ? wordEnd - 1 : wordEnd
  const end = runEnd(text, from, tokenSet, tokenUnitsMax)
  if (end >= at || !inSet(quoteSet, codeAt(text, end))) return false
  const sign = runEnd(text, end + 1, blankSet, blanksMax)
  if (!inSet(endSet, codeAt(text, sign))) return false
  const fields = assignmentsIn(text, sign, at)
  if (fields === 0 || (fields === 1 && !isAddress(text, from, end))) return false
  return !isValueName(text, at)
}

function isAddress(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 46 || text.charCodeAt(i) === 47) return true
  return false
}

/** Whether the name before the value at `at` ends in one that another field explains. */
function isValueName(text: string, at: number): boolean {
  let end = at
  while (end > at - blanksMax && inSet(beforeValueSet, codeAt(text, end - 1))) end--
  return valueNames.some((name) => {
    for (let i = 1; i <= name.length; i++)
      if (foldCode(codeAt(text, end - i)) !== name.charCodeAt(name.length - i)) return false
    return true
  })
}
const beforeValueSet = charSet(' \t:="\'`\\')

const cellSet = charSet(',;|\t')
/** A longer cell describes something; the name of a value is shorter. */
const labelUnitsMax = 32
const cellUnitsMax = 160

/**
 * Whether a word is in a cell that describes something, and the value is all of the next cell of that row:
 * `8483.30,BRONZES DE METAL ANTIFRICCAO/METAL PATENTE,84833020`. The first cell of a row may be a question or a sentence,
 * and others may ask for the value: `7,Social security number of the insured person,536...`.
 */
function isInTextCell(text: string, wordEnd: number, at: number): boolean {
  const quotes = inSet(stringQuoteSet, codeAt(text, at - 1)) ? 1 : 0
  const separator = at - 1 - quotes
  if (separator < wordEnd || !inSet(cellSet, codeAt(text, separator))) return false
  if (!consistsOf(text, wordEnd, separator, betweenCellsSet)) return false
  const from = runStart(text, separator, inCellSet, cellUnitsMax)
  if (separator - from <= labelUnitsMax || from === 0 || !inSet(cellSet, codeAt(text, from - 1))) return false
  return !askingWords.standsIn(text, from, separator)
}
/** Words of questions and labels that ask somebody for a number, and of no description. */
const askingWords = new WordList([
  ...['number', 'nummer', 'numer', 'número', 'numéro', 'номер', ' no.', ' nr.', 'date', 'datum', 'fecha'],
  ...['your', 'ihre', 'deine', 'votre', 'vostr', ' tuo ', ' tua ', ' seu ', ' sua ', ' tu ', ' su ', ' uw ', ' je ']
])
const inCellSet = allBut(',;|\t\r\n')
const betweenCellsSet = allBut(',;|\t\r\n:=')

const tailSet = charSet('sS', '0-9')
const tailUnitsMax = 6
const otherSet = charSet('()[]{}:="\'')

/**
 * Whether a word is itself a value, or part of one, and names nothing: a cell of the same row (`CIN,NL,arroybr01,10125000`,
 * `Crim Use of Personal ID Info,1,16000286`) or of the row before (`3,BSN,0\n3,50175579`, `BSN,Ed Head\n19460430`), or part of
 * a file name in a URL (`favicon.ico?v=1664051059`).
 */
function isCell(text: string, wordEnd: number, at: number): boolean {
  if (codeAt(text, wordEnd) === 63) return true
  // A plural and a number are part of the cell.
  const tail = runEnd(text, wordEnd, tailSet, tailUnitsMax)
  const cell = inSet(cellSet, codeAt(text, tail)) ? tail : runEnd(text, tail, inCellSet, labelUnitsMax)
  const sign = codeAt(text, cell)
  // Behind a comma of a sentence there is a blank.
  const isTight = inSet(cellSet, sign) && !inSet(spaceSet, codeAt(text, cell + 1))
  if (!isTight && (cell > tail || !inSet(cellSet, sign))) return false
  let cells = 0
  for (let i = wordEnd; i < at; i++) {
    const code = text.charCodeAt(i)
    if (inSet(otherSet, code)) return false
    if (code === sign) cells++
    else if (code === 10 && isTight && cells > 0) return isOfRow(text, i + 1, at, sign)
  }
  return cells > 1
}

/**
 * Whether the value at `at`, on the line from `from` on, is in a row with this separator. None is in
 * `my SSN,thanks\n536...`.
 */
function isOfRow(text: string, from: number, at: number, sign: number): boolean {
  for (let i = from; i < at; i++) if (text.charCodeAt(i) === sign) return true
  return codeAt(text, runEnd(text, at, inCellSet, labelUnitsMax)) === sign
}
