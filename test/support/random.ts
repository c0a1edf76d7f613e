/** Pseudo-random numbers that are the same in every run. */
export interface SeededRandom {
  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  /** `length` characters from `alphabet`. */
  text(alphabet: string, length: number): string
}

/** The mulberry32 generator: small, fast and good enough to tell planted values apart. */
export function createRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number): number => Math.floor((next() / 4_294_967_296) * limit)
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
