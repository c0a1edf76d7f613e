/** Finds which of many names stands at a place of a text, without creating a string. */
import { codeAt, foldCode } from './chars.ts'

export class NameIndex<T> {
  /** By the first two characters, the longest names first. */
  readonly #byHead = new Map<number, [name: string, value: T][]>()

  /** @param entries names in lower case, of at least two characters */
  constructor(entries: Iterable<readonly [name: string, value: T]>) {
    for (const [name, value] of entries) {
      const head = name.charCodeAt(0) * 256 + name.charCodeAt(1)
      const known = this.#byHead.get(head) ?? []
      known.push([name, value])
      this.#byHead.set(head, known)
    }
    for (const names of this.#byHead.values()) names.sort(([a], [b]) => b.length - a.length)
  }

  /** The longest name that stands at `at` in any case, and its value. */
  at(text: string, at: number): readonly [name: string, value: T] | undefined {
    const names = this.#byHead.get(headAt(text, at))
    if (names === undefined) return undefined
    for (let i = 0; i < names.length; i++) {
      const entry = names[i] as [name: string, value: T]
      if (endsAlike(text, at, entry[0])) return entry
    }
    return undefined
  }
}

function headAt(text: string, at: number): number {
  return foldCode(codeAt(text, at)) * 256 + foldCode(codeAt(text, at + 1))
}

/** Like `standsAt`, for names that begin alike and differ at their ends. */
function endsAlike(text: string, at: number, name: string): boolean {
  if (at + name.length > text.length) return false
  for (let i = name.length - 1; i >= 0; i--) if (foldCode(text.charCodeAt(at + i)) !== name.charCodeAt(i)) return false
  return true
}
