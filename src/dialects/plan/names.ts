/**
 * Field names and block types that a dialect knows, looked up by their bytes without creating strings. A key that is
 * such a fixed public word cannot hold a client's text.
 */
import { kindMask, type JsonIndex } from '../json/json-index.ts'

/**
 * Names that decide what a value is, or whose value is judged by a neighbour. None of them may be repeated in an object
 * that a dialect reads: vendors differ in which of the two they use.
 */
export const decisiveNames = [
  'role',
  'type',
  'content',
  'messages',
  'input',
  'system',
  'model',
  'stream',
  'media_type',
  'source',
  'data',
  'signature',
  'thinking',
  'text'
] as const
export type DecisiveName = (typeof decisiveNames)[number]

/** Keywords of JSON Schema, which make up most of an agent's tool definitions. */
export const schemaWords = [
  '$schema',
  '$ref',
  '$defs',
  'additionalProperties',
  'allOf',
  'anyOf',
  'const',
  'default',
  'definitions',
  'description',
  'enum',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'not',
  'nullable',
  'oneOf',
  'pattern',
  'prefixItems',
  'properties',
  'propertyNames',
  'required',
  'strict',
  'title',
  'type',
  'uniqueItems'
] as const

const slots = 1024

function slotOf(length: number, first: number, middle: number, last: number): number {
  return (length * 31 + first * 7 + middle * 131 + last * 17) & (slots - 1)
}

/** A fixed set of ASCII names, with ids from 0 in the given order. */
export class NameTable {
  readonly count: number
  readonly #ids = new Map<string, number>()
  readonly #bytes: Uint8Array[] = []
  readonly #chains: (number[] | undefined)[] = Array.from({ length: slots })
  #lengthMax = 0

  constructor(names: Iterable<string>) {
    for (const name of names) if (!this.#ids.has(name)) this.#add(name)
    this.count = this.#ids.size
  }

  #add(name: string): void {
    const id = this.#bytes.length
    const bytes = Uint8Array.from(name, (letter) => letter.charCodeAt(0))
    this.#ids.set(name, id)
    this.#bytes.push(bytes)
    this.#lengthMax = Math.max(this.#lengthMax, bytes.length)
    const slot = slotOf(bytes.length, bytes[0]!, bytes[bytes.length >>> 1]!, bytes.at(-1)!)
    const chain = this.#chains[slot]
    if (chain === undefined) this.#chains[slot] = [id]
    else chain.push(id)
  }

  /** @returns the id of a name, or -1 */
  id(name: string): number {
    return this.#ids.get(name) ?? -1
  }

  /** @returns the id of the decoded text of a string or key, or -1 */
  idOf(index: JsonIndex, node: number): number {
    const { bytes } = index
    const length = index.byteLength(node)
    if (index.kinds[node]! > kindMask) return length > this.#lengthMax * 6 ? -1 : this.id(index.text(node))
    if (length === 0 || length > this.#lengthMax) return -1
    const from = index.starts[node]! + 1
    const chain = this.#chains[slotOf(length, bytes[from]!, bytes[from + (length >>> 1)]!, bytes[from + length - 1]!)]
    if (chain === undefined) return -1
    for (const id of chain) if (this.#equal(id, bytes, from, length)) return id
    return -1
  }

  #equal(id: number, bytes: Uint8Array, from: number, length: number): boolean {
    const name = this.#bytes[id]!
    if (name.length !== length) return false
    for (let i = 0; i < length; i++) if (name[i] !== bytes[from + i]) return false
    return true
  }
}
