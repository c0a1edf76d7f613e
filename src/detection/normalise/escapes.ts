/**
 * Written forms of a character: `%41`, `&#65;`, `\u0041`, `\x41`, and ways to go on with a word on the next line or in
 * the next string.
 *
 * Source of facts: RFC 3986 section 2.1; HTML section 13.2.5 (character references); ECMA-262 section 12.9.4; RFC 2045
 * section 6.7 (quoted-printable).
 */
import { isVisibleAscii, simpleMeaning } from './characters.ts'
import { base64Set, base64UrlSet, charSet, digitSet, hexSet, runEnd, runStart, wordSet } from '../chars.ts'

/** The characters that escapes begin with: `% & \\ = " ' \``. */
export const escapeCodes = [37, 38, 92, 61, 34, 39, 96]

/** What an escape stands for. One object is overwritten by each reading, since escapes are frequent in some texts. */
export class Escape {
  /** The code it stands for; -1 where it stands for nothing and only joins what is around it. */
  code = 0
  end = 0

  /** Reads the escape at `at`, if one stands there that is worth reading. */
  read(text: string, at: number): boolean {
    switch (text.charCodeAt(at)) {
      case 37:
        return this.#percent(text, at)
      case 38:
        return this.#entity(text, at)
      case 92:
        return this.#backslash(text, at)
      case 61:
        return this.#quotedPrintable(text, at)
      case 34:
      case 39:
      case 96:
        return this.#concatenation(text, at)
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
    if (code < 128) return code >= 32 && code < 127 ? this.#set(code, at + 3) : false
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
    if (letter === 47) return this.#set(47, i + 1)
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
    // The end of a hash in base64 is no soft break.
    const tail = at - runStart(text, at, base64Set, softBreakUnitsMax)
    if (tail >= 27 && tail % 4 === 3) return false
    return wordSet[text.charCodeAt(at - 1)] === 1 && wordSet[text.charCodeAt(end)] === 1 ? this.#set(-1, end) : false
  }

  /** `" + "` and the like: the end of a string, an operator, the start of the next. */
  #concatenation(text: string, at: number): boolean {
    if (base64UrlSet[text.charCodeAt(at - 1)] !== 1) return false
    const operator = runEnd(text, at + 1, blankSet, concatBlanksMax)
    if (operatorSet[text.charCodeAt(operator)] !== 1) return false
    const next = runEnd(text, operator + 1, blankSet, concatBlanksMax)
    const quote = text.charCodeAt(next)
    if (quote !== 34 && quote !== 39 && quote !== 96) return false
    return base64UrlSet[text.charCodeAt(next + 1)] === 1 ? this.#set(-1, next + 1) : false
  }
}

const backslashesMax = 4
const concatBlanksMax = 40
const softBreakUnitsMin = 60
const softBreakUnitsMax = 78
const blankSet = charSet(' \t\r\n\\')
const operatorSet = charSet('+.&~|')

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
  ['ZeroWidthSpace;', 0x200b],
  ['shy;', 0xad],
  ['zwj;', 0x200d],
  ['zwnj;', 0x200c]
])
const entityNames = [...entities.keys()]

/** The six bits of a continuation byte of UTF-8 whose percent escape stands at `at`; -1 where none does. */
function continuation(text: string, at: number): number {
  const byte = text.charCodeAt(at) === 37 ? hexAt(text, at + 1, 2) : -1
  return byte >= 0x80 && byte < 0xc0 ? byte & 63 : -1
}

function hexValue(code: number): number {
  return code <= 57 ? code - 48 : (code | 32) - 87
}

/** The number that `digits` hexadecimal digits at `from` write; -1 where something else stands there. */
function hexAt(text: string, from: number, digits: number): number {
  let value = 0
  for (let i = from; i < from + digits; i++) {
    const code = text.charCodeAt(i)
    if (hexSet[code] !== 1) return -1
    value = value * 16 + hexValue(code)
  }
  return value
}

/** Past the line break at `at`; -1 where none stands there. */
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

/** What escapes begin with, as they are looked for. */
export const escapeLiterals: readonly string[] = [
  ...['%2', '%3', '%4', '%5', '%6', '%7', '%ef', '%e2'],
  '&#',
  // A quote is of interest where it closes a name, as markup shows JSON.
  ...entityNames.map((name) => '&' + (name === 'quot;' ? 'quot;:' : name)),
  ...['\\u0', '\\u2', '\\uf', '\\u{', '\\x', '\\/', '\\\n', '\\\r\n'],
  ...['=3d', '=\n', '=\r\n'],
  ...['"', "'", '`'].flatMap((quote) => [quote + ' +', quote + '+', '+ ' + quote, '+' + quote, quote + ' . ' + quote])
]

const quoteCode = 34
const scratch = new Escape()
/** What keys, addresses and numbers are made of: an escape of anything else hides nothing. */
const tellingSet = charSet('A-Z', 'a-z', '0-9', '_-.:@=/+~%')

/**
 * Whether the escape literal at `at` calls for a second look: it reads as an escape of a telling character beside
 * characters of a word.
 */
export function callsForShadow(text: string, at: number): boolean {
  let start = at
  // A concatenation may have been announced by its operator; its first quote stands a few blanks before.
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
  if (code < 0) return base64UrlSet[before] === 1 && base64UrlSet[after] === 1
  if (code >= 128) return simpleMeaning(code) !== code && isVisibleAscii(before) && after > 32
  if (code === quoteCode) return text.charCodeAt(start) === 38 && after === 58 && wordSet[before] === 1
  if (tellingSet[code] !== 1) return false
  if (text.charCodeAt(start) === 92 && code === 47) return jsonSlash(text, start, before, after)
  return wordSet[before] === 1 || wordSet[after] === 1 || wordSet[code] === 1
}

/** A slash that JSON need not escape: of interest inside of a base64 value and after the scheme of an address. */
function jsonSlash(text: string, at: number, before: number, after: number): boolean {
  return (before === 58 && after === 92) || (wordSet[before] === 1 && wordSet[after] === 1 && digitsNear(text, at))
}

function digitsNear(text: string, at: number): boolean {
  for (let i = Math.max(0, at - 12); i < at + 12; i++) if (digitSet[text.charCodeAt(i)] === 1) return true
  return false
}
