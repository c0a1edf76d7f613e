/**
 * Names and values as members of one object or lines of one list: `"name": "DB_PASSWORD", "value": "..."`,
 * `"db.password": {"value": "..."}`, `3) "password"` above `4) "..."`.
 */
import {
  beforeNext,
  blankSet,
  charSet,
  codeAt,
  digitSet,
  dottedNameSet,
  identifierSet,
  inSet,
  lineBreakSet,
  lowerSet,
  quoteSet,
  runEnd,
  runStart,
  upperDigitSet,
  upperSet,
  wordEndIn,
  wordSet
} from '../text/chars.ts'
import { skipBlanks, skipSpace, valueLabelEnd, isAddedLine } from './lexing.ts'

const membersMax = 5
const membersUnitsMax = 320
/** Characters of members that are numbers, booleans or null. */
const literalSet = charSet('A-Z', 'a-z', '0-9', '_.+-')
const labelUnitsMax = 40
const pathUnitsMax = 96

/** Labels of the member that holds the name. */
const nameLabels = ['name', 'key', 'label', 'id', 'variable', 'field', 'keyname', 'secretname', 'parameter']

/**
 * Past the `"value":` of the object whose name is the quoted text: `"name": "...", "type": "...", "value":`.
 * @param nameFrom where the name, or its last part, begins
 * @param from behind the comma that follows the name
 * @returns -1 if the following members include no value, or it is not a name
 */
export function siblingValueEnd(text: string, nameFrom: number, from: number): number {
  const quote = runStart(text, nameFrom, pathSet, pathUnitsMax) - 1
  if (!inSet(quoteSet, codeAt(text, quote))) return -1
  let colon = quote - 1
  while (colon > quote - 4 && codeAt(text, colon) === 32) colon--
  if (codeAt(text, colon) !== 58 || !inSet(quoteSet, codeAt(text, colon - 1))) return -1
  const label = runStart(text, colon - 1, identifierSet, labelUnitsMax)
  if (!nameLabels.includes(text.slice(label, colon - 1).toLowerCase())) return -1
  return memberEnd(text, from)
}
const pathSet = charSet('A-Z', 'a-z', '0-9', '_./:-')

/** Past the `"value":` of the object that opens at `at`; -1 if it has none. */
export function memberValueEnd(text: string, at: number): number {
  return memberEnd(text, at + 1)
}

/** Past the label of the member that holds the value, over members that are not objects; -1 if there is none. */
function memberEnd(text: string, from: number): number {
  const limit = from + membersUnitsMax
  let i = skipSpace(text, from)
  for (let members = 0; members <= membersMax && i < limit; members++) {
    const label = valueLabelEnd(text, i)
    if (label >= 0) return text.slice(i, label).toLowerCase().includes('value') ? label : -1
    i = pastMember(text, i)
    if (i < 0) return -1
    i = skipSpace(text, i)
  }
  return -1
}

/** Past a member and the comma behind it; -1 if it is not a member, or contains others. */
function pastMember(text: string, at: number): number {
  const name = pastText(text, at)
  if (name < 0) return -1
  const colon = skipBlanks(text, name)
  if (codeAt(text, colon) !== 58) return -1
  const from = skipBlanks(text, colon + 1)
  const code = codeAt(text, from)
  const isEmpty = (code === 123 && codeAt(text, from + 1) === 125) || (code === 91 && codeAt(text, from + 1) === 93)
  const end = isEmpty ? from + 2 : inSet(quoteSet, code) ? pastText(text, from) : runEnd(text, from, literalSet, 40)
  if (end <= from) return -1
  const comma = skipBlanks(text, end)
  return codeAt(text, comma) === 44 ? comma + 1 : -1
}

/** Past a quoted text without escapes on one line; -1 if there is none. */
function pastText(text: string, at: number): number {
  const quote = codeAt(text, at)
  if (!inSet(quoteSet, quote)) return -1
  const limit = Math.min(text.length, at + membersUnitsMax)
  for (let i = at + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) return i + 1
    if (code === 10 || code === 92) return -1
  }
  return -1
}

/**
 * Past the `value:` on the line below `name: DB_PASSWORD`, as in YAML lists of variables, or the `value =` below
 * `name = "DB_PASSWORD"`, as in blocks of Terraform.
 * @param nameFrom where the name begins, without a quote
 * @param at the end of its line
 */
