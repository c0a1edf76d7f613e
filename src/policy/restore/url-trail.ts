/**
 * Follows a text and knows whether its end is inside a URL. A value restored in a URL leaves with the first request for
 * it, and a model can be talked into writing a URL in any disguise that some reader decodes: in doubt, it counts as a
 * URL. Memory does not depend on the length of the URL or the text, so padding cannot defeat it.
 */
import { isWholeEscape, unescaped } from './json-escape.ts'
import { decodedBefore, decodedEnd, isLeadingZero, openEscapeAt, opensConnection, opensUrl } from './url-beginning.ts'
import { memberUnitsMax, namesUrl } from './url-member.ts'

const quotes = '"\'`'
const delimiters = `${quotes}<>()[]{}|=,`
/** The openers of a word after `[name]:` and after `url(`. */
const reference = ':'
const styleUrl = 'url('
/** Openers that spaces may follow. */
const distantOpeners = ['=', '(', reference, styleUrl]
/** Openers of what only a space ends, whatever angle brackets it contains. */
const destinationOpeners = ['=', '(', ']', reference]
const endsBehindQuote = '<>()[]{}|=,;:'
const closers: Readonly<Record<string, string>> = { '<': '>', [styleUrl]: ')' }
/** What the name or password of a connection string may contain besides letters and digits (RFC 3986, 3.2.1). */
const loginSigns = ':%-._~+'
/** The remembered end of a longer word: enough for a scheme, an entity or a host. */
const wordLengthMax = 300

const isSpace = (unit: string): boolean => unit <= ' ' || unit === '\u00A0'
const isQuote = (unit: string): boolean => unit !== '' && quotes.includes(unit)

export class UrlTrail {
  readonly #form: 'plain' | 'json'
  /** The part of a JSON escape seen so far. */
  #escape = ''
  /** In JSON: whether the position is in a string, the beginning of that or the last string, and whose value it is. */
  #isInString = false
  #string = ''
  #member: string
  /** Whether the text is the value of a member that names a URL, whose spaces a program would send or remove. */
  #isAddress: boolean
  /** What was read since the last delimiter or space, in lower case; empty inside a URL. */
  #word = ''
  /** Whether the word ends in an escape that the next character may continue. */
  #hasOpenEscape = false
  /** The delimiter before the word, and the one before that; empty for a space. */
  #opener = ''
  #openerBefore = ''
  /**
   * The opener is a quote after a backslash, as in quoted text that is quoted again: the closing quote has a backslash
   * too.
   */
  #isOpenerEscaped = false
  #isInside = false
  /** What alone ends the URL: the counterpart of the quote or angle bracket that it began after. */
  #closer = ''
  #parentheses = 0
  #isEscaped = false
  /** The URL's quotes are closed, but text is attached to it. */
  #isBehindQuote = false
  /** The URL is a connection string, and only its name and password have followed the slashes so far. */
  #isLogin = false

  /**
   * @param form `json` if the text is written as JSON: each string in it is then a text of its own
   * @param member the name of the member whose value the text is, if it is one
   */
  constructor(form: 'plain' | 'json', member = '') {
    this.#form = form
    this.#member = member
    this.#isAddress = form === 'plain' && namesUrl(member)
  }

  get isInside(): boolean {
    return this.#isInside
  }

  /**
   * Whether the position is in the name or password of a connection string, such as `postgres://shop:`, which no reader
   * follows.
   */
  get isInLogin(): boolean {
    return this.#isInside && this.#isLogin
  }

