/** A seeded source of numbers, so that two runs measure the same bytes. */
export interface Random {
  /** An integer from 0 to `below` - 1. */
  below(below: number): number
  pick<T>(list: readonly T[]): T
  /** `length` characters of an alphabet. */
  text(alphabet: string, length: number): string
}

/** The generator mulberry32: 32 bits of state, good enough for text and fast. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number): number => Math.floor((next() / 0x1_0000_0000) * limit)
  return {
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    text(alphabet, length) {
      let out = ''
      while (out.length < length) out += alphabet.charAt(below(alphabet.length))
      return out
    }
  }
}
