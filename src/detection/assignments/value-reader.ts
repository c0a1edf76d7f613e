/** Reads a value as languages write it: quoted in any way, bare, between tags, in a cell, below its name. */
import {
  declaredStart,
  defaultMemberEnd,
  returnedLiteral,
  innerElementStart,
  constructorArgument,
  onlyElementEnd,
  rawContentEnd,
  rawContentStart
} from './language-constructs.ts'
import {
  beginsLine,
  endsLineAt,
  keyStart,
  lineEnd,
  marksChange,
  ruleEnd,
  memberValueEnd
} from './name-value-members.ts'
import { telemetryTextEnd, typedTextStart } from './debug-dumps.ts'
import { operators, type Operator } from './operators.ts'
import {
  castEnd,
  isWrittenQuote,
  blockEnd,
  boldEnd,
  closesCell,
  contentEnd,
  endsLine,
  endsText,
  fenceEnd,
  skipBlanks,
  skipContinued,
  skipEmphasis,
  skipSpace,
  valueLabelEnd,
  wrappedAt,
  wrapperEnd
} from './lexing.ts'
import { bareEnd, signedEnd } from './bare-value.ts'
import { charSet, codeAt, inSet, quoteSet, runEnd } from '../text/chars.ts'
import { nameStart } from '../values/key-names.ts'
import { lineValueEnd, pairEnd } from './line-value.ts'
import { rawTextEnd, rawTextSet, rawTextStart } from './raw-text.ts'
import { quotedEnd, tripledEnd } from './quoted-end.ts'
import { closesBraces, fillsLineBelow, stringBelow, stringInBraces } from './string-below.ts'
import { isPassphrase, letterGroupsEnd } from '../values/passphrases.ts'

const curlyUnitsMax = 64
/** The shortest value below its name, in code units: most shorter words there continue a sentence. */
const belowUnitsMin = 8

/** What follows the bracket of a list of strings: a quote, or the escape before it. */
const listStartSet = charSet('"\'`\\')
/** Prefixes of string literals: bytes, raw, wide, formatted. */
const prefixSet = charSet('bBrRuUfFLNE@$')

/** A shorter cell is a count or an abbreviation. */
const taggedUnitsMin = 6
/** What fills an otherwise empty cell, and stands between a name and its value. */
const hardBlank = '&nbsp;'

/** The rest of the name of a passphrase, behind its keyword. */
const phraseTail = 'phrase'

/** Units of `passphrase=`. */
const phraseNameUnits = 11

/** Whether the name whose keyword stands at `at` is `passphrase`, `pass_phrase` or `Passphrase`. */
function namesPhrase(text: string, at: number): boolean {
  const from = codeAt(text, at + 4) === 95 ? at + 5 : at + 4
  return text.slice(from, from + phraseTail.length).toLowerCase() === phraseTail
}

/** How Spring marks a password that is not hashed. */
const unhashed = '{noop}'

/** A value that was read, how it is written, and what led to it. It holds numbers only, since most readings fail. */
export class ValueReader {
  operator: Operator = operators.none
  /** Whether the name is quoted, as in JSON. */
  nameQuoted = false
  start = 0
  end = 0
  quoted = false
  /** Whether the value is the argument of a call that converts it: `String("...")`. */
  wrapped = false
  /** Whether the value is the first of a list. */
  listed = false
  /** Whether the value stands alone on the line below its name. */
  below = false
  /** Whether a function returns it: `() => "..."`. */
  returned = false
  /** Whether the two sides are compared: `password == "..."`. */
  compared = false

  /** The number of the text, and the place of the name that was read last; -1 if there was none. */
  textNumber = 0
  protected at = -1