export function lineValueLabelEnd(text: string, nameFrom: number, at: number): number {
  let before = nameFrom
  while (before > 0 && codeAt(text, before - 1) === 32 && nameFrom - before < nameGapMax) before--
  const sign = codeAt(text, before - 1)
  const isLabelled = sign === 58 || (sign === 61 && labelsName(text, before - 1))
  return isLabelled ? valueLabelEnd(text, skipSpace(text, at)) : -1
}

/** Whether the word before the sign at `sign` is `name`, so that what follows is none of a thing with an id. */
function labelsName(text: string, sign: number): boolean {
  const end = runStart(text, sign, blankSet, nameGapMax)
  return text.startsWith('name', end - 4) && !inSet(wordSet, codeAt(text, end - 5))
}
/** The most units of a name and the blanks before it. */
const nameGapMax = 80

/**
 * Past the number of the next line in a list that a Redis client prints, if the name is an entry of it:
 * `3) "password"`.
 * @param quoteAt the quote before the name
 * @param at the end of its line
 * @returns where the quote of the next entry stands; -1 if it is not such a list
 */
export function nextListedText(text: string, quoteAt: number, at: number): number {
  if (codeAt(text, quoteAt - 1) !== 32 || codeAt(text, quoteAt - 2) !== 41) return -1
  if (!inSet(digitSet, codeAt(text, quoteAt - 3))) return -1
  const line = skipSpace(text, at)
  const number = runEnd(text, line, digitSet, 7)
  if (number === line || codeAt(text, number) !== 41 || codeAt(text, number + 1) !== 32) return -1
  return codeAt(text, number + 2) === 34 ? number + 2 : -1
}

/**
 * Past the mark of the next list item, if the name is an option and an item of its own: `- --password`.
 * @param at the end of its line
 * @returns -1 if there is none
 */
export function nextItemStart(text: string, nameFrom: number, at: number): number {
  if (codeAt(text, nameFrom) !== 45) return -1
  const item = inSet(quoteSet, codeAt(text, nameFrom - 1)) ? nameFrom - 1 : nameFrom
  const mark = runStart(text, item, blankSet, itemBlanksMax) - 1
  if (mark === item - 1 || codeAt(text, mark) !== 45) return -1
  const line = runStart(text, mark, blankSet, indentMax)
  const isAdded = isAddedLine(text, line)
  if (!isAdded && !beginsLine(text, mark)) return -1
  const from = codeAt(text, at) === 13 ? at + 2 : at + 1
  if (isAdded && codeAt(text, from) !== 43) return -1
  const next = isAdded ? from + 1 : from
  const nextMark = runEnd(text, next, blankSet, indentMax)
  if (nextMark - next !== mark - line || codeAt(text, nextMark) !== 45 || codeAt(text, nextMark + 1) !== 32) return -1
  const value = skipBlanks(text, nextMark + 2)
  return codeAt(text, value) === 45 ? -1 : value
}
const itemBlanksMax = 4

/** Where the content of a multipart field begins: behind `form-data; name="password"` and an empty line; otherwise -1. */
export function partContentStart(text: string, quoteAt: number, at: number): number {
  if (!text.startsWith(' name=', quoteAt - 6)) return -1
  const first = codeAt(text, at) === 13 ? at + 2 : at + 1
  const second = codeAt(text, first) === 13 ? first + 2 : first + 1
  return codeAt(text, first - 1) === 10 && codeAt(text, second - 1) === 10 && second - at <= 4 ? second : -1
}

const columnBlanksMin = 2

/**
 * Whether a name begins its line and a single word behind it ends it: the columns in which programs print settings, and
 * the lines of settings files without a sign between (`remote_password X`). There a single blank suffices behind a name
 * of several words, which begins no sentence.
 */
export function standsInColumn(text: string, nameFrom: number, nameTo: number, at: number): boolean {
  if (at - nameTo < columnBlanksMin && codeAt(text, nameTo) !== 9)
    return isCompound(text, nameFrom, nameTo) && beginsLine(text, nameFrom) && isSetTo(text, at)
  // `[name] value`, as in notes.
  const isFramed = codeAt(text, nameTo) === 93 && codeAt(text, nameFrom - 1) === 91
  // `orders:dbPassword`, `/prod/db/password`: the name may be the last part of a path.
  const from = isFramed ? nameFrom - 1 : runStart(text, nameFrom, placeSet, keyUnitsMax)
  if (!inSet(wordSet, codeAt(text, nameTo - 1)) || !beginsLine(text, from)) return false
  const end = runWord(text, at)
  return endsLineAt(text, end) || (isVariable(text, nameFrom, nameTo) && text.startsWith('  ', end))
}

