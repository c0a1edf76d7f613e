/** The list of a body's texts, both while it is built and when it is read. */
import {
  textOrigins as origins,
  textScopes as scopes,
  type TextOrigin,
  type TextScope
} from '../../policy/redaction/text-place.ts'
import type { BodyText, BodyTexts, TextEncoding, TextSection } from '../dialect.ts'

const encodings = ['plain', 'base64', 'data-uri', 'json'] as const

/** What may be done about a text, and whom it comes from. */
export interface TextLabel {
  readonly scope: TextScope
  readonly origin: TextOrigin
  readonly encoding: TextEncoding
}

/** A label as a small number, the form in which the arrays hold it. */
export type LabelCode = number

export function labelCode(scope: TextLabel['scope'], origin: TextOrigin, encoding: TextEncoding = 'plain'): LabelCode {
  return (
    (encodings.indexOf(encoding) * origins.length + origins.indexOf(origin)) * scopes.length + scopes.indexOf(scope)
  )
}

const labels: readonly TextLabel[] = encodings.flatMap((encoding) =>
  origins.flatMap((origin) => scopes.map((scope) => ({ scope, origin, encoding })))
)

export function labelOf(code: LabelCode): TextLabel {
  return labels[code]!
}

/** The same label with the scope `sealed`. */
export function sealed(code: LabelCode): LabelCode {
  return labelCode('sealed', labelOf(code).origin)
}

/** The same label with an encoding. */
export function encoded(code: LabelCode, encoding: TextEncoding): LabelCode {
  const { scope, origin } = labelOf(code)
  return labelCode(scope, origin, encoding)
}

const placeSuffixes: Partial<Record<TextOrigin, string>> = { tool_result: ' tool result', document: ' document' }

/** An entry of the list, created when it is read. */
class ListedText implements BodyText {
  readonly node: number
  readonly scope: TextScope
  readonly origin: TextOrigin
  readonly encoding: TextEncoding
  readonly isNewest: boolean
  readonly #list: TextList
  readonly #position: number

  constructor(list: TextList, position: number, node: number, label: TextLabel) {
    this.node = node
    this.scope = label.scope
    this.origin = label.origin
    this.encoding = label.encoding
    this.isNewest = label.origin === 'user' && list.isNewest(position)
    this.#list = list
    this.#position = position
  }

  place(): string {
    return this.#list.place(this.#position)
  }
}

const sectionsAtStart = 32

/**
 * Collects texts in order, as numbers in arrays: creating an object for each of millions of strings would cost more
 * than finding them. Sections record which part of the body the texts are from.
 */
export class TextList implements BodyTexts {
  #count = 0
  readonly #nodes: Int32Array
  readonly #labels: Uint8Array
  /**
   * For each section: its first text, its name, its index in the array of that name (-1: no array), and its value or
   * -1.
   */
  #sectionStarts: Int32Array
  #sectionPositions: Int32Array
  #sectionNodes: Int32Array
  readonly #sectionNames: string[] = []
  /** The texts of the newest user message, `[from, to)`; empty if the model spoke last. */
  #newestFrom = 0
  #newestTo = 0
  /** Texts in it that precede its last words, `[from, to)`: see {@link endMessage}. */
  #earlierFrom = 0
  #earlierTo = 0

  /** @param countMax most texts that will be added */
  constructor(countMax: number) {
    // One buffer for all five, as for the nodes of the index.
    const slab = new ArrayBuffer((countMax + 3 * sectionsAtStart) * 4 + countMax)
    const sections = (i: number) => new Int32Array(slab, (countMax + i * sectionsAtStart) * 4, sectionsAtStart)
    this.#nodes = new Int32Array(slab, 0, countMax)
    this.#sectionStarts = sections(0)
    this.#sectionPositions = sections(1)
    this.#sectionNodes = sections(2)
    this.#labels = new Uint8Array(slab, (countMax + 3 * sectionsAtStart) * 4, countMax)
  }

  /**
   * Texts added from now on belong to `name`, a word of the API and never a client's.
   * @param position the item of `name`, or -1 for all of it
   * @param node the value that holds all of them, or -1 if there is none
   */
  beginSection(name: string, position: number, node: number): void {
    const section = this.#sectionNames.length
    if (position < 0 && this.#sectionNames.at(-1) === name && this.#sectionPositions[section - 1] === -1) {
      this.#sectionNodes[section - 1] = -1
      return
    }
    if (section === this.#sectionStarts.length) {
      this.#sectionStarts = twice(this.#sectionStarts)
      this.#sectionPositions = twice(this.#sectionPositions)
      this.#sectionNodes = twice(this.#sectionNodes)
    }
    this.#sectionStarts[section] = this.#count
    this.#sectionPositions[section] = position
    this.#sectionNodes[section] = node
    this.#sectionNames.push(name)
  }

  /**
   * The texts added since `from` were a user's message, or the model's. The latest call counts.
   * @param earlierFrom start of the texts in the message that are not its newest: an agent whose request was refused
   *   sends the refused words again, followed by the new ones as one more part
   * @param earlierTo their end, where the last words begin
   */
  endMessage(speaker: TextOrigin, from: number, earlierFrom = 0, earlierTo = 0): void {
    if (speaker === 'user') {
      ;[this.#newestFrom, this.#newestTo] = [from, this.#count]
      ;[this.#earlierFrom, this.#earlierTo] = [earlierFrom, earlierTo]
    } else if (speaker === 'assistant') this.#newestFrom = this.#newestTo = 0
  }

  isNewest(position: number): boolean {
    if (position < this.#newestFrom || position >= this.#newestTo) return false
    return position < this.#earlierFrom || position >= this.#earlierTo
  }

  /** Texts added so far. */
  get count(): number {
    return this.#count
  }

  add(node: number, code: LabelCode): void {
    this.#labels[this.#count] = code
    this.#nodes[this.#count++] = node
  }

  [Symbol.iterator](): Generator<BodyText, void, void> {
    return this.#texts(0, this.#count)
  }

  *#texts(from: number, to: number): Generator<BodyText, void, void> {
    for (let i = from; i < to; i++) yield new ListedText(this, i, this.#nodes[i]!, labels[this.#labels[i]!]!)
  }

  *sections(isOwn: (node: number) => boolean): Generator<TextSection, void, void> {
    const count = this.#sectionNames.length
    let done = 0
    for (let i = 0; i < count; i++) {
      const node = this.#sectionNodes[i]!
      if (node < 0 || !isOwn(node)) continue
      const from = this.#sectionStarts[i]!
      const to = i + 1 < count ? this.#sectionStarts[i + 1]! : this.#count
      if (from > done) yield this.#section(done, from)
      if (to > from) yield this.#section(from, to, this.#sectionNames[i], node)
      done = to
    }
    if (this.#count > done) yield this.#section(done, this.#count)
  }

  #section(from: number, to: number, name = '', node = -1): TextSection {
    const texts = { [Symbol.iterator]: () => this.#texts(from, to) }
    return { name, node, codes: this.#labels.subarray(from, to), texts }
  }

  /** The place of entry `i`, by its section. */
  place(i: number): string {
    let low = 0
    let high = this.#sectionNames.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (this.#sectionStarts[middle]! <= i) low = middle
      else high = middle
    }
    const name = this.#sectionNames[low] ?? 'body'
    const position = this.#sectionPositions[low]!
    const place = position < 0 ? name : `${name}[${position}]`
    return position >= 0 && (name === 'messages' || name === 'input')
      ? place + (placeSuffixes[labels[this.#labels[i]!]!.origin] ?? '')
      : place
  }
}

function twice(array: Int32Array): Int32Array {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
