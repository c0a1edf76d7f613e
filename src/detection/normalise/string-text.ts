/**
 * Text within a string of another text: a file in a JSON field, a log record, a notebook cell, the `repr` of a Python
 * object. Its line breaks and quotes are escapes; it is scanned again as what it means.
 *
 * Source of facts: RFC 8259 section 7; ECMA-262 section 12.9.4; the Python reference, section 2.4.1 (string literals);
 * YAML 1.2 section 7.3.1 (lines of a string in double quotes).
 */
import {
  allBut,
  base64Set,
  blankSet,
  charSet,
  codeAt,
  dottedNameSet,
  hexSet,
  inSet,
  runEnd,
  runStart,
  wordSet
} from '../text/chars.ts'
import { wrappedUnitsMin } from './encoded-run.ts'
import { hexAt, newlineEnd } from './escapes.ts'
import { DecodedText } from './decoded-text.ts'

/** The longest part of a string that is read in one go. The next part begins a little before its end. */
const partUnitsMax = 16_384
const overlapUnits = 2048
/** How far before an escape the opening quote of its string may stand, in code units. */
const headUnitsMax = 2048
const backslashesMax = 16
const betweenUnitsMax = 64
const escapesMax = 16
const lastLineUnitsMin = 20
const indentMax = 40
/** What follows the text of a log record, and what precedes it. */
const recordUnitsMax = 200
const recordHeadMax = 64

const backslash = 92
const doubleQuote = 34
const singleQuote = 39
const colon = 58
const dash = 45
/** Characters before the opening quote of a string, apart from a prefix letter. */
const openerSet = charSet(' \t\n\r:=,([{<>|+&?!$;')
const prefixSet = charSet('bfuLBFUE@')
/** Characters between two strings that are concatenated. */
const betweenSet = charSet(' \t\r\n,+.\\')
const breakSet = charSet('nr')

/** Where the content of a string begins, and the quote that ends it. */
interface Opening {
  readonly from: number
  readonly quote: number
}

