/**
 * Follows the arguments of an editing tool as they arrive, in pieces of any length, and knows which text of which edit
 * they are in. What is not plain JSON, or nested deeper than such arguments are, does not count as an edit.
 */
import { EditedText, newEditedObject, type EditedObject } from './edited-text.ts'
import { isWholeEscape, unescaped } from './json-escape.ts'

const depthMax = 32
const nameLengthMax = 64
const white = ' \t\n\r'
/** What may be outside strings besides brackets, commas, colons and white space: numbers, `true`, `false`, `null`. */
const literals = '-+.0123456789aeflnrstuE'

/** Follows a text and decides which values are restored in it. */
export interface EditFollower {
  /**
   * Consumes `from..to` of the text, which continues where the last call ended.
   * @param onRepeat called with the position of each text that the client must not find in a file: a second old text,
   *   after a value was restored for the sake of the first
   */
  advance(text: string, from: number, to: number, onRepeat: (at: number) => void): void
  /** Whether the text must be followed as it comes, since such a text may begin. */
  readonly isWatching: boolean
  /**
   * Whether the value of a placeholder at the current position is restored. If so, it counts as seen in an old text.
   */
  allows(placeholder: string): boolean
}

/** Arguments that arrive as an object: each text on its own, in the order of the object. */
export class EditMembers {
  readonly #text = new EditedText()
  readonly #objects = new Map<number, EditedObject>()
  #object: number | undefined

  /** @param object a distinct number for each object whose members are followed */
  member(object: number, name: string): EditFollower {
    if (object !== this.#object) this.#text.reset(this.#known(object))
    this.#object = object
    let isRepeat = this.#text.begin(name)
    return {
      advance: (text, from, to, onRepeat) => {
        if (isRepeat) onRepeat(from)
        isRepeat = false
        for (let at = from; at < to; at++) this.#text.take(text.charAt(at))
      },
      isWatching: false,
      allows: (placeholder) => this.#text.allows(placeholder)
    }
  }

  #known(object: number): EditedObject {
    const known = this.#objects.get(object) ?? newEditedObject()
    this.#objects.set(object, known)
    return known
  }
}

export class EditArguments implements EditFollower {
  readonly #text = new EditedText()
  /** The open brackets, innermost last. */
  readonly #open: { readonly bracket: '{' | '['; readonly object: EditedObject }[] = []
  #isInString = false
  #isName = false
  #isNameNext = false
  #name = ''
  #escape = ''
  #isBroken = false

  advance(text: string, from: number, to: number, onRepeat: (at: number) => void): void {
    for (let at = from; at < to; at++) {
      const unit = text.charAt(at)
      if (this.#isInString) this.#takeInString(unit)
      else if (unit !== '"') this.#takeOutside(unit)
      else if (this.#beginString()) onRepeat(at + 1)
    }
  }

  get isWatching(): boolean {
    return this.#text.isWatching
  }

  allows(placeholder: string): boolean {
    return !this.#isBroken && this.#text.allows(placeholder)
  }

  #takeInString(unit: string): void {
    if (this.#escape === '' && unit === '"') return this.#endString()
    if (this.#escape === '' && unit !== '\\') return this.#read(unit)
    this.#escape += unit
    if (!isWholeEscape(this.#escape)) return
    this.#read(unescaped(this.#escape))
    this.#escape = ''
  }

  #read(unit: string): void {
    if (!this.#isName) this.#text.take(unit)
    else if (this.#name.length <= nameLengthMax) this.#name += unit
  }

  #endString(): void {
    this.#isInString = false
    if (!this.#isName) this.#text.end()
  }

  /** @returns see {@link EditedText.begin} */
  #beginString(): boolean {
    this.#isInString = true
    this.#isName = this.#isNameNext
    this.#isNameNext = false
    if (!this.#isName) return this.#text.begin(this.#isInObject ? this.#name : '')
    this.#name = ''
    return false
  }

  get #isInObject(): boolean {
    return this.#open.at(-1)?.bracket === '{'
  }

  #takeOutside(unit: string): void {
    if (unit === '{' || unit === '[') this.#enter(unit)
    else if (unit === '}' || unit === ']') this.#leave()
    else if (unit === ',') this.#isNameNext = this.#isInObject
    else if (unit === ':') this.#isNameNext = false
    else if (!white.includes(unit) && !literals.includes(unit)) this.#isBroken = true
  }

  #enter(bracket: '{' | '['): void {
    const object = newEditedObject()
    this.#open.push({ bracket, object })
    this.#isNameNext = bracket === '{'
    this.#text.reset(object)
    if (this.#open.length > depthMax) this.#isBroken = true
  }

  #leave(): void {
    this.#open.pop()
    this.#isNameNext = false
    this.#text.reset(this.#open.at(-1)?.object ?? newEditedObject())
  }
}
