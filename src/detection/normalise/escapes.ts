/**
 * Written forms of a character (`%41`, `&#65;`, `\u0041`, `\x41`), ways to continue a word on the next line or in the
 * next string, and terminal colours, which nobody sees.
 *
 * Source of facts: RFC 3986 section 2.1; HTML section 13.2.5 (character references); ECMA-262 section 12.9.4; RFC 2045
 * section 6.7 (quoted-printable); ECMA-48 section 5.4 (control sequences); RFC 4180 section 2 (doubled quotes).
 */
import { severalLineLiterals } from './gutters.ts'
import { partsValue, tagEnd, tagLiterals } from './markup-tags.ts'
import { isVisibleAscii, simpleMeaning } from './characters.ts'
import {
  base64Set,
  base64UrlSet,
  charSet,
  countOf,
  digitSet,
  dottedNameSet,
  hexSet,
  letterSet,
  runEnd,
  runStart,
  wordSet
} from '../text/chars.ts'

/** First characters of escapes: ``% & \ = " ' ` <``, ESC and NUL. */
export const escapeCodes = [37, 38, 92, 61, 34, 39, 96, 60, 27, 0]

/** What an escape stands for. One object is overwritten by each reading, since some texts are full of escapes. */
export class Escape {
  /** The code that it stands for; -1 if it only joins what is around it. */
  code = 0
  end = 0
  /** Whether its neighbours may also be two separate things: two strings side by side. */
  isLoose = false

  /** Reads the escape at `at`, if there is one worth reading. */
  read(text: string, at: number): boolean {
    this.isLoose = false
    switch (text.charCodeAt(at)) {
      case 0:
        return this.#set(-1, at + 1)
      case 37:
        return this.#percent(text, at)
      case 38:
        return this.#entity(text, at)
      case 92:
        return this.#backslash(text, at)
      case 61:
        return this.#quotedPrintable(text, at)
      case 34:
        return this.#doubled(text, at) || this.#concatenation(text, at)
      case 39:
      case 96:
        return this.#concatenation(text, at)
      case 60:
        return this.#tag(text, at)
      case 27:
        return this.#control(text, at + 1)
      default:
        return false
    }
  }

