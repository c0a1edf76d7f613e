/**
 * Text in a parameter of a URL or a form: `?text=one%0Atwo`, `body=one+two%21`.
 *
 * Source of facts: RFC 3986 section 2; the URL standard, section 5 (`application/x-www-form-urlencoded`).
 */
import { charSet, countOf, dottedNameSet, lowerSet, runEnd, runStart } from '../text/chars.ts'
import { Escape } from './escapes.ts'
import { DecodedText } from './decoded-text.ts'

/** Characters that encoders leave unchanged, and those that begin an escape. */
const valueSet = charSet('A-Z', 'a-z', '0-9', "%._~-+*'()!,:;@/$|")
/** How far before an escape a value may begin, and the longest part of one that is read in one go. */
const headUnitsMax = 2048
const partUnitsMax = 16_384

/** The shortest value with room for a name and a secret. */
const unitsMin = 12

const percent = 37
const plus = 43
const equals = 61
const nameUnitsMax = 48

const textEscapes = ['%22', '%0A', '%0a']

/** Finds the values around escapes, which are reported in the order of their places. */
export class ParameterReader {
  readonly #text: string
  readonly #escape = new Escape()
  /** Escapes before this place were read. */
  #seenTo = 0

  constructor(text: string) {
    this.#text = text
  }

  /**
   * Reads the value around the escape or blank at `at`, or its next part; undefined if it was read already, or is not
   * text.
   */
  read(at: number): DecodedText | undefined {
    if (at < this.#seenTo) return undefined
    const text = this.#text
    const from = runStart(text, at, valueSet, Math.min(headUnitsMax, at - this.#seenTo))
    const to = runEnd(text, at, valueSet, partUnitsMax)
    this.#seenTo = to
    if (to - from < unitsMin) return undefined
    const value = text.slice(from, to)
    // A form writes a blank as a plus, and a plus as an escape.
    const isForm = !value.includes('%20')
    // A value without blanks and quotes was already read through its escapes.
    const isText = isForm ? value.includes('+') || textEscapes.some((one) => value.includes(one)) : true
    if (!isText) return undefined
    return this.#decode(countOf(value, 0, value.length, lowerSet) === 0 ? this.#nameStart(from) : from, to, isForm)
  }

  /** Where the parameter begins whose name says what a number is: `nhs_number=943%20476%205919`. */
  #nameStart(from: number): number {
    return from > 0 && this.#text.charCodeAt(from - 1) === equals
      ? runStart(this.#text, from - 1, dottedNameSet, nameUnitsMax)
      : from
  }

  #decode(from: number, to: number, isForm: boolean): DecodedText {
    const text = this.#text
    const written = new DecodedText()
    let run = from
    for (let i = from; i < to;) {
      const code = text.charCodeAt(i)
      const isBlank = isForm && code === plus
      if (!isBlank && !(code === percent && this.#escape.read(text, i))) {
        i++
        continue
      }
      const end = isBlank ? i + 1 : this.#escape.end
      written.add(text.slice(run, i), run, i)
      written.add(isBlank ? ' ' : String.fromCharCode(this.#escape.code), i, end)
      i = end
      run = end
    }
    written.add(text.slice(run, to), run, to)
    return written
  }
}
