/**
 * Follows a text and knows whether its end stands inside a URL. A value that is put back into a URL leaves with the first
 * request for it, and a model can be talked into writing one in any disguise that some reader undoes: so a doubt counts
 * as a URL. Memory does not depend on the length of the URL or the text, so that no padding leads out of it.
 */
import { decodedEnd, isBareHost, opensUrl } from './url-beginning.ts'

const quotes = '"\'`'
const delimiters = `${quotes}<>()[]{}|=,`
/** Of a longer word the end is remembered: a scheme, an entity or a host stands in it. */
const wordLengthMax = 300

const isSpace = (unit: string): boolean => unit <= ' ' || unit === '\u00A0'
const isQuote = (unit: string): boolean => unit !== '' && quotes.includes(unit)

export class UrlTrail {
  readonly #form: 'plain' | 'json'
  /** Of a JSON text, what has come of an escape. */
  #escape = ''
  /** What has come since the last delimiter or space, in lower case; nothing inside a URL. */
  #word = ''
  /** The delimiter before the word, and the one before that; empty for a space. */
  #opener = ''
  #openerBefore = ''
  #isInside = false
  /** What alone ends the URL: the partner of the quote or angle bracket that it began behind. */
  #closer = ''
  #parentheses = 0
  #isEscaped = false

  /** @param form `json` where the text is written as JSON: each string in it is then a text of its own */
  constructor(form: 'plain' | 'json') {
    this.#form = form
  }

  get isInside(): boolean {
    return this.#isInside
  }

  /** Takes in `from..to` of a text, which goes on where the last call ended. */
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
   * Takes in letters and digits at once: most of a text are such, and alone they begin and end nothing.
   * @returns up to where
   */
  #passDull(text: string, from: number, to: number): number {
    if (this.#escape !== '') return from
    const isEscapeBefore = !this.#isInside && this.#word.slice(-2).includes('%')
    if (isEscapeBefore) return from
    let at = from
    while (at < to && isDull(text.charCodeAt(at))) at++
    if (at === from) return from
    if (this.#isInside) this.#isEscaped = false
    else this.#word = lengthened(this.#word, text.slice(from, at).toLowerCase())
    return at
  }

  #takeJson(unit: string): void {
    if (this.#escape === '' && unit !== '\\') {
      if (unit === '"') this.#begin('')
      else this.#take(unit)
      return
    }
    this.#escape += unit
    if (this.#escape.length < (this.#escape[1] === 'u' ? 6 : 2)) return
    const escape = this.#escape
    this.#escape = ''
    this.#take(unescaped(escape))
  }

  #take(unit: string): void {
    if (this.#isInside) {
      if (this.#endsAt(unit)) this.#begin(unit)
    } else if (isSpace(unit)) this.#passSpace()
    else if (delimiters.includes(unit)) this.#begin(unit)
    else this.#extend(unit)
  }

  /** A URL in quotes or angle brackets goes over spaces, any other over quotes and pairs of parentheses. */
  #endsAt(unit: string): boolean {
    if (this.#closer !== '') return unit === this.#closer || (this.#closer === '>' && unit === '\n')
    const counts = !this.#isEscaped
    this.#isEscaped = counts && unit === '\\'
    if (counts && unit === '(') this.#parentheses++
    if (counts && unit === ')') this.#parentheses--
    return isSpace(unit) || unit === '<' || unit === '>' || this.#parentheses < 0
  }

  /** In an attribute spaces at the beginning do not count, nor line breaks and tabs between the two slashes. */
  #passSpace(): void {
    const isLeading = this.#word === '' && isQuote(this.#opener) && this.#openerBefore === '='
    const isAmidSlashes = isQuote(this.#opener) && '/\\:'.includes(this.#word.at(-1) ?? ' ')
    if (!isLeading && !isAmidSlashes) this.#begin('')
  }

  #extend(unit: string): void {
    const isHost = '/?#'.includes(unit) && isBareHost(this.#word)
    this.#word = decodedEnd(lengthened(this.#word, unit.toLowerCase()))
    if (!isHost && !opensUrl(this.#word)) return
    this.#isInside = true
    this.#isEscaped = false
    this.#parentheses = 0
    this.#closer = this.#opener === '<' ? '>' : isQuote(this.#opener) ? this.#opener : ''
  }

  /** A new word. */
  #begin(opener: string): void {
    this.#isInside = false
    this.#word = ''
    this.#openerBefore = this.#opener
    this.#opener = isSpace(opener) ? '' : opener
  }
}

/** `A-Z`, `a-z`, `0-9`. */
const isDull = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39)

/** The end of a word that goes on: as much of it as if it had come unit by unit, however a text is cut. */
function lengthened(word: string, more: string): string {
  const length = word.length + more.length
  if (length <= wordLengthMax) return word + more
  const kept = wordLengthMax / 2
  return (word + more).slice(-(kept + 1 + ((length - wordLengthMax - 1) % kept)))
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function unescaped(escape: string): string {
  const kind = escape.charAt(1)
  if (kind === 'u') return String.fromCharCode(Number.parseInt(escape.slice(2), 16) || 0)
  return controls[kind] ?? kind
}