  #set(code: number, end: number): boolean {
    this.code = code
    this.end = end
    return true
  }

  #percent(text: string, at: number): boolean {
    const code = hexAt(text, at + 1, 2)
    if (code < 0) return false
    if (code < 128) return (code >= 32 && code < 127) || isBlankCode(code) ? this.#set(code, at + 3) : false
    // Two or three bytes of UTF-8.
    const second = continuation(text, at + 3)
    if (second < 0 || code < 0xc2 || code > 0xef) return false
    if (code < 0xe0) return this.#set(((code & 31) << 6) | second, at + 6)
    const third = continuation(text, at + 6)
    return third < 0 ? false : this.#set(((code & 15) << 12) | (second << 6) | third, at + 9)
  }

  #entity(text: string, at: number): boolean {
    if (text.charCodeAt(at + 1) !== 35) {
      const name = entityNames.find((one) => text.startsWith(one, at + 1))
      return name === undefined ? false : this.#set(entities.get(name) as number, at + 1 + name.length)
    }
    const hex = (text.charCodeAt(at + 2) | 32) === 120
    const from = at + (hex ? 3 : 2)
    const end = runEnd(text, from, hex ? hexSet : digitSet, 8)
    if (end === from) return false
    let code = 0
    for (let i = from; i < end; i++) code = code * (hex ? 16 : 10) + hexValue(text.charCodeAt(i))
    if (code > 0xffff || code < 32) return false
    return this.#set(code, text.charCodeAt(end) === 59 ? end + 1 : end)
  }

  #backslash(text: string, at: number): boolean {
    const lineEnd = newlineEnd(text, at + 1)
    if (lineEnd > 0) return this.#set(-1, lineEnd)
    let i = at + 1
    while (text.charCodeAt(i) === 92 && i < at + backslashesMax) i++
    const letter = text.charCodeAt(i)
    if (letter === 47 || isMarkupEscape(text, at, i)) return this.#set(letter, i + 1)
    const control = writtenControl(text, i)
    if (control > 0) return this.#control(text, control)
    if (letter === 120) return this.#hex(text, i + 1, 2)
    if (letter !== 117) return false
    if (text.charCodeAt(i + 1) !== 123) return this.#hex(text, i + 1, 4)
    const end = runEnd(text, i + 2, hexSet, 7)
    if (end === i + 2 || end > i + 6 || text.charCodeAt(end) !== 125) return false
    return this.#hex(text, i + 2, end - i - 2) && this.#set(this.code, end + 1)
  }

  #hex(text: string, from: number, digits: number): boolean {
    const code = hexAt(text, from, digits)
    return code >= 32 && code !== 127 ? this.#set(code, from + digits) : false
  }

  /** A soft line break, and the one octet that every encoder must escape. */
  #quotedPrintable(text: string, at: number): boolean {
    if (text.charCodeAt(at + 1) === 51 && text.charCodeAt(at + 2) === 68) return this.#set(61, at + 3)
    const end = newlineEnd(text, at + 1)
    if (end < 0) return false
    const lineStart = runBack(text, at, softBreakUnitsMax + 1)
    if (at - lineStart < softBreakUnitsMin || at - lineStart > softBreakUnitsMax) return false
    // The padding of a base64 hash is not a soft break.
    const tail = at - runStart(text, at, base64Set, softBreakUnitsMax)
    if (tail >= 27 && tail % 4 === 3) return false
    return wordSet[text.charCodeAt(at - 1)] === 1 && wordSet[text.charCodeAt(end)] === 1 ? this.#set(-1, end) : false
  }

  /**
   * The end of a string, an operator of one or two characters, the start of the next string: `" + "`. Two strings side
   * by side are joined as well. A line added in a diff begins with a `+` of its own.
   */
  #concatenation(text: string, at: number): boolean {
    if (dottedNameSet[text.charCodeAt(at - 1)] !== 1) return false
    const operator = runEnd(text, at + 1, blankSet, concatBlanksMax)
    const sign = text.charCodeAt(operator)
    let next = operator
    // One bar alone parts the cells of a table and the members of a union of types.
    if (sign === bar && text.charCodeAt(operator + 1) !== bar) return false
    if (operatorSet[sign] === 1) {
      const after = operator + (text.charCodeAt(operator + 1) === sign ? 2 : 1)
      next = runEnd(text, after, blankSet, concatBlanksMax)
      if (isChangeMark(text, next)) next = runEnd(text, next + 1, blankSet, concatBlanksMax)
    } else if (operator === at + 1) return false
    const quote = text.charCodeAt(next)
    if (quote !== 34 && quote !== 39 && quote !== 96) return false
    this.isLoose = next === operator
    if (this.isLoose && (quote !== text.charCodeAt(at) || !arePieces(text, at, next + 1))) return false
    return dottedNameSet[text.charCodeAt(next + 1)] === 1 ? this.#set(-1, next + 1) : false
  }

  /** `""`: a quote within a quoted CSV field. */
  #doubled(text: string, at: number): boolean {
    // The first of two quotes may be escaped, and the second end the string.
    return text.charCodeAt(at + 1) === 34 && text.charCodeAt(at - 1) !== 92 ? this.#set(34, at + 2) : false
  }

  #tag(text: string, at: number): boolean {
    const end = tagEnd(text, at)
    return end > 0 && this.#set(-1, end)
  }

  /** The rest of a terminal control sequence, behind its first character: `[1;31m`, `[K`, `(B`. */
  #control(text: string, at: number): boolean {
    const code = text.charCodeAt(at)
    if (code === 40) return letterSet[text.charCodeAt(at + 1)] === 1 ? this.#set(-1, at + 2) : false
    if (code !== 91) return false
    const end = runEnd(text, at + 1, parameterSet, parameterUnitsMax)
    return letterSet[text.charCodeAt(end)] === 1 ? this.#set(-1, end + 1) : false
  }
}

