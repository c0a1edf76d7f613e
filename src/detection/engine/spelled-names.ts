/** Names of values as they stand in a text, in any case and any alphabet. */
import { isWholeWord } from './context-words.ts'
import { charSet, inSet } from '../text/chars.ts'

/** A name in small and in capital letters, unit for unit. */
interface SpelledName {
  readonly lower: string
  readonly upper: string
}

export class SpelledNames {
  /** By their first character, small or capital, since a detector may have a hundred. */
  readonly #byFirst = new Map<number, SpelledName[]>()

  /** @param names in small letters */
  constructor(names: readonly string[]) {
    for (const lower of names) {
      const name = { lower, upper: capitalsOf(lower) }
      for (const first of new Set([lower.charCodeAt(0), name.upper.charCodeAt(0)])) {
        const alike = this.#byFirst.get(first)
        if (alike === undefined) this.#byFirst.set(first, [name])
        else alike.push(name)
      }
    }
  }

  /** The end of the longest name that stands at `at` as a whole word; -1 where none does. */
  endAt(text: string, at: number): number {
    const names = this.#byFirst.get(text.charCodeAt(at))
    if (names === undefined) return -1
    let end = -1
    for (const name of names)
      if (at + name.lower.length > end && isSpelled(text, at, name)) end = at + name.lower.length
    return end >= 0 && isWholeWord(text, at, end) ? end : -1
  }

  /** Whether a sentence says of the value that ends at `at` that it is one of these names: ` is my passport number`. */
  areSaidBehind(text: string, at: number): boolean {
    if (text.charCodeAt(at) !== 32) return false
    let verbEnd = at + 1
    while (verbEnd < at + 2 + verbUnitsMax && verbEnd < text.length && text.charCodeAt(verbEnd) !== 32) verbEnd++
    if (!verbs.includes(text.slice(at + 1, verbEnd))) return false
    const limit = Math.min(text.length, verbEnd + saidUnitsMax)
    for (let i = verbEnd; i < limit; i++) {
      const code = text.charCodeAt(i)
      if (inSet(stopSet, code)) return false
      if (code === 32 && this.endAt(text, i + 1) >= 0) return true
    }
    return false
  }
}

const verbs = ['is', 'was', 'ist', 'war', 'es', 'est', 'är', 'er', 'on', 'è', 'é', 'to', 'jest', 'je']
const verbUnitsMax = 4
/** So far behind the verb the name begins at most: `es mi número de pasaporte`. */
const saidUnitsMax = 24
const stopSet = charSet('.,;:!?()"\n')

/** A name in capitals; a letter that has two units in capitals stays as it is. */
function capitalsOf(name: string): string {
  const upper = name.toUpperCase()
  return upper.length === name.length ? upper : Array.from(name, capitalOf).join('')
}

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase()
  return capital.length === letter.length ? capital : letter
}

/** Whether a name stands at `at` in any case. */
function isSpelled(text: string, at: number, { lower, upper }: SpelledName): boolean {
  if (at + lower.length > text.length) return false
  for (let i = 0; i < lower.length; i++) {
    const code = text.charCodeAt(at + i)
    if (code !== lower.charCodeAt(i) && code !== upper.charCodeAt(i)) return false
  }
  return true
}
