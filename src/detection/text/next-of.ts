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
  readonly #counts: (text: string, at: number) => boolean
  /** The text, and the range `[from, to)` of it in which there is none. */
  #textNumber = 0
  #from = 0
  #to = 0

  /**
   * @param sort `in`: characters of the set; `inOrBeyond`: those and all beyond ASCII; `notIn`: all others
   * @param counts whether such a character at a place counts, which nothing but the text may decide
   */
  constructor(
    set: CharSet,
    sort: 'in' | 'inOrBeyond' | 'notIn' = 'in',
    counts: (text: string, at: number) => boolean = always
  ) {
    this.#set = set
    this.#counts = counts
    this.#beyond = sort !== 'in'
    this.#bit = sort === 'notIn' ? 0 : 1
  }

  /**
   * The first such character in `[from, limit)`; `limit` if there is none.
   * @param textNumber identifies the text, so that earlier answers count; 0 for none
   */
  at(text: string, from: number, limit: number, textNumber: number): number {
    const isSame = textNumber !== 0 && textNumber === this.#textNumber && from <= this.#to
    let i = from
    // Kinds that look in different places around a name ask by turns before and in what is known.
    if (isSame && i < this.#from) i = this.#next(text, i, Math.min(limit, this.#from))
    if (isSame && i >= this.#from) {
      this.#from = Math.min(from, this.#from)
      i = this.#next(text, this.#to, limit)
    } else {
      if (!isSame) i = this.#next(text, from, limit)
      this.#from = from
    }
    this.#to = i
    this.#textNumber = textNumber
    return Math.min(i, limit)
  }

  #next(text: string, from: number, limit: number): number {
    let i = from
    for (; i < limit; i++) {
      const code = text.charCodeAt(i)
      if ((code < 128 ? this.#set[code] === this.#bit : this.#beyond) && this.#counts(text, i)) break
    }
    return i
  }
}

const always = (): boolean => true