  /** A trail of its own for another text that continues this one. */
  copy(): UrlTrail {
    const copy = new UrlTrail(this.#form, this.#member)
    copy.#escape = this.#escape
    copy.#isInString = this.#isInString
    copy.#string = this.#string
    copy.#isAddress = this.#isAddress
    copy.#word = this.#word
    copy.#hasOpenEscape = this.#hasOpenEscape
    copy.#opener = this.#opener
    copy.#openerBefore = this.#openerBefore
    copy.#isOpenerEscaped = this.#isOpenerEscaped
    copy.#isInside = this.#isInside
    copy.#closer = this.#closer
    copy.#parentheses = this.#parentheses
    copy.#isEscaped = this.#isEscaped
    copy.#isBehindQuote = this.#isBehindQuote
    copy.#isLogin = this.#isLogin
    return copy
  }

  /** Consumes `from..to` of a text, which continues where the last call ended. */
  advance(text: string, from: number, to: number): void {
    for (let at = from; at < to;) {
      const dull = this.#passDull(text, at, to)
      if (dull > at) {
        at = dull
        continue
      }
      const unit = text.charAt(at++)
      if (this.#form === 'plain') this.#take(unit)
      else this.#takeJson(unit)
    }
  }

  /**
   * Consumes a run of letters and digits: most of a text consists of them, and they neither begin nor end anything.
   * @returns where the run ends
   */
  #passDull(text: string, from: number, to: number): number {
    if (this.#escape !== '') return from
    const isEscapeBefore = this.#hasOpenEscape || this.#word.slice(-2).includes('%')
    if (!this.#isInside && isEscapeBefore) return from
    let at = from
    while (at < to && isDull(text.charCodeAt(at))) at++
    if (at === from) return from
    this.#note(text, from, at)
    if (this.#isInside) this.#isEscaped = false
    else this.#word = lengthened(this.#word, text.slice(from, at).toLowerCase())
    return at
  }

  #takeJson(unit: string): void {
    if (this.#escape === '' && unit !== '\\') {
      if (unit === '"') this.#passQuote()
      else this.#takeInJson(unit)
      return
    }
    this.#escape += unit
    if (!isWholeEscape(this.#escape)) return
    const escape = this.#escape
    this.#escape = ''
    this.#takeInJson(unescaped(escape))
  }

  #takeInJson(unit: string): void {
    if (!this.#isInString && unit === ':') this.#member = this.#string
    this.#note(unit, 0, 1)
    this.#take(unit)
  }

  #passQuote(): void {
    this.#isInString = !this.#isInString
    this.#isAddress = this.#isInString && namesUrl(this.#member)
    if (this.#isInString) this.#string = ''
    this.#begin('')
  }

  /** Remembers the beginning of a string of JSON, which may be the name of a member. */
  #note(text: string, from: number, to: number): void {
    const room = memberUnitsMax - this.#string.length
    if (this.#isInString && room > 0) this.#string += text.slice(from, Math.min(to, from + room))
  }

  #take(unit: string): void {
    // In a style sheet, a space ends an escape and does nothing else.
    if (this.#hasOpenEscape && this.#endEscape(unit) && isSpace(unit)) return
    if (this.#isInside) {
      if (!loginSigns.includes(unit) && !isDull(unit.charCodeAt(0))) this.#isLogin = false
      if (this.#endsAt(unit)) this.#begin(unit)
    } else if (isSpace(unit)) this.#passSpace(unit)
    else if (unit === '(' && this.#word.endsWith('url')) this.#begin(styleUrl)
    else if (delimiters.includes(unit)) this.#begin(unit)
    else this.#extend(unit)
  }

  /**
   * A URL in quotes or angle brackets may contain spaces, any other may contain quotes, and one in parentheses pairs of
   * them. An opening angle bracket ends a bare URL, and a closing one ends an attribute's; Markdown's destinations may
   * contain both. In a style sheet, spaces end escapes. One that is an argument of its own goes on to its end: programs
   * remove line breaks from it and encode spaces (URL Standard, 4.4).
   */
  #endsAt(unit: string): boolean {
    if (this.#isAddress) return false
    const isEscaped = this.#isEscaped
    this.#isEscaped = !isEscaped && unit === '\\'
    // A shell takes both for nothing: the URL goes on in the next line.
    if (isEscaped && unit === '\n') return false
    if (this.#isBehindQuote) return isSpace(unit) || endsBehindQuote.includes(unit)
    if (this.#closer === '>') return unit === '\n' || (unit === '>' && !isEscaped)
    if (this.#closer === ')') return unit === ')' && !isEscaped
    if (this.#closer !== '') {
      // Text attached to a closing quote belongs to the URL for shells and for programs that detect links.
      if (unit === this.#closer && (!isEscaped || this.#isOpenerEscaped)) this.#isBehindQuote = true
      return false
    }
    if (!isEscaped && unit === '(') this.#parentheses++
    if (!isEscaped && unit === ')') this.#parentheses--
    if (isSpace(unit) || (this.#parentheses < 0 && this.#opener === '(')) return true
    return (unit === '<' && !destinationOpeners.includes(this.#opener)) || (unit === '>' && this.#opener === '=')
  }

  /**
   * In an attribute, leading spaces do not count, nor do line breaks and tabs anywhere; between the two slashes they
   * count only outside quotes. A shell removes a line break after a backslash.
   */
  #passSpace(unit: string): void {
    if (unit === '\n' && this.#word.endsWith('\\')) return this.#goOn(this.#word.slice(0, -1))
    const isAttribute = isQuote(this.#opener) && this.#openerBefore === '='
    if (isAttribute && (this.#word === '' || '\t\n\r'.includes(unit))) return
    // Before the quotes of an attribute, and before a destination.
    if (this.#word === '' && distantOpeners.includes(this.#opener)) return
    if (this.#word === ':' && this.#opener === ']') return this.#begin(reference)
    if (isQuote(this.#opener) && '/\\:'.includes(this.#word.at(-1) ?? ' ')) return
    this.#begin('')
  }

  #extend(unit: string): void {
    const next = unit.toLowerCase()
    if (!isLeadingZero(this.#word, next)) this.#goOn(decodedEnd(lengthened(this.#word, next)))
  }

  /** @returns whether an escape ended before `unit` */
  #endEscape(unit: string): boolean {
    const decoded = decodedBefore(this.#word, unit.toLowerCase())
    if (decoded === this.#word) return false
    this.#goOn(decoded)
    return true
  }

  /** Continues with the word in its current form. */
  #goOn(word: string): void {
    this.#word = word
    this.#hasOpenEscape = openEscapeAt(word) >= 0
    if (!opensUrl(word)) return
    this.#hasOpenEscape = false
    this.#isInside = true
    this.#isLogin = opensConnection(word)
    this.#isEscaped = this.#isBehindQuote = false
    this.#parentheses = 0
    this.#closer = isQuote(this.#opener) ? this.#opener : (closers[this.#opener] ?? '')
  }

  /** Begins a new word. */
  #begin(opener: string): void {
    this.#isInside = this.#hasOpenEscape = false
    this.#isOpenerEscaped = isQuote(opener) && this.#word.endsWith('\\')
    this.#word = ''
    this.#openerBefore = this.#opener
    this.#opener = isSpace(opener) ? '' : opener
  }
}

/** `A-Z`, `a-z`, `0-9`. */
const isDull = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39)

/** The remembered end of a growing word: the same however the text is cut. */
function lengthened(word: string, more: string): string {
  const length = word.length + more.length
  if (length <= wordLengthMax) return word + more
  const kept = wordLengthMax / 2
  return (word + more).slice(-(kept + 1 + ((length - wordLengthMax - 1) % kept)))
}