  /** Reads the value that begins at `from`, as the operator before it requires. */
  protected value(text: string, from: number): boolean {
    this.wrapped = false
    this.below = false
    this.returned = false
    if (this.operator === operators.part) return this.#delimitedText(from, lineEnd(text, from))
    let at = skipContinued(text, from)
    if (this.operator === operators.cell) return this.#cell(text, at)
    if (this.operator === operators.colon || this.operator === operators.equals) {
      const quote = stringBelow(text, at)
      if (quote >= 0 && this.quotedText(text, quote, quote) && fillsLineBelow(text, this.end)) return true
      const braced = this.operator === operators.equals ? stringInBraces(text, at) : -1
      if (braced >= 0 && this.quotedText(text, braced, braced) && closesBraces(text, this.end)) return true
    }
    if (this.operator === operators.colon && endsLine(text, at)) return this.#nextLine(text, at)
    if (this.operator === operators.colon) {
      // The mark that closes a bold name, `**Password:** X`.
      if (at === from && boldEnd(text, at) < 0) at = skipBlanks(text, skipEmphasis(text, from))
      const bold = boldEnd(text, at)
      if (bold >= 0) return this.#word(at + 2, bold)
    }
    if (this.operator === operators.element) return this.#content(text, skipSpace(text, from))
    if (this.operator === operators.tagged)
      return this.#content(text, skipSpace(text, from)) && this.end - this.start >= taggedUnitsMin
    at = typedTextStart(text, at)
    if (this.operator === operators.colon) {
      const textEnd = telemetryTextEnd(text, at)
      if (textEnd >= 0) return this.#delimitedText(at + 4, textEnd)
      if (codeAt(text, at) === 123) {
        if (this.nameQuoted) at = skipBlanks(text, Math.max(at, memberValueEnd(text, at)))
        at = Math.max(at, defaultMemberEnd(text, at))
      }
    }
    // Java prints the strings of a list without quotes: `password=[...], user=[...]`.
    if (codeAt(text, at) === 91 && at === from && this.operator === operators.equals) {
      const element = onlyElementEnd(text, at)
      if (element >= 0) return this.#word(at + 1, element)
    }
    if (this.operator === operators.colon || this.operator === operators.equals) {
      const returned = returnedLiteral(text, at)
      this.returned = returned > at
      at = returned
    }
    const first = codeAt(text, at) === 91 ? this.#firstItem(text, at + 1) : at
    this.listed = first > at && inSet(listStartSet, codeAt(text, first))
    if (this.listed) at = first
    if (codeAt(text, at) === 123 && text.startsWith(unhashed, at)) at += unhashed.length
    let slash = at
    while (slash - at < 8 && codeAt(text, slash) === 92) slash++
    if (inSet(quoteSet, codeAt(text, slash))) return this.quotedText(text, at, slash)
    const code = codeAt(text, at)
    // It is read again once markup entities are decoded.
    if (code === 38 && isWrittenQuote(text, at)) return false
    if (code === 0x201c || code === 0x2018 || code === 0xab) return this.#curly(text, at)
    return (inSet(rawTextSet, code) && this.#raw(text, at)) || this.#expression(text, at)
  }

  /** A value in a cell of a table, or the last one of its line behind a bar. */
  #cell(text: string, at: number): boolean {
    if (codeAt(text, at) === 96) return this.quotedText(text, at, at) && closesCell(text, this.end + 1)
    if (!this.#bare(text, at)) return false
    if (closesCell(text, this.end) || (endsLineAt(text, this.end) && beginsLine(text, keyStart(text, this.at))))
      return true
    // The bar right behind it was taken for a sign in it.
    const end = bareEnd(text, at, this.textNumber)
    return closesCell(text, end) && this.#word(at, end)
  }

  /** A value behind a cast, a prefix, a call that converts it or its type; otherwise a bare one. */
  #expression(text: string, at: number): boolean {
    const cast = codeAt(text, at) === 40 ? castEnd(text, at) : -1
    if (cast >= 0) return this.quotedText(text, cast, cast)
    const wrapped = wrapperEnd(text, at, this.textNumber)
    const opener = codeAt(text, wrapped)
    if (inSet(quoteSet, opener) && this.#marked(text, at, wrapped)) return true
    const inner = opener === 40 ? wrappedAt(text, wrapped) : 0
    if (inner > 0 && inSet(quoteSet, codeAt(text, inner))) {
      this.wrapped = true
      return this.quotedText(text, inner, inner)
    }
    if (this.operator === operators.colon || this.operator === operators.equals) {
      const typed = declaredStart(text, at, wrapped, this.textNumber)
      if (typed >= 0) return this.#raw(text, typed) || this.quotedText(text, typed, typed)
      const made = constructorArgument(text, at, wrapped)
      if (made >= 0) {
        this.wrapped = true
        return this.quotedText(text, made, made)
      }
    }
    if (this.operator === operators.call || this.operator === operators.comma) return false
    return this.#phrase(text, at) || this.#bare(text, at)
  }

  /**
   * The words of a passphrase without quotes, up to the end of the line: `BORG_PASSPHRASE=...` in an environment; or a
   * password in groups of letters.
   */
  #phrase(text: string, at: number): boolean {
    const groupsEnd = letterGroupsEnd(text, at)
    if (groupsEnd > at) return this.#delimitedText(at, groupsEnd)
    if (this.operator !== operators.equals || at !== this.at + phraseNameUnits || !namesPhrase(text, this.at))
      return false
    const end = lineEnd(text, at)
    return isPassphrase(text, at, end) && this.#delimitedText(at, end)
  }