/** Whether a backslash at `at`, within a word, escapes the character at `sign` for Markdown or LaTeX. */
function isMarkupEscape(text: string, at: number, sign: number): boolean {
  const after = text.charCodeAt(sign + 1)
  const isWithin = wordSet[after] === 1 || (after === 92 && markupSet[text.charCodeAt(sign + 2)] === 1)
  if (!isWithin || markupSet[text.charCodeAt(sign)] !== 1) return false
  let before = at - 1
  while (text.charCodeAt(before) === 92 && before > at - backslashesMax) before--
  return wordSet[text.charCodeAt(before)] === 1
}

const backslashesMax = 4
/** Escaped characters that occur in keys and their names. */
const markupSet = charSet('_-=')
const concatBlanksMax = 40
const softBreakUnitsMin = 60
const softBreakUnitsMax = 78
const blankSet = charSet(' \t\r\n\\')
const operatorSet = charSet('+.&~|')
const bar = 124
/** Characters of a value beside a colour, which may stand around the quotes of the value. */
const shownSet = charSet('A-Z', 'a-z', '0-9', '_-."\'')
const parameterSet = charSet('0-9', ';:?<=>')
const parameterUnitsMax = 24

/** Written forms of the ESC character. */
const writtenControls = ['u001b', 'u001B', 'x1b', 'x1B', '033', 'e']

/** Past the written ESC whose letter stands at `at`, if a control sequence follows; otherwise -1. */
function writtenControl(text: string, at: number): number {
  for (const written of writtenControls)
    if (text.startsWith(written, at) && text.charCodeAt(at + written.length) === 91) return at + written.length
  return -1
}

function isBlankCode(code: number): boolean {
  return code === 9 || code === 10 || code === 13
}

/** Whether what ends before `end` and what begins at `start` look like halves of one value rather than two words. */
function arePieces(text: string, end: number, start: number): boolean {
  const before = runStart(text, end, base64UrlSet, pieceUnitsMax)
  const after = runEnd(text, start, base64UrlSet, pieceUnitsMax)
  if (end - before < pieceUnitsMin || after - start < pieceUnitsMin) return false
  return countOf(text, before, end, digitSet) + countOf(text, start, after, digitSet) > 0
}

const pieceUnitsMin = 6
const pieceUnitsMax = 24

/** Whether `at` is the `+` or `-` at the start of a changed line. */
function isChangeMark(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return (code === 43 || code === 45) && text.charCodeAt(at - 1) === 10
}

const entities = new Map([
  ['commat;', 64],
  ['lowbar;', 95],
  ['period;', 46],
  ['colon;', 58],
  ['sol;', 47],
  ['hyphen;', 45],
  ['dash;', 45],
  ['plus;', 43],
  ['equals;', 61],
  ['num;', 35],
  ['dollar;', 36],
  ['quot;', 34],
  ['apos;', 39],
  ['ZeroWidthSpace;', 0x200b],
  ['shy;', 0xad],
  ['zwj;', 0x200d],
  ['zwnj;', 0x200c]
])
const entityNames = [...entities.keys()]

/** The six bits of a UTF-8 continuation byte whose percent escape stands at `at`; -1 if there is none. */
function continuation(text: string, at: number): number {
  const byte = text.charCodeAt(at) === 37 ? hexAt(text, at + 1, 2) : -1
  return byte >= 0x80 && byte < 0xc0 ? byte & 63 : -1
}

function hexValue(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87
}

/** The number written in `digits` hexadecimal digits at `from`; -1 if something else stands there. */
export function hexAt(text: string, from: number, digits: number): number {
  let value = 0
  for (let i = from; i < from + digits; i++) {
    const code = text.charCodeAt(i)
    if (hexSet[code] !== 1) return -1
    value = value * 16 + hexValue(code)
  }
  return value
}

/** Past the line break at `at`; -1 if there is none. */
export function newlineEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === 10) return at + 1
  return code === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : -1
}

function runBack(text: string, to: number, unitsMax: number): number {
  let i = to
  while (i > 0 && to - i < unitsMax && text.charCodeAt(i - 1) !== 10) i--
  return i
}

