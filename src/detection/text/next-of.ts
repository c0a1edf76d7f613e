/**
 * Looks for the next character of a set, and remembers how far there is none: where a name stands in each few characters and
 * nothing ends a value, each of them would else read the same hundred characters again.
 */
import type { CharSet } from './chars.ts'

export class NextOf {
  readonly #set: CharSet
  readonly #bit: 0 | 1
  /** Whether what is not ASCII counts. */
  readonly #beyond: boolean
  /** In the text of this number there is none in `[from, to)`. */
  #textNumber = 0
  #from = 0
  #to = 0

  /** @param sort what it looks for: what is in the set, that or what is not ASCII, or all that is not in it */
  constructor(set: CharSet, sort: 'in' | 'inOrBeyond' | 'notIn' = 'in') {
    this.#set = set
    this.#beyond = sort !== 'in'
    this.#bit = sort === 'notIn' ? 0 : 1
  }

  /**
   * The first place in `[from, limit)` where one stands; `limit` where none does.
   * @param textNumber tells the text; 0 for one that is not known again
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
