/**
 * Whether one of several words occurs in part of a text, in any case. `toLowerCase().includes(...)` for each of thirty
 * words would allocate a string and read it thirty times; this reads the text once and allocates nothing.
 */
import { codeAt, standsAt } from './chars.ts'

/** Bits of a key made of the last three codes: five of each, which are the same for both cases of a letter. */
const keyBits = 15
const keyMask = (1 << keyBits) - 1
const headUnits = 3

export class WordList {
  readonly #marks = new Int32Array(1 << (keyBits - 5))
  readonly #byHead = new Map<number, string[]>()

  /** @param words in lower case, of at least three characters */
  constructor(words: readonly string[]) {
    for (const word of words) {
      if (word.length < headUnits) throw new RangeError(`A word of a list is shorter than ${headUnits} characters.`)
      let key = 0
      for (let i = 0; i < headUnits; i++) key = roll(key, word.charCodeAt(i))
      this.#marks[key >> 5] = (this.#marks[key >> 5] as number) | (1 << (key & 31))
      const known = this.#byHead.get(key)
      if (known === undefined) this.#byHead.set(key, [word])
      else known.push(word)
    }
  }

  /** Whether a word occurs in `[start, end)`. */
  standsIn(text: string, start: number, end: number): boolean {
    const marks = this.#marks
    const to = Math.min(end, text.length)
    let key = 0
    for (let i = start; i < to; i++) {
      key = roll(key, text.charCodeAt(i))
      if (((marks[key >> 5] as number) >>> (key & 31)) & 1 && i - start >= headUnits - 1)
        if (this.#beginsAt(text, i - headUnits + 1, to, key)) return true
    }
    return false
  }

  /** Whether a word begins at `at` and ends at or before `end`. */
  beginsAt(text: string, at: number, end = text.length): boolean {
    let key = 0
    for (let i = at; i < at + headUnits; i++) key = roll(key, codeAt(text, i))
    return ((this.#marks[key >> 5] as number) >>> (key & 31)) & 1 ? this.#beginsAt(text, at, end, key) : false
  }

  #beginsAt(text: string, at: number, end: number, key: number): boolean {
    const words = this.#byHead.get(key)
    if (words === undefined) return false
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as string
      if (at + word.length <= end && standsAt(text, at, word)) return true
    }
    return false
  }
}

function roll(key: number, code: number): number {
  return ((key << 5) | (code & 31)) & keyMask
}
