/**
 * The old and the new text of a file edit. A value is restored in the new text only if it was in the old text of the
 * same edit: the client either finds the old text in the file or refuses the edit, so the value stays where it was.
 */

interface Pair {
  readonly old: string
  readonly fresh: string
  /** The client accepts a block if its first and last lines match, whatever is between them. */
  readonly isLoose?: true
}

/** The names of the two texts of an edit, in agents and in the vendors' own editors. */
const pairs: readonly Pair[] = [
  { old: 'old_string', fresh: 'new_string' },
  { old: 'old_str', fresh: 'new_str' },
  { old: 'oldText', fresh: 'newText' },
  { old: 'oldString', fresh: 'newString', isLoose: true }
]
const pairOf = new Map(pairs.flatMap((pair) => [pair.old, pair.fresh].map((name) => [name, pair])))

export class EditedText {
  /** Placeholders in the old text of the current edit. */
  readonly #told = new Set<string>()
  /** The pair of names to which the old text belongs. */
  #pair: Pair | undefined
  #side: 'old' | 'new' | undefined

  /** Another edit begins: what was seen before no longer counts. */
  reset(): void {
    this.#told.clear()
    this.#pair = undefined
    this.end()
  }

  /** @param name of the argument whose text begins; empty if it has none */
  begin(name: string): void {
    const pair = pairOf.get(name)
    if (pair?.old === name) {
      this.#told.clear()
      this.#pair = pair
      this.#side = 'old'
    } else {
      this.#side = pair !== undefined && pair === this.#pair ? 'new' : undefined
    }
  }

  /** Consumes the next character of the text, decoded. */
  take(unit: string): void {
    if (unit === '\n' && this.#side === 'old' && this.#pair?.isLoose) this.#side = undefined
  }

  /** The text ends. */
  end(): void {
    this.#side = undefined
  }

  /**
   * Whether the value of a placeholder at the current position is restored. If so, it counts as seen in an old text.
   */
  allows(placeholder: string): boolean {
    if (this.#side === 'old') this.#told.add(placeholder)
    return this.#side !== undefined && this.#told.has(placeholder)
  }
}
