/** Where the value stands that a vendor's name announces: on its line, or on the next one. */
import { blockDefaultEnd } from '../assignments/language-constructs.ts'
import { skipSpace, valueLabelEnd } from '../assignments/lexing.ts'
import { base62Set, charSet, type CharSet, codeAt, digitSet, inSet, runEnd } from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'
import { WordList } from '../text/word-list.ts'

/** How far behind its name a value may begin, in code units. */
const gapUnitsMax = 64
/** How far before the vendor's name a word such as `key` or `token` may begin: `apiKeyForTwilio`, `token of twilio`. */
export const leadUnitsMax = 24

/** Words for what a key is called. */
export const keyWords = ['key', 'token', 'secret', 'pass', 'pwd', 'auth', 'cred', 'api', 'bearer', 'login']
export const keyWordList = new WordList(keyWords)

/** A blank of HTML, as copied from a page: `API key:&nbsp;...`. */
const noBreakSpace = '&nbsp;'

/**
 * Where the value behind a name begins: at the first run of at least `min` characters on the same line. It may be on
 * the next line if this line ends in an operator or an opening bracket, or the next one begins with the name of a key or
 * the word `value`; and on any line of a block of Terraform that declares a variable of this name.
 * A value that is assigned to the name itself ends the search, so that the neighbour's value in
 * `DATADOG_SITE=eu, build=...` is not taken for a Datadog key.
 * @param form the alphabet of the value together with that of names, and the least code units of the value
 * @returns -1 if there is none
 */
export function valueStart(
  text: string,
  from: number,
  { wide, min }: { readonly wide: CharSet; readonly min: number },
  textNumber: number
): number {
  let limit = Math.min(text.length, from + gapUnitsMax)
  let assignedBy = 0
  let words = 0
  let lines = 0
  let last = 0
  let i = nameTail(text, from, min, textNumber)
  while (i < limit) {
    const code = text.charCodeAt(i)
    if (inSet(wide, code)) {
      const end = runEnd(text, i, wide, min)
      if (end - i >= min) return isReferred(text, i) ? -1 : i
      if (assignedBy !== 0 && (++words > 2 || endsValue(codeAt(text, end)))) return -1
      i = end
      last = 0
      continue
    }
    if (code === 38 && text.startsWith(noBreakSpace, i)) {
      i += noBreakSpace.length
      continue
    }
    const breaks = code === 10 || (code === 92 && codeAt(text, i + 1) === 110)
    if (code === 59 || (code === 38 && !isStringType(text, i))) return -1
    if (breaks && (++lines > 1 || !(announces(last) || namesKey(text, i) || labelsValue(text, i)))) return -1
    if (code === 123 && text.startsWith('" ', i - 2)) {
      const value = blockDefaultEnd(text, i)
      if (value >= 0) {
        i = value
        limit = Math.min(text.length, i + gapUnitsMax)
        assignedBy = 61
        continue
      }
    }
    if (code === 61 && assignedBy === 61 && words > 0) return -1
    if (code === 61 || code === 58) assignedBy = code
    if (opens(code)) assignedBy = words = 0
    if (code > 32) last = code
    i += breaks && code === 92 ? 2 : 1
  }
  return -1
}

/**
 * The end of the identifier that the vendor's name is part of, up to a segment that is long enough, or has digits, to
 * be a value glued to it.
 */
function nameTail(text: string, from: number, min: number, textNumber: number): number {
  let i = from
  while (i < from + gapUnitsMax) {
    const part = inSet(joinSet, codeAt(text, i)) ? i + 1 : i
    const limit = Math.min(text.length, part + gapUnitsMax)
    const end = partEnd.at(text, part, limit, textNumber)
    if (end === part) return i
    if (Math.max(nextDigit.at(text, part, end, textNumber), part + min - 1) < end) return part
    i = end
  }
  return i
}

/** Finds the end of a segment of an identifier. */
const partEnd = new NextOf(base62Set, 'notIn')
const nextDigit = new NextOf(digitSet)

const joinSet = charSet('_.-')

/**
 * Whether this character behind an assigned word shows that the word was the whole value: a quote, a comma, a closing
 * bracket, a line break.
 */
function endsValue(code: number): boolean {
  return code === 34 || code === 39 || code === 96 || code === 44 || code === 93 || code === 125 || code === 10
}

/**
 * Whether the value is part of a path, a version behind `@`, or a variable behind `$` or `${`, and so the name of
 * something.
 */
function isReferred(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return before === 47 || before === 64 || before === 36 || (before === 123 && codeAt(text, at - 2) === 36)
}

/** Whether the next line begins with the name of a key, as `API_KEY = ...` below `# Heroku`. */
function namesKey(text: string, lineEnd: number): boolean {
  return keyWordList.standsIn(text, lineEnd, lineEnd + leadUnitsMax)
}

/** Whether the next line is the value of a pair, as in YAML lists of variables: `name: API_KEY`, `value: ...`. */
function labelsValue(text: string, lineEnd: number): boolean {
  return valueLabelEnd(text, skipSpace(text, codeAt(text, lineEnd) === 92 ? lineEnd + 2 : lineEnd)) >= 0
}

/** Whether the `&` belongs to a type of Rust, rather than separating parameters: `API_KEY: &str = ...`. */
function isStringType(text: string, at: number): boolean {
  return text.startsWith('str', at + 1) || text.startsWith("'static str", at + 1)
}

/** Whether a line whose last character this is continues on the next line. */
function announces(code: number): boolean {
  return code === 62 || code === 58 || code === 61 || code === 123 || code === 40 || code === 91 || code === 44
}

/** Whether an assignment continues inside of a bracket that this character opens: an object, a call, an element. */
function opens(code: number): boolean {
  return code === 123 || code === 40 || code === 91 || code === 62
}