  /** Where the first item of a list may begin: in JSON, also on the line below its bracket. */
  #firstItem(text: string, from: number): number {
    return this.nameQuoted && this.operator === operators.colon ? skipSpace(text, from) : from
  }

  /** A word that fills the next line: below `password:`, or as a YAML block. */
  #nextLine(text: string, at: number): boolean {
    const start = ruleEnd(text, fenceEnd(text, skipSpace(text, blockEnd(text, at))))
    // The member of a YAML map below the name: `DB_PASSWORD:`, `value: "..."`.
    const member = codeAt(text, start - 1) === 32 ? valueLabelEnd(text, start) : -1
    if (member >= 0) {
      const inner = skipBlanks(text, member)
      return inSet(quoteSet, codeAt(text, inner)) ? this.quotedText(text, inner, inner) : this.#bare(text, inner)
    }
    this.below = true
    if (namesPhrase(text, this.at)) {
      const end = lineEnd(text, start)
      if (end > start && isPassphrase(text, start, end)) return this.#delimitedText(start, end)
    }
    const groupsEnd = letterGroupsEnd(text, start)
    if (groupsEnd > start) return this.#delimitedText(start, groupsEnd) && endsText(text, groupsEnd)
    return this.#bare(text, start) && this.end - start >= belowUnitsMin && endsText(text, this.end)
  }

  /**
   * Reads a quoted text.
   * @param at the quote, or the first backslash before it
   * @param quoteAt the quote
   */
  protected quotedText(text: string, at: number, quoteAt: number): boolean {
    const quote = codeAt(text, quoteAt)
    const escapes = quoteAt - at
    // In some markup, two backticks quote.
    const open = quoteAt + (quote === 96 && codeAt(text, quoteAt + 1) === 96 ? 2 : 1)
    const start = text.startsWith(unhashed, open) ? open + unhashed.length : open
    this.quoted = true
    this.start = start
    const end = quotedEnd(text, start, quote, escapes)
    if (end === start && escapes === 0) return this.#tripled(text, start, quote)
    return codeAt(text, end) === quote ? this.#unwrap(text, end) : this.#close(end)
  }

  /** A triple-quoted text. */
  #tripled(text: string, at: number, quote: number): boolean {
    this.start = at + 2
    const end = codeAt(text, at + 1) === quote ? tripledEnd(text, at + 2, quote) : -1
    return this.#close(end)
  }

  /** A literal with a prefix such as `b` or `@`. A quote that nothing closes belongs to the value. */
  #marked(text: string, at: number, quoteAt: number): boolean {
    if (quoteAt - at > 2 || runEnd(text, at, prefixSet, 2) !== quoteAt) return false
    return this.quotedText(text, quoteAt, quoteAt) && inSet(quoteSet, codeAt(text, this.end))
  }

  /** Removes a second pair of quotes within the first, escaped or not, as code generators write it. */
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

  /** A text whose construct says where it ends. */
  #delimitedText(start: number, end: number): boolean {
    this.quoted = true
    this.start = start
    return this.#close(end)
  }

  /** A text between delimiters other than quotes; braces count only behind `set` in Tcl. */
  #raw(text: string, at: number): boolean {
    const { operator } = this
    const isBraced = codeAt(text, at) === 123
    if (isBraced ? operator !== operators.option : operator !== operators.equals && operator !== operators.colon)
      return false
    const start = rawTextStart(text, at)
    const end = start < 0 ? -1 : rawTextEnd(text, at, start)
    if (end < 0) return false
    return this.#delimitedText(start, end)
  }

  /** A word whose construct says where it ends. */
  #word(start: number, end: number): boolean {
    this.quoted = false
    this.start = start
    return this.#close(end)
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

  /** The content between two tags; without a closing tag, a word. */
  #content(text: string, from: number): boolean {
    const inner = innerElementStart(text, from)
    const at = rawContentStart(text, inner)
    // The next element.
    if (codeAt(text, at) === 60) return false
    const end = at > inner ? rawContentEnd(text, at) : contentEnd(text, at)
    this.quoted = end >= 0
    this.start = at
    if (end >= 0) return at > inner ? this.#close(end) : this.#trimmed(text, end)
    // The name of the next assignment: `<password> hosts='a, b'`, or the next line below `pw = <password>`.
    if (!this.#bare(text, at) || codeAt(text, this.end - 1) === 61) return false
    return codeAt(text, skipBlanks(text, this.end)) !== 61
  }

  /** Without the blanks before a closing tag, and without the quotes that a language prints around its strings. */
  #trimmed(text: string, end: number): boolean {
    let to = end
    while (to > this.start && codeAt(text, to - 1) === 32) to--
    while (text.startsWith(hardBlank, to - hardBlank.length)) to -= hardBlank.length
    const first = codeAt(text, this.start)
    if ((first === 34 || first === 39) && codeAt(text, to - 1) === first && to - this.start > 2) {
      this.start++
      to--
    }
    return this.#close(to)
  }

  #bare(text: string, from: number): boolean {
    const at = codeAt(text, from) === 38 && text.startsWith(hardBlank, from) ? from + hardBlank.length : from
    this.quoted = false
    this.start = at
    this.end = at
    if (this.compared) return false
    this.end = bareEnd(text, at, this.textNumber)
    if (this.end > at && codeAt(text, this.end) <= 32) return true
    if (this.at < 0) {
      this.end = signedEnd(text, at, this.end, this.textNumber)
      return this.end > at
    }
    const name = nameStart(text, this.at)
    const pairTo = pairEnd(text, name, at, this.operator === operators.equals)
    this.quoted = pairTo > 0
    // What looks like an expression, or like the end of a value, is neither if it fills the line of its name.
    const whole = pairTo > 0 ? pairTo : lineValueEnd(text, name, at, this.textNumber)
    this.end = whole > 0 ? whole : signedEnd(text, at, this.end, this.textNumber)
    if (marksChange(text, name, this.end)) this.end--
    return this.end > at
  }
}