/** Literals with which escapes begin, for the anchor search. */
export const escapeLiterals: readonly string[] = [
  ...['%2', '%3', '%4', '%5', '%6', '%7', '%ef', '%e2'],
  '&#',
  ...entityNames.map((name) => '&' + name),
  ...['\\u0', '\\u2', '\\uf', '\\u{', '\\x', '\\/', '\\\n', '\\\r\n'],
  ...['\\_', '\\-', '\\='],
  ...['=3d', '=\n', '=\r\n'],
  ...['"', "'", '`'].flatMap((quote) => [quote + ' +', quote + '+', '+ ' + quote, '+' + quote, quote + ' . ' + quote]),
  ...['"', "'"].flatMap((quote) => ['.. ', '& ', '|| ', ''].map((operator) => `${quote} ${operator}${quote}`)),
  ...['\u001b[', '\\u001b[', '\\x1b[', '\\033[', '\\e['],
  // A field name in JSON within a CSV field.
  '"":',
  // Every other byte of UTF-16 that was read in another charset.
  '\0',
  ...tagLiterals,
  ...severalLineLiterals
]

const quoteCode = 34
const lessCode = 60
const scratch = new Escape()
/** Characters of keys, URLs and numbers. Escapes of others hide nothing. */
const significantSet = charSet('A-Z', 'a-z', '0-9', '_-.:@=/+~%')

/**
 * Whether the escape literal at `at` calls for a second look: it stands for a character of keys, URLs or numbers next to
 * characters of a word.
 */
export function callsForShadow(text: string, at: number): boolean {
  let start = at
  // A concatenation may have been found by its operator; its first quote stands a few blanks before.
  if (text.charCodeAt(at) === 43) {
    start = at - 1
    while (start > at - concatBlanksMax && blankSet[text.charCodeAt(start)] === 1) start--
    const quote = text.charCodeAt(start)
    if (quote !== 34 && quote !== 39 && quote !== 96) return false
  }
  if (!scratch.read(text, start)) return false
  const { code, end } = scratch
  const before = text.charCodeAt(start - 1)
  const after = text.charCodeAt(end)
  if (text.charCodeAt(start) === lessCode) return partsValue(text, start, end)
  if (code < 0)
    return isControl(text, start)
      ? shownSet[before] === 1 || shownSet[after] === 1
      : dottedNameSet[before] === 1 && dottedNameSet[after] === 1
  if (code === quoteCode && text.charCodeAt(start) === quoteCode) return wordSet[before] === 1
  if (isBlankCode(code)) return wordSet[after] === 1
  if (code >= 128) return simpleMeaning(code) !== code && isVisibleAscii(before) && after > 32
  if (code === quoteCode || code === 39) return text.charCodeAt(start) === 38 && quotesValue(text, start, end)
  if (significantSet[code] !== 1) return false
  if (text.charCodeAt(start) === 92 && code === 47) return jsonSlash(text, start, before, after)
  if (wordSet[before] === 1 || wordSet[after] === 1 || wordSet[code] === 1) return true
  // Templates write the operator between a name and its value as an entity.
  return before === 32 && (code === 61 || code === 58) && wordSet[text.charCodeAt(start - 2)] === 1
}

/** Whether a quote written in markup closes a name or opens its value: `&quot;name&quot;: `, `name=&quot;`. */
function quotesValue(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (text.charCodeAt(end) === 58) return wordSet[before] === 1
  const sign = before === 32 ? text.charCodeAt(start - 2) : before
  return sign === 61 || sign === 58
}

/** Whether the escape at `at` is a control sequence that stands for nothing and does not join two pieces. */
function isControl(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 27 || (code === 92 && text.charCodeAt(at + 1) > 32)
}

/** A slash that JSON need not escape: of interest within base64, and behind a URL scheme. */
function jsonSlash(text: string, at: number, before: number, after: number): boolean {
  return (before === 58 && after === 92) || (wordSet[before] === 1 && wordSet[after] === 1 && digitsNear(text, at))
}

function digitsNear(text: string, at: number): boolean {
  for (let i = Math.max(0, at - 12); i < at + 12; i++) if (digitSet[text.charCodeAt(i)] === 1) return true
  return false
}
