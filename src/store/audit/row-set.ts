/** A set of row numbers with one bit each, in chunks that are allocated when needed. */

const chunkBits = 65_536

export class RowSet {
  readonly #chunks = new Map<number, Uint32Array>()
  #size = 0

  /** How many numbers are in the set. */
  get size(): number {
    return this.#size
  }

  /** @returns false if the number was already in the set */
  add(number: number): boolean {
    const key = Math.floor(number / chunkBits)
    let chunk = this.#chunks.get(key)
    if (!chunk) this.#chunks.set(key, (chunk = new Uint32Array(chunkBits / 32)))
    const isNew = swap(chunk, number % chunkBits, true)
    if (isNew) this.#size++
    return isNew
  }

  /** @returns false if the number was not in the set */
  delete(number: number): boolean {
    const chunk = this.#chunks.get(Math.floor(number / chunkBits))
    const isKnown = chunk !== undefined && swap(chunk, number % chunkBits, false)
    if (isKnown) this.#size--
    return isKnown
  }
}

/** Sets one bit. @returns whether it was different before */
function swap(chunk: Uint32Array, bit: number, to: boolean): boolean {
  const word = chunk[bit >>> 5] ?? 0
  const mask = 1 << (bit & 31)
  if (((word & mask) !== 0) === to) return false
  chunk[bit >>> 5] = word ^ mask
  return true
}
