/**
 * Reads what is assigned to a name: in program text, JSON, YAML, shell, markup, on a command line, in a call. It knows
 * nothing of secrets; it only says where the value stands and how it is written.
 */
import {
  attributesEnd,
  frameEnd,
  isBeforeQuote,
  opensElement,
  rawContentEnd,
  rawContentStart,
  typeEnd
} from './frames.ts'
import { operators, type Operator } from './operators.ts'
import {
  isWrittenQuote,
  blockEnd,
  closesCell,
  contentEnd,
  copulaEnd,
  endsLine,
  endsText,
  fenceEnd,
  isAccentedCopula,
  isCopula,
  isOption,
  quoteSet,
  skipBlanks,
  skipContinued,
  skipEmphasis,
  skipSigns,
  skipSpace,
  valueLabelEnd,
  wrappedAt,
  wrapperEnd
} from './steps.ts'
import { bareEnd, signedEnd } from './bare-value.ts'
import { charSet, codeAt, inSet, letterSet, runEnd, wordSet } from '../text/chars.ts'
import { nameEnd, nameStart } from './key-names.ts'
import { lineValueEnd, pairEnd } from './line-value.ts'
import { quotedEnd, tripledEnd } from './quoted-end.ts'

const curlyUnitsMax = 64
/** A name, and the blanks before it. */
const nameGapMax = 80
/** Below its name a value has at least this length; most shorter words there go on in a sentence. */
const belowUnitsMin = 8

const colonSet = charSet(':')
/** What follows on a bracket that opens a list of texts: a quote, or the escape before it. */
const listStartSet = charSet('"\'`\\')
/** What marks a text in quotes as one of bytes, raw, wide or to be filled in. */
const prefixSet = charSet('bBrRuUfFLNE@$')
const memberSet = charSet('.$')

/** One assignment. A single object serves all readings and holds numbers only, since most readings lead nowhere. */
export class Assignment {
  operator: Operator = operators.none
  nameStart = 0
  nameEnd = 0
  /** Whether the name stands in quotes, as in JSON. */
  nameQuoted = false
  start = 0
  end = 0
  quoted = false
  /** Whether the value is the argument of a call that makes it: `String("...")`. */
  wrapped = false
  /** Whether the value is the first of a list. */
  listed = false
  /** Whether the value stands alone on the line below its name. */
  below = false
  /** Whether the two sides are compared: `password == "..."`. */
  compared = false

  /** The text, by number, and the place of the name that was read last, and where its value may begin. */
  #textNumber = 0
  #at = -1
  #from = -1

  /**
   * Reads the assignment to the name that the word at `at` belongs to.
   * @param wanted which operators the caller reads; others end the reading early
   * @param textNumber tells the text; with it a name that was just read, for another kind, is not read again
   * @returns whether there is one
   */
  read(text: string, at: number, wordUnits: number, wanted: (operator: Operator) => boolean, textNumber = 0): boolean {
    if (textNumber === 0 || textNumber !== this.#textNumber || at !== this.#at) {
      const end = nameEnd(text, at + wordUnits)
      this.nameEnd = end
      this.nameQuoted = false
      this.compared = false
      this.#from = this.#operator(text, this.#closeName(text, end), at)
      this.#textNumber = textNumber
      this.#at = at
    }
    if (this.#from < 0 || !wanted(this.operator) || !this.#value(text, this.#from)) return false
    this.nameStart = nameStart(text, at)
    return true
  }

  /** Reads the next element of the list in quotes that the last value stands in: `["one", "two"]`. */
  readNext(text: string): boolean {
    if (!this.quoted || this.wrapped) return false
    const close = codeAt(text, this.end)
    let i = this.end
    while (i - this.end < 4 && codeAt(text, i) === 92) i++
    if (!inSet(quoteSet, close === 92 ? codeAt(text, i) : close)) return false
    i = skipBlanks(text, i + 1)
    if (codeAt(text, i) !== 44) return false
    i = skipSpace(text, i + 1)
    let quote = i
    while (quote - i < 8 && codeAt(text, quote) === 92) quote++
    return inSet(quoteSet, codeAt(text, quote)) && this.#quoted(text, i, quote)
  }

  /** Reads a value that begins at `from`, whatever stands before it. */
  readValue(text: string, from: number): boolean {
    this.operator = operators.colon
    this.compared = false
    this.nameQuoted = false
    this.#at = -1
    return this.#value(text, from)
  }

  /** Steps over what may close a name: quotes, escaped or not, and a bracket. */
  #closeName(text: string, from: number): number {
    let i = skipEmphasis(text, from)
    if (i > from) return i
    while (i - from < 4 && codeAt(text, i) === 92) i++
    if (inSet(quoteSet, codeAt(text, i))) {
      this.nameQuoted = true
      i++
    } else if (i > from) return from
    if (codeAt(text, i) === 93) i++
    return i
  }

