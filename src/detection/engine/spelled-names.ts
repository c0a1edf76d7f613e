/** Names of values as they stand in a text, in any case and any alphabet. */
import { isWholeWord } from './context-words.ts'
import { charSet, codeAt, foldCode, inSet } from '../text/chars.ts'

/** A name in small and in capital letters, unit for unit. */
interface SpelledName {
  readonly lower: string
  readonly upper: string
}

export class SpelledNames {
  /** By their first two characters, since a detector may have a hundred, and the longest first; see {@link headOf}. */
  readonly #byHead = new Map<number, SpelledName[]>()

  /** @param names in small letters, of two characters at least */
  constructor(names: readonly string[]) {
    // Calls, since V8 would optimise so long a loop while it runs, with all that it does.
    names.forEach((lower) => this.#add({ lower, upper: capitalsOf(lower) }))
    for (const names of this.#byHead.values()) names.sort((a, b) => b.lower.length - a.lower.length)
  }

  #add(name: SpelledName): void {
    const { lower, upper } = name
    const heads = new Set<number>()
    for (const one of [lower, upper])
      for (const other of [lower, upper]) heads.add(headOf(one.charCodeAt(0), other.charCodeAt(1)))
    for (const head of heads) {
      const alike = this.#byHead.get(head)
      if (alike === undefined) this.#byHead.set(head, [name])
      else alike.push(name)
    }
  }

  /** The end of the longest name that stands at `at` as a whole word; -1 where none does. */
  endAt(text: string, at: number): number {
    if (at + 1 >= text.length) return -1
    const names = this.#byHead.get(headOf(text.charCodeAt(at), text.charCodeAt(at + 1)))
    if (names === undefined) return -1
    for (const name of names)
      if (isSpelled(text, at, name)) {
        const end = at + name.lower.length
        return isWholeWord(text, at, end) ? end : -1
      }
    return -1
  }

  /**
   * Whether a sentence says of the value that ends at `at` that it is one of these names: ` is my passport number`,
   * ` (passport number)`.
   */
  areSaidBehind(text: string, at: number): boolean {
    if (text.charCodeAt(at) !== 32) return false
    if (codeAt(text, at + 1) === 40) {
      const end = this.endAt(text, at + 2)
      return end >= 0 && codeAt(text, end) === 41
    }
    if (inSet(noVerbSet, codeAt(text, at + 1))) return false
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
/** What none of them begins with, in ASCII: nearly all numbers are followed by one of these. */
const noVerbSet = charSet(...verbs.map((verb) => verb.charAt(0))).map((bit) => 1 - bit)
/** So far behind the verb the name begins at most: `es mi número de pasaporte`. */
const saidUnitsMax = 24
const stopSet = charSet('.,;:!?()"\n')

/** A number of thirty bits for two codes, without regard to case in ASCII. Few others share one. */
function headOf(first: number, second: number): number {
  return ((foldCode(first) & 0x3fff) << 16) | foldCode(second)
}

/** A name in capitals; a letter that has two units in capitals stays as it is. */
function capitalsOf(name: string): string {
  const upper = name.toUpperCase()
  return upper.length === name.length ? upper : Array.from(name, capitalOf).join('')
}

function capitalOf(letter: string): string {
  const capital = letter.toUpperCase()
  return capital.length === letter.length ? capital : letter
}

/** Whether a name stands at `at` in any case. Names that are asked for together begin alike: it looks at the end first. */
function isSpelled(text: string, at: number, { lower, upper }: SpelledName): boolean {
  if (at + lower.length > text.length) return false
  for (let i = lower.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(at + i)
    if (code !== lower.charCodeAt(i) && code !== upper.charCodeAt(i)) return false
  }
  return true
}
