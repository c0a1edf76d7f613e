/**
 * Finds what begins at the places of a text, and remembers it: values stand close together, and what is around one of
 * them is around the next as well. Without that, each would read the same hundreds of characters again.
 */

/** How many are remembered. */
const countMax = 2048
/** What is left out between two ranges, such as a value, is read as well if it is not longer, in code units. */
const gapUnitsMax = 256

export class Places<T> {
  /** What begins at a place, whatever range is asked for; undefined for nothing. */
  readonly #find: (text: string, at: number) => T | undefined
  /** The text, and the range `[from, to)` of it that was read. */
  #textNumber = 0
  #from = 0
  #to = 0
  #places: number[] = []
  #found: T[] = []

  constructor(find: (text: string, at: number) => T | undefined) {
    this.#find = find
  }

  /** How many are known. */
  get count(): number {
    return this.#places.length
  }

  place(i: number): number {
    return this.#places[i] as number
  }

  found(i: number): T {
    return this.#found[i] as T
  }

  /**
   * Reads `[from, to)`, as far as it was not read before. Places behind `to` may be known as well.
   * @param textNumber identifies the text, so that earlier answers count; 0 for none
   * @returns the number of the first place that is not before `from`
   */
  read(text: string, from: number, to: number, textNumber: number): number {
    const isSame = textNumber !== 0 && textNumber === this.#textNumber
    const isKnown = isSame && from >= this.#from && from <= this.#to + gapUnitsMax
    if (!isKnown || this.#places.length > countMax) {
      this.#places = []
      this.#found = []
      this.#from = from
      this.#to = from
    }
    this.#textNumber = textNumber
    for (; this.#to < to; this.#to++) {
      const found = this.#find(text, this.#to)
      if (found === undefined) continue
      this.#places.push(this.#to)
      this.#found.push(found)
    }
    return this.#firstFrom(from)
  }

  /**
   * Reads as {@link read} does.
   * @returns the number of the last place in `[from, to)`; -1 if there is none
   */
  readLast(text: string, from: number, to: number, textNumber: number): number {
    const first = this.read(text, from, to, textNumber)
    const last = this.#firstFrom(to) - 1
    return last < first ? -1 : last
  }

  #firstFrom(from: number): number {
    let low = 0
    for (let high = this.#places.length; low < high;) {
      const middle = (low + high) >> 1
      if ((this.#places[middle] as number) < from) low = middle + 1
      else high = middle
    }
    return low
  }
}