/** Whether what ends the line at `at` is a value, and no word or sentence. */
function isSetTo(text: string, at: number): boolean {
  const word = runEnd(text, at, lowerSet, wordUnitsMax)
  return !inSet(wordEndSet, codeAt(text, word)) && endsLineAt(text, runWord(text, at))
}
const wordEndSet = charSet(' \n,.')

/** Whether a name joins words with underscores, dashes or capitals. */
function isCompound(text: string, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === 95 || code === 45 || (inSet(upperSet, code) && inSet(lowerSet, text.charCodeAt(i - 1)))) return true
  }
  return false
}

/** Whether it is the name of an environment variable. Further columns may follow its value. */
function isVariable(text: string, from: number, to: number): boolean {
  let parts = 1
  for (let i = from; i < to; i++) {
    if (text.charCodeAt(i) === 95) parts++
    else if (!inSet(upperDigitSet, text.charCodeAt(i))) return false
  }
  return parts > 1
}

/** Where the dotted key begins that continues at `at`: `mail.password`. */
export function keyStart(text: string, at: number): number {
  return runStart(text, at, dottedNameSet, keyUnitsMax)
}
const placeSet = charSet('A-Z', 'a-z', '0-9', '_.-:/')
const keyUnitsMax = 48

/** Whether only blanks precede on the line, or behind the quote that opens the text. */
export function beginsLine(text: string, at: number): boolean {
  const line = runStart(text, at, blankSet, indentMax)
  const before = codeAt(text, line - 1)
  return line === 0 || before === 10 || inSet(quoteSet, before)
}
const indentMax = 24

/** Whether the key with the name that starts at `at` fills the first cell of a row: `|api_key|`. */
export function beginsRow(text: string, at: number): boolean {
  const bar = runStart(text, keyStart(text, at), blankSet, indentMax) - 1
  return codeAt(text, bar) === 124 && beginsLine(text, bar)
}

/** Whether the name that starts at `start` is a member, and not the end of a key that fills a cell. */
export function isMember(text: string, start: number): boolean {
  if (!inSet(memberSet, codeAt(text, start - 1))) return false
  const key = keyStart(text, start)
  if (codeAt(text, start - 1) !== 46 || codeAt(text, key) === 46) return true
  if (codeAt(text, key - 1) !== 32) return codeAt(text, key - 1) !== 124
  const before = codeAt(text, key - 2)
  // A row of a table may begin with a bar, and in psql with a blank.
  return before !== 124 && before !== 10
}
const memberSet = charSet('.$')

/** Whether the line ends there, perhaps behind blanks. */
export function endsLineAt(text: string, at: number): boolean {
  const code = codeAt(text, skipBlanks(text, at))
  return code === 10 || code === 13 || code === 0
}

/** Whether the character before `end` belongs to a word diff: `[-name: value-]{+name: value+}`. */
export function marksChange(text: string, nameFrom: number, end: number): boolean {
  const sign = codeAt(text, end - 1)
  // A dash was read as part of the name.
  if (sign === 45) return codeAt(text, end) === 93 && codeAt(text, nameFrom) === 45 && codeAt(text, nameFrom - 1) === 91
  return sign === 43 && codeAt(text, end) === 125 && text.startsWith('{+', nameFrom - 2)
}

/** Past a rule of dashes, as some documentation of settings has one below each name; `at` if there is none. */
export function ruleEnd(text: string, at: number): number {
  const end = runEnd(text, at, dashSet, 80)
  return end - at >= 3 && codeAt(text, end) === 10 ? end + 1 : at
}
const dashSet = charSet('-')

/** Where the line ends, within the longest value. */
export function lineEnd(text: string, at: number): number {
  return beforeNext(text, at, lineBreakSet, wordUnitsMax)
}
/** The longest value of a word or line, in code units. */
export const wordUnitsMax = 512

/** The end of a run without blanks. */
export function runWord(text: string, at: number): number {
  return wordEndIn(text, at, Math.min(text.length, at + wordUnitsMax))
}
