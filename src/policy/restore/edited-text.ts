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

/** A client may ignore case and underscores, and take one of these names for another. */
const plainName = (name: string): string => name.replaceAll('_', '').replaceAll('-', '').toLowerCase()
const oldNames = new Set(pairs.map(({ old }) => plainName(old)))

/** What is known of one object of the arguments, to be kept while others inside it are read. */
export interface EditedObject {
  /** How many old texts it has had. Clients disagree which of several counts. */
  olds: number
  /** Whether a value was restored in its new text. */
  hasValue: boolean
}

export const newEditedObject = (): EditedObject => ({ olds: 0, hasValue: false })

export class EditedText {
  /** Placeholders in the old text of the current edit. */
  readonly #told = new Set<string>()
  /** The pair of names to which the old text belongs. */
  #pair: Pair | undefined
  #side: 'old' | 'new' | undefined
  #object = newEditedObject()
  #isWatching = false

  /**
   * Another edit begins, or an earlier one goes on: what was seen in an old text no longer counts.
   * @param object what is known of it
   */
  reset(object: EditedObject): void {
    this.#object = object
    this.#pair = undefined
    this.end()
  }

  /** Whether a value was restored in a new text, so that no later text may begin unnoticed. */
  get isWatching(): boolean {
    return this.#isWatching
  }

  /**
   * @param name of the argument whose text begins; empty if it has none
   * @returns whether it is a second old text, after a value was restored in the new one for the sake of the first
   */
  begin(name: string): boolean {
    if (oldNames.has(plainName(name))) this.#object.olds++
    const pair = pairOf.get(name)
    if (pair?.old === name) {
      this.#told.clear()
      this.#pair = pair
      this.#side = 'old'
    } else {
      this.#side = pair !== undefined && pair === this.#pair && this.#object.olds === 1 ? 'new' : undefined
    }
    return this.#object.hasValue && oldNames.has(plainName(name))
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
    const isAllowed = this.#side !== undefined && this.#told.has(placeholder)
    if (isAllowed && this.#side === 'new') this.#isWatching = this.#object.hasValue = true
    return isAllowed
  }
}
