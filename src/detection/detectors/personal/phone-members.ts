/**
 * Telephone numbers in a list that is the value of a name: `"phones": [{"type": "home", "number": "612..."}]`, and the
 * same in YAML, with a line for each.
 */
import {
  blankSet,
  charSet,
  codeAt,
  identifierSet,
  inSet,
  letterSet,
  runEnd,
  runStart,
  spaceSet,
  stringQuoteSet
} from '../../text/chars.ts'
import { chained, type Match } from '../../detector.ts'
import { WordSet } from '../../text/word-set.ts'
import { dialled, isDate, isVersion, type Dialled } from './phone-forms.ts'

/** The longest list that is read, and the most blanks in it. */
const listUnitsMax = 480
const blanksMax = 40
const membersMax = 12
const nameTailUnitsMax = 12
const keyUnitsMax = 20
const openBracket = 91
const closeBracket = 93
const dash = 45
const lineBreak = 10

const valueStartSet = charSet('0-9', '(')
const valueEndSet = charSet('"\',]}\r\n')
/** Names of members that hold the number, in lower case. */
const holders = new Set('number value phone phonenumber phone_number tel nummer numero valor val no nr'.split(' '))
/** The rest of a name of telephone numbers, in lower case. */
const tails = new WordSet([
  '',
  's',
  'number',
  'numbers',
  '_number',
  '_numbers',
  'list',
  '_list',
  'e',
  'nos',
  '_nos',
  'i',
  'es'
])

/**
 * The numbers in the list that is the value of the name ending at `nameTo`, as a chain.
 * @param isNumber whether a dialled number is a telephone number
 */
export function listedMembers(
  text: string,
  nameTo: number,
  isNumber: (text: string, at: number, read: Dialled) => boolean
): Match | undefined {
  const from = listStart(text, nameTo)
  if (from < 0) return undefined
  const isLines = text.charCodeAt(from) === dash
  const limit = Math.min(text.length, from + listUnitsMax)
  const found: Match[] = []
  let depth = 0
  for (let i = from; i < limit && found.length < membersMax; i++) {
    const code = text.charCodeAt(i)
    if (code === openBracket) depth++
    else if (code === closeBracket && --depth <= 0) break
    else if (isLines && code === lineBreak && endsLines(text, i + 1)) break
    else if (inSet(valueStartSet, code)) {
      const match = memberAt(text, i, isNumber)
      if (match !== undefined) found.push(match)
      i = pastValue(text, i) - 1
    }
  }
  return chained(found)
}

/** Where a list begins behind a name, at its bracket or its first dash; -1 if none does. */
function listStart(text: string, nameTo: number): number {
  const nameEnd = runEnd(text, nameTo, identifierSet, nameTailUnitsMax)
  const sign = inSet(stringQuoteSet, codeAt(text, nameEnd)) ? nameEnd + 1 : nameEnd
  if (codeAt(text, sign) !== 58 || !tails.stands(text, nameTo, nameEnd)) return -1
  const at = runEnd(text, sign + 1, spaceSet, blanksMax)
  if (codeAt(text, at) === openBracket) return at
  const isLine = codeAt(text, at) === dash && codeAt(text, at + 1) === 32
  return isLine && text.slice(sign, at).includes('\n') ? at : -1
}

/** Whether the line at `at` is not one of a list in YAML: it neither begins with a dash nor is it indented. */
function endsLines(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return code !== dash && !inSet(blankSet, code)
}

function pastValue(text: string, at: number): number {
  let i = at + 1
  while (i < text.length && i < at + blanksMax && !inSet(valueEndSet, text.charCodeAt(i))) i++
  return i
}

/** The number that is all of a member, or of a field that holds one. */
function memberAt(
  text: string,
  at: number,
  isNumber: (text: string, at: number, read: Dialled) => boolean
): Match | undefined {
  if (!isHeld(text, at)) return undefined
  const read = dialled(text, text.charCodeAt(at) === 40 ? at + 1 : at)
  if (read === undefined || !inSet(valueEndSet, codeAt(text, read.end))) return undefined
  if (isDate(text, at, read.end) || isVersion(text, at, read.end) || !isNumber(text, at, read)) return undefined
  return { start: at, end: read.end, confidence: 'strong', byContext: true }
}

/** Whether a value begins at `at` that is a member of the list itself, or whose name is one of {@link holders}. */
function isHeld(text: string, at: number): boolean {
  const quote = inSet(stringQuoteSet, codeAt(text, at - 1)) ? at - 1 : at
  const end = runStart(text, quote, spaceSet, blanksMax)
  const sign = codeAt(text, end - 1)
  if (sign !== 58) return sign === openBracket || sign === 44 || (sign === dash && end < quote)
  const keyEnd = inSet(stringQuoteSet, codeAt(text, end - 2)) ? end - 2 : end - 1
  const key = runStart(text, keyEnd, identifierSet, keyUnitsMax)
  return inSet(letterSet, codeAt(text, key)) && holders.has(text.slice(key, keyEnd).toLowerCase())
}