  /**
   * Reads the operator. What is read right behind a name must stand in `behindAssigned` too.
   * @returns where the value may begin; -1 where there is none
   */
  #operator(text: string, from: number, at: number): number {
    const i = skipBlanks(text, from)
    const code = codeAt(text, i)
    const next = codeAt(text, i + 1)
    switch (code) {
      case 58: // :
        return this.#colon(text, i, next)
      case 61: // =
        this.operator = operators.equals
        if (next === 126) return -1
        this.compared = next === 61
        return skipSigns(text, i + 1)
      case 43: // +
      case 46: // .
        return next === 61 ? this.#set(operators.equals, i + 2) : -1
      case 63: // ?
        if (next === 61 || next === 63) return this.#set(operators.equals, i + 2)
        return next === 58 ? this.#set(operators.colon, i + 2) : -1
      case 33: // !
        this.compared = true
        return next === 61 ? this.#set(operators.equals, skipSigns(text, i + 2)) : -1
      case 124: // |
        if (next === 124) return this.#set(operators.equals, skipSigns(text, i + 2))
        // `.Values.password | quote` and `$password | quote` are pipes.
        return next === 32 && !inSet(memberSet, codeAt(text, nameStart(text, at) - 1))
          ? this.#set(operators.cell, i + 2)
          : -1
      case 45: // -
        return next === 62 ? this.#set(operators.equals, i + 2) : this.#framed(text, i)
      case 44: // ,
        return this.nameQuoted ? this.#comma(text, i + 1) : -1
      case 40: // (
        return i === from && inSet(quoteSet, codeAt(text, i + 1)) ? this.#set(operators.call, i + 1) : -1
      case 41: // )
        return next === 32 || next === 61 ? this.#closing(text, i) : -1
      case 10:
      case 13:
        return this.#below(text, i, at)
      case 62: // >
        return opensElement(text, i, this.nameQuoted ? this.nameEnd : 0) ? this.#set(operators.element, i + 1) : -1
      case 0x2192: // →
        return this.#set(operators.equals, i + 1)
      case 60: // <
      case 91: // [
      case 123: // {
        return this.#framed(text, i)
      default:
        return i > from && !this.nameQuoted ? this.#beside(text, i, code, at) : this.#attribute(text, i, from)
    }
  }

  /** What some languages write between a name and its value. */
  #framed(text: string, i: number): number {
    const end = frameEnd(text, i, this.nameQuoted)
    return end < 0 ? -1 : this.#set(codeAt(text, end - 1) === 62 ? operators.element : operators.equals, end)
  }

  #set(operator: Operator, at: number): number {
    this.operator = operator
    return at
  }

  #colon(text: string, i: number, next: number): number {
    if (next === 61 || next === 45) return this.#set(operators.equals, i + 2)
    if (next === 58) {
      const sign = runEnd(text, i, colonSet, 4)
      if (codeAt(text, sign) === 61) return this.#set(operators.equals, sign + 1)
      return isBeforeQuote(text, sign) ? this.#set(operators.colon, sign) : -1
    }
    if (next === 47) return -1
    this.operator = operators.colon
    return i + 1
  }

  /** `os.getenv("X") or "value"`, `env("X") || "value"`. */
  #closing(text: string, i: number): number {
    const at = skipBlanks(text, i + 1)
    if (text.startsWith('||', at) || text.startsWith('??', at) || text.startsWith('or', at))
      return this.#set(operators.equals, at + 2)
    return codeAt(text, at) === 61 ? this.#set(operators.equals, skipSigns(text, at + 1)) : -1
  }

  /** `"name", "value"`, and the form with a label, `"name", "value": "..."`. */
  #comma(text: string, from: number): number {
    this.operator = operators.comma
    const at = skipSpace(text, from)
    return valueLabelEnd(text, at, at)
  }

  /** `name="password" value="..."`, `key: password value: ...`. */
  #attribute(text: string, i: number, from: number): number {
    if (i === from || !this.nameQuoted) return -1
    const end = valueLabelEnd(text, i, -1)
    return end < 0 ? -1 : this.#set(operators.comma, end)
  }

  /** `name: DB_PASSWORD` and on the next line `value: ...`, as lists of variables have it. */
  #below(text: string, i: number, at: number): number {
    let before = nameStart(text, at)
    if (this.nameQuoted) before--
    while (before > 0 && codeAt(text, before - 1) === 32 && at - before < nameGapMax) before--
    if (codeAt(text, before - 1) !== 58) return -1
    const end = valueLabelEnd(text, skipSpace(text, i), -1)
    return end < 0 ? -1 : this.#set(operators.colon, end)
  }

  #beside(text: string, i: number, code: number, at: number): number {
    if (inSet(quoteSet, code)) return this.#set(operators.beside, i)
    if (code < 128 && wordSet[code] !== 1 && code !== 33 && code !== 35 && code !== 64) return -1
    const wordEnd = runEnd(text, i, letterSet, 12)
    if (isAccentedCopula(code) && codeAt(text, i + 1) === 32) return this.#set(operators.is, i + 2)
    if (isCopula(text, i, wordEnd)) return this.#set(operators.is, copulaEnd(text, wordEnd))
    const typed = typeEnd(text, i)
    if (typed >= 0) return this.#set(operators.equals, typed)
    const tagged = attributesEnd(text, nameStart(text, at), i)
    if (tagged >= 0) return this.#set(operators.element, tagged)
    return isOption(text, at) ? this.#set(operators.option, i) : -1
  }

  #value(text: string, from: number): boolean {
    this.wrapped = false
    this.below = false
    let at = skipContinued(text, from)
    if (this.operator === operators.cell) {
      if (codeAt(text, at) === 96) return this.#quoted(text, at, at) && closesCell(text, this.end + 1)
      return this.#bare(text, at) && closesCell(text, this.end)
    }
    if (this.operator === operators.colon && endsLine(text, at)) return this.#nextLine(text, at)
    if (at === from && this.operator === operators.colon) at = skipBlanks(text, skipEmphasis(text, from))
    if (this.operator === operators.element) return this.#content(text, skipSpace(text, from))
    this.listed = codeAt(text, at) === 91 && inSet(listStartSet, codeAt(text, at + 1))
    if (this.listed) at++
    let slash = at
    while (slash - at < 8 && codeAt(text, slash) === 92) slash++
    if (inSet(quoteSet, codeAt(text, slash))) return this.#quoted(text, at, slash)
    const code = codeAt(text, at)
    // It is read once more as what markup means by it.
    if (code === 38 && isWrittenQuote(text, at)) return false
    if (code === 0x201c || code === 0x2018 || code === 0xab) return this.#curly(text, at)
    const wrapped = wrapperEnd(text, at)
    const opener = codeAt(text, wrapped)
    if (inSet(quoteSet, opener) && this.#marked(text, at, wrapped)) return true
    const inner = opener === 40 ? wrappedAt(text, wrapped) : 0
    if (inner > 0 && inSet(quoteSet, codeAt(text, inner))) {
      this.wrapped = true
      return this.#quoted(text, inner, inner)
    }
    if (this.operator === operators.colon || this.operator === operators.equals) {
      // A type stands between: `password: string = "..."`.
      const sign = skipBlanks(text, wrapped)
      if (sign > wrapped && codeAt(text, sign) === 61 && codeAt(text, sign + 1) !== 61) {
        const value = skipBlanks(text, sign + 1)
        if (inSet(quoteSet, codeAt(text, value))) return this.#quoted(text, value, value)
      }
    }
    if (this.operator === operators.call || this.operator === operators.comma) return false
    return this.#bare(text, at)
  }

  /** A word that has the next line for itself: `password:` above it, or a block of YAML. */
  #nextLine(text: string, at: number): boolean {
    const start = fenceEnd(text, skipSpace(text, blockEnd(text, at)))
    this.below = true
    return this.#bare(text, start) && this.end - start >= belowUnitsMin && endsText(text, this.end)
  }

  /** `at` is the first backslash before the quote at `quoteAt`, or the quote itself. */
  #quoted(text: string, at: number, quoteAt: number): boolean {
    const quote = codeAt(text, quoteAt)
    const escapes = quoteAt - at
    // Two backticks quote in some markups.
    const start = quoteAt + (quote === 96 && codeAt(text, quoteAt + 1) === 96 ? 2 : 1)
    this.quoted = true
    this.start = start
    const end = quotedEnd(text, start, quote, escapes)
    if (end === start && escapes === 0) return this.#tripled(text, start, quote)
    return codeAt(text, end) === quote ? this.#unwrap(text, end) : this.#close(end)
  }

  /** A text between three quotes on either side. */
  #tripled(text: string, at: number, quote: number): boolean {
    this.start = at + 2
    const end = codeAt(text, at + 1) === quote ? tripledEnd(text, at + 2, quote) : -1
    return this.#close(end)
  }

  /** A text behind a mark such as `b` or `@`; a quote that nothing closes is a sign of the value itself. */
  #marked(text: string, at: number, quoteAt: number): boolean {
    if (quoteAt - at > 2 || runEnd(text, at, prefixSet, 2) !== quoteAt) return false
    return this.#quoted(text, quoteAt, quoteAt) && inSet(quoteSet, codeAt(text, this.end))
  }

  /** Takes off a second pair of quotes inside of the first, escaped or not: what generates code writes it. */
  #unwrap(text: string, end: number): boolean {
    const escape = codeAt(text, this.start) === 92 ? 1 : 0
    const quote = codeAt(text, this.start + escape)
    const inner = escape + 1
    if (!inSet(quoteSet, quote) || end - this.start <= inner * 2 || codeAt(text, end - 1) !== quote)
      return this.#close(end)
    if (escape === 1 && codeAt(text, end - 2) !== 92) return this.#close(end)
    this.start += inner
    return this.#close(end - inner)
  }

  #close(end: number): boolean {
    this.end = end
    return end > this.start
  }

  #curly(text: string, at: number): boolean {
    this.quoted = true
    this.start = at + 1
    const limit = Math.min(text.length, at + curlyUnitsMax)
    for (let i = at + 1; i < limit; i++) {
      const code = text.charCodeAt(i)
      if (code === 10) return false
      if (code === 0x201d || code === 0x2019 || code === 0xbb) return this.#close(i)
    }
    return false
  }

  /** What stands between two tags; without the second one, a word. */
  #content(text: string, from: number): boolean {
    const at = rawContentStart(text, from)
    const end = at > from ? rawContentEnd(text, at) : contentEnd(text, at)
    this.quoted = end >= 0
    this.start = at
    if (end >= 0) return this.#close(end)
    // The name of what is assigned next: `<password> hosts='a, b'`.
    return this.#bare(text, at) && codeAt(text, this.end - 1) !== 61
  }

  #bare(text: string, at: number): boolean {
    this.quoted = false
    this.start = at
    this.end = at
    if (this.compared) return false
    this.end = bareEnd(text, at)
    if (this.end > at && codeAt(text, this.end) <= 32) return true
    if (this.#at < 0) {
      this.end = signedEnd(text, at, this.end, 0)
      return this.end > at
    }
    const name = nameStart(text, this.#at)
    const framed = pairEnd(text, name, at, this.operator === operators.equals)
    this.quoted = framed > 0
    // What looks like an expression, or like the end of a value, is neither where it fills the line of its name.
    const whole = framed > 0 ? framed : lineValueEnd(text, name, at, this.#textNumber)
    this.end = whole > 0 ? whole : signedEnd(text, at, this.end, this.#textNumber)
    return this.end > at
  }
}
