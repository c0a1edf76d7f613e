/** Names of numbers as they stand in a text, in any case and any alphabet. */
import { isWholeWord } from '../engine/context-words.ts'
import { foldCode } from '../text/chars.ts'

export class SpelledNames {
  /** By their first character, since a detector may have fifty. */
  readonly #byFirst = new Map<number, string[]>()

  /** @param names in small letters */
  constructor(names: readonly string[]) {
    for (const name of names) {
      const first = name.charCodeAt(0)
      const alike = this.#byFirst.get(first)
      if (alike === undefined) this.#byFirst.set(first, [name])
      else alike.push(name)
    }
  }

  /** The end of the longest name that stands at `at` as a whole word; -1 where none does. */
  endAt(text: string, at: number): number {
    const names = this.#byFirst.get(smallCode(text, at))
    if (names === undefined) return -1
    let end = -1
    for (const name of names) if (at + name.length > end && isSpelled(text, at, name)) end = at + name.length
    return end >= 0 && isWholeWord(text, at, end) ? end : -1
  }
}

function smallCode(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 128 ? foldCode(code) : text.charAt(at).toLowerCase().charCodeAt(0)
}

/** Whether a name stands at `at` in any case. */
function isSpelled(text: string, at: number, name: string): boolean {
  if (at + name.length > text.length) return false
  for (let i = 0; i < name.length; i++) if (smallCode(text, at + i) !== name.charCodeAt(i)) return false
  return true
}
