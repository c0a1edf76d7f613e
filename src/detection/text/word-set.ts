/**
 * Finds out whether part of a text is one of several words. V8 makes each string that a `Set` or a `Map` is asked for a
 * permanent one: that takes longer than most matchers, and the string stays in memory until the next full collection,
 * although it may be a client's secret. This compares in place, and keeps nothing (decision 166).
 */
import { standsAt } from './chars.ts'

/** There are at least so many times as many hashes as words, so that few words share one. */
const spread = 2

export class WordSet {
  /** The length of the longest word. */
  readonly unitsMax: number
  readonly #words: readonly string[]
  /** Indexes of words by hash. */
  readonly #byHash: readonly (number[] | undefined)[]

  /** @param words in lower case */
  constructor(words: readonly string[]) {
    this.#words = words
    this.unitsMax = Math.max(0, ...words.map((word) => word.length))
    const count = 1 << (32 - Math.clz32(words.length * spread))
    const byHash = Array.from<number[] | undefined>({ length: count })
    words.forEach((word, index) => {
      const hash = hashOf(word, 0, word.length) & (count - 1)
      const known = byHash[hash]
      if (known === undefined) byHash[hash] = [index]
      else known.push(index)
    })
    this.#byHash = byHash
  }

  /** Whether a word in lower case is in the set. */
  has(word: string): boolean {
    return this.stands(word, 0, word.length)
  }

  /** Whether `[start, end)` of a text is a word of the set, its ASCII letters in any case. */
  stands(text: string, start: number, end: number): boolean {
    return this.placeOf(text, start, end) >= 0
  }

  /** The index of the word that stands in `[start, end)` of a text, its ASCII letters in any case; -1 if none does. */
  placeOf(text: string, start: number, end: number): number {
    const byHash = this.#byHash
    const places = byHash[hashOf(text, start, end) & (byHash.length - 1)]
    if (places === undefined) return -1
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number
      const word = this.#words[place] as string
      if (end - start === word.length && standsAt(text, start, word)) return place
    }
    return -1
  }
}

/** Made of the length and of the first, middle and last code, which are the same for both cases of a letter. */
function hashOf(text: string, start: number, end: number): number {
  if (end <= start) return 0
  const first = text.charCodeAt(start) & 31
  const middle = text.charCodeAt((start + end) >> 1) & 31
  const last = text.charCodeAt(end - 1) & 31
  return first ^ (middle << 2) ^ (last << 5) ^ ((end - start) << 3)
}