/** Finds the strings around escapes, which are reported in the order of their places. */
export class StringReader {
  readonly #text: string
  /** Escapes before this place were read, or are not in a string. */
  #seenTo = 0
  /** The quote of the string that continues there because it was too long for one part; otherwise 0. */
  #openQuote = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the string around the escape at `at`, or its next part; undefined if there is none, or it was read already. */
  read(at: number): DecodedText | undefined {
    const text = this.#text
    if (at < this.#seenTo || !holdsMore(text, at)) return undefined
    const opening = openingBefore(text, at, this.#seenTo, this.#openQuote)
    this.#seenTo = at + 1
    this.#openQuote = 0
    if (opening === undefined) return undefined
    const nested = new StringText(text, opening)
    if (nested.end <= at) return undefined
    this.#seenTo = nested.end
    if (nested.isCut) this.#openQuote = opening.quote
    return nested
  }
}

/** Whether the string continues behind the escapes that begin at `at`: most escaped line breaks end one. */
function holdsMore(text: string, at: number): boolean {
  let i = at
  while (i - at < escapesMax && codeAt(text, i) === backslash && inSet(breakSet, codeAt(text, i + 1))) i += 2
  if (i === at || isWrapped(text, at, i)) return i === at
  const code = codeAt(text, i)
  if (code === doubleQuote || code === singleQuote) return nextPiece(text, i, code) > 0 || nextRecord(text, i) > 0
  return code > 13 && code !== 96
}

/** Whether the line breaks in `[at, end)` separate lines of base64, such as those of a picture. */
function isWrapped(text: string, at: number, end: number): boolean {
  if (runEnd(text, end, base64Set, wrappedUnitsMin) - end < lastLineUnitsMin) return false
  return at - runStart(text, at, base64Set, wrappedUnitsMin) === wrappedUnitsMin
}

/**
 * The string around `at`, or its line if no string is open: a fragment of JSON, a row of a dump, a value in a
 * properties file.
 * @param seenTo nothing before it opens a string
 * @param openQuote the quote of the string that is open there; 0 for none
 */
function openingBefore(text: string, at: number, seenTo: number, openQuote: number): Opening | undefined {
  const limit = Math.max(seenTo, at - headUnitsMax)
  let single = -1
  let closed = 0
  let i = at - 1
  for (; i >= limit && text.charCodeAt(i) !== 10; i--) {
    const code = text.charCodeAt(i)
    if ((code !== doubleQuote && code !== singleQuote) || isEscaped(text, i)) continue
    const opens = opensString(text, i)
    if (code === singleQuote) {
      if (opens && single < 0) single = i
    } else if (!opens) closed++
    // Within a string in the other quotes.
    else if (closed > 0) closed--
    else return { from: i + 1, quote: doubleQuote }
  }
  if (single >= 0 && (openQuote === 0 || i >= limit)) return { from: single + 1, quote: singleQuote }
  if (openQuote === 0 || i >= limit) return lineAround(text, at, i + 1)
  const from = Math.max(limit - overlapUnits, 0)
  return { from: isEscaped(text, from) ? from + 1 : from, quote: openQuote }
}

/**
 * Escaped text from `from` on outside of a string: a fragment of JSON up to the quote that ends its string, or the rest
 * of a line that contains several escaped line breaks, each behind the end of a line.
 */
function lineAround(text: string, at: number, from: number): Opening | undefined {
  const isBreak = codeAt(text, at + 1) === lineBreakLetter
  if (isBreak && (!inSet(lineTailSet, codeAt(text, at - 1)) || codeAt(text, at + 2) === backslash)) return undefined
  const rest = text.slice(at + 2, at + lineUnitsMax)
  const end = rest.indexOf('\n')
  const sign = rest.indexOf(isBreak ? '\\n' : '\\":')
  if (sign < 0 || (end >= 0 && end < sign)) return undefined
  return { from, quote: isBreak ? 0 : doubleQuote }
}
/** Last characters of lines in files. In a pattern, other characters precede a line break. */
const lineTailSet = charSet('A-Z', 'a-z', '0-9', '_]}"\';,.=')
const lineBreakLetter = 110
const lineUnitsMax = 80

function opensString(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  if (inSet(openerSet, before)) return true
  // `-d"..."`
  const beforeThat = codeAt(text, at - 2)
  return inSet(prefixSet, before) ? !inSet(wordSet, beforeThat) : beforeThat === dash && inSet(wordSet, before)
}

/** Whether a byte is written as three octal digits behind a backslash. */
export function isOctal(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== backslash || !inSet(firstOctalSet, codeAt(text, at + 1))) return false
  return runEnd(text, at + 2, octalSet, 2) === at + 4
}
const firstOctalSet = charSet('0', '1')
const octalSet = charSet('0-7')

/** Whether the character at `at` is escaped. */
function isEscaped(text: string, at: number): boolean {
  let i = at
  while (i > 0 && at - i < backslashesMax && text.charCodeAt(i - 1) === backslash) i--
  return (at - i) % 2 === 1
}

/** Where the content of the next string begins, if the one that ends at `at` may continue in it; otherwise -1. */
function nextPiece(text: string, at: number, quote: number): number {
  const next = runEnd(text, at + 1, betweenSet, betweenUnitsMax)
  if (next === at + 1 || codeAt(text, next) !== quote) return -1
  // The name of the next member of an object.
  const name = runEnd(text, next + 1, dottedNameSet, betweenUnitsMax)
  return codeAt(text, name) === quote && codeAt(text, runEnd(text, name + 1, blankSet, 4)) === colon ? -1 : next + 1
}

/**
 * Where the record on the next line begins, if the string that ends at `at` is in a JSON record: a log with one record
 * per line of output.
 */
function nextRecord(text: string, at: number): number {
  const next = codeAt(text, at + 1)
  if (next !== 44 && next !== 125) return -1
  const limit = Math.min(text.length, at + recordUnitsMax)
  for (let i = at + 1; i < limit; i++) if (text.charCodeAt(i) === 10) return codeAt(text, i + 1) === 123 ? i + 1 : -1
  return -1
}

/**
 * Where the content of the string begins that continues the one that ends at `at`; -1 if there is none.
 * @param from where the content of the first of them began: further records begin like its own
 */
function goesOn(text: string, at: number, quote: number, from: number): number {
  const piece = nextPiece(text, at, quote)
  const record = piece < 0 ? nextRecord(text, at) : -1
  if (record < 0) return piece
  const line = runStart(text, from, recordHeadSet, recordHeadMax)
  if (line > 0 && codeAt(text, line - 1) !== 10) return -1
  return text.startsWith(text.slice(line, from), record) ? record + from - line : -1
}
const recordHeadSet = allBut('\n')

/** The text of a string, or as much of it as is read in one go. */
class StringText extends DecodedText {
  /** Where the string ends, or the part of it that was read. */
  end: number
  /** Whether the string continues there. */
  isCut = false

