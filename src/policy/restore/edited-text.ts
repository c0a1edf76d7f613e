/**
 * What a tool that edits files is to replace, and by what. A value goes back into the new text only if it stood in the old
 * one of the same edit: the client finds the old text in the file or refuses the edit, so the value stays where it was.
 */

type Side = 'old' | 'new'

/** The names by which agents and the vendors' own editors call the two texts of an edit. */
const pairs = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['oldText', 'newText']
] as const
const sides = new Map<string, { readonly pair: string; readonly side: Side }>(
  pairs.flatMap(([old, fresh]) => [
    [old, { pair: old, side: 'old' as const }],
    [fresh, { pair: old, side: 'new' as const }]
  ])
)

/** The patch format that several agents share: each line says by its first character what it is. */
const patchHead = '*** Begin Patch'
const patchSides: Readonly<Record<string, Side>> = { ' ': 'old', '-': 'old', '+': 'new' }

export class EditedText {
  /** Placeholders that stood in the old text of the edit under way. */
  readonly #told = new Set<string>()
  /** Which pair of names the old text was called by. */
  #pair = ''
  #side: Side | undefined
  /** Whether the text is a patch; unknown until its first line has ended. */
  #isPatch: boolean | undefined = false
  /** The beginning of the line of a patch. */
  #line = ''

  /** Another edit begins: nothing that was told before counts. */
  reset(): void {
    this.#forget()
    this.end()
  }

  /** @param name of the argument whose text begins; empty where it has none */
  begin(name: string): void {
    const known = sides.get(name)
    if (known?.side === 'old') {
      this.#told.clear()
      this.#pair = known.pair
    }
    this.#side = known?.side === 'new' && known.pair !== this.#pair ? undefined : known?.side
    this.#isPatch = known === undefined ? undefined : false
    this.#line = ''
  }

  /** Takes the next character of the text as its reader reads it. */
  take(unit: string): void {
    if (this.#isPatch === false) return
    if (unit !== '\n') {
      if (this.#line.length <= patchHead.length) this.#line += unit
      if (this.#line.length === 1 && this.#isPatch) this.#beginLine(unit)
      return
    }
    if (this.#isPatch === undefined) {
      this.#isPatch = this.#line === patchHead
      if (this.#isPatch) this.#forget()
    }
    this.#line = ''
    this.#side = undefined
  }

  /** The text ends. */
  end(): void {
    this.#side = undefined
    this.#isPatch = false
  }

  /** Whether the value of a placeholder that stands where the text is now goes back. */
  allows(placeholder: string): boolean {
    if (this.#side === 'old') this.#told.add(placeholder)
    return this.#side !== undefined && this.#told.has(placeholder)
  }

  #forget(): void {
    this.#told.clear()
    this.#pair = ''
  }

  /** Lines that are neither old nor new part one piece of the file from the next. */
  #beginLine(first: string): void {
    this.#side = patchSides[first]
    if (this.#side === undefined) this.#told.clear()
  }
}
