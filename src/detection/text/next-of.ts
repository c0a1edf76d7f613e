/**
 * Finds the next character of a set, and remembers how far there is none. Without that, in a text with a name every few
 * characters and nothing that ends a value, each name would read the same hundred characters again.
 */
import type { CharSet } from './chars.ts'

export class NextOf {
  readonly #set: CharSet
  readonly #bit: 0 | 1
  /** Whether characters beyond ASCII count. */
  readonly #beyond: boolean
  /** The text, and the range `[from, to)` of it in which there is none. */
  #textNumber = 0
  #from = 0
  #to = 0

  /** @param sort `in`: characters of the set; `inOrBeyond`: those and all beyond ASCII; `notIn`: all others */
  constructor(set: CharSet, sort: 'in' | 'inOrBeyond' | 'notIn' = 'in') {
    this.#set = set
    this.#beyond = sort !== 'in'
    this.#bit = sort === 'notIn' ? 0 : 1
  }

  /**
   * The first such character in `[from, limit)`; `limit` if there is none.
   * @param textNumber identifies the text, so that earlier answers count; 0 for none
   */
  at(text: string, from: number, limit: number, textNumber: number): number {
    const isKnown = textNumber !== 0 && textNumber === this.#textNumber && from >= this.#from && from <= this.#to
    let i = isKnown ? this.#to : from
    for (; i < limit; i++) {
      const code = text.charCodeAt(i)
      if (code < 128 ? this.#set[code] === this.#bit : this.#beyond) break
    }
    if (!isKnown) this.#from = from
    this.#to = i
    this.#textNumber = textNumber
    return Math.min(i, limit)
  }
}