  constructor(text: string, { from, quote }: Opening) {
    super()
    const limit = Math.min(text.length, from + partUnitsMax)
    let run = from
    let i = from
    while (i < limit) {
      const code = text.charCodeAt(i)
      if (code !== backslash && code !== quote && code !== 10) {
        i++
        continue
      }
      this.add(text.slice(run, i), run, i)
      run = i
      if (code === 10) break
      if (code === quote) {
        const next = this.last === 10 ? goesOn(text, i, quote, from) : -1
        if (next < 0) break
        i = next
        run = next
        continue
      }
      escape.read(text, i)
      if (escape.end === i) i++
      else {
        if (escape.code >= 0) this.add(String.fromCharCode(escape.code), i, escape.end)
        i = escape.end
        run = i
      }
    }
    if (i >= limit) {
      this.add(text.slice(run, i), run, i)
      this.isCut = i < text.length
    }
    this.end = i
  }
}

/** What escapes of a single character stand for. */
const meanings = new Int16Array(128).fill(-1)
for (const sign of '"\'\\/`$ ') meanings[sign.charCodeAt(0)] = sign.charCodeAt(0)
for (const [letter, code] of [...'bfnrtv'].map((letter, i) => [letter, [8, 12, 10, 13, 9, 11][i]] as const))
  meanings[letter.charCodeAt(0)] = code as number

/** One escape. A single object serves all readings, since it holds nothing between two. */
class StringEscape {
  /** The code that it stands for; -1 for none. */
  code = -1
  /** Where it ends; where it begins, if it is not an escape. */
  end = 0

  read(text: string, at: number): void {
    const letter = codeAt(text, at + 1)
    if (isOctal(text, at)) return this.#set(parseInt(text.slice(at + 1, at + 4), 8), at + 4)
    const lineEnd = newlineEnd(text, at + 1)
    if (lineEnd > 0) return this.#set(-1, runEnd(text, lineEnd, blankSet, indentMax))
    if (letter === 120) return this.#hex(text, at, at + 2, 2)
    if (letter === 117) return codeAt(text, at + 2) === 123 ? this.#point(text, at) : this.#hex(text, at, at + 2, 4)
    const meaning = letter < 128 ? (meanings[letter] as number) : -1
    this.#set(meaning, meaning < 0 ? at : at + 2)
  }

  /** `\u{73}` */
  #point(text: string, at: number): void {
    const close = runEnd(text, at + 3, hexSet, 5)
    if (codeAt(text, close) !== 125 || close === at + 3) return this.#set(-1, at)
    this.#hex(text, at, at + 3, close - at - 3)
    if (this.code >= 0) this.end = close + 1
  }

  #hex(text: string, at: number, from: number, digits: number): void {
    const code = hexAt(text, from, digits)
    this.#set(code, code < 0 ? at : from + digits)
  }

  #set(code: number, end: number): void {
    this.code = code
    this.end = end
  }
}
const escape = new StringEscape()
