/**
 * What a tool that edits files is to replace, and by what. A value goes back into the new text only if it stood in the old
 * one of the same edit: the client finds the old text in the file or refuses the edit, so the value stays where it was.
 */

interface Pair {
  readonly old: string
  readonly fresh: string
  /** Its client takes a block for found whose first and last lines are there, whatever stands between them. */
  readonly isLoose?: true
}

/** The names by which agents and the vendors' own editors call the two texts of an edit. */
const pairs: readonly Pair[] = [
  { old: 'old_string', fresh: 'new_string' },
  { old: 'old_str', fresh: 'new_str' },
  { old: 'oldText', fresh: 'newText' },
  { old: 'oldString', fresh: 'newString', isLoose: true }
]
const pairOf = new Map(pairs.flatMap((pair) => [pair.old, pair.fresh].map((name) => [name, pair])))

export class EditedText {
  /** Placeholders that stood in the old text of the edit under way. */
  readonly #told = new Set<string>()
  /** What the old text was called by. */
  #pair: Pair | undefined
  #side: 'old' | 'new' | undefined

  /** Another edit begins: nothing that was told before counts. */
  reset(): void {
    this.#told.clear()
    this.#pair = undefined
    this.end()
  }

  /** @param name of the argument whose text begins; empty where it has none */
  begin(name: string): void {
    const pair = pairOf.get(name)
    const isOld = pair?.old === name
    if (isOld) {
      this.#told.clear()
      this.#pair = pair
    }
    this.#side = pair === undefined || pair !== this.#pair ? undefined : isOld ? 'old' : 'new'
  }

  /** Takes the next character of the text as its reader reads it. */
  take(unit: string): void {
    if (unit === '\n' && this.#side === 'old' && this.#pair?.isLoose) this.#side = undefined
  }

  /** The text ends. */
  end(): void {
    this.#side = undefined
  }

  /** Whether the value of a placeholder that stands where the text is now goes back. It then counts as told by an old text. */
  allows(placeholder: string): boolean {
    if (this.#side === 'old') this.#told.add(placeholder)
    return this.#side !== undefined && this.#told.has(placeholder)
  }
}
