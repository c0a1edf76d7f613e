/**
 * The positions of all values of a JSON document, as numbers over its bytes. The document is never rebuilt: what is not
 * edited stays byte for byte what the client sent.
 */
import { JsonWalk, escapedFlag, kindMask, nodeKind, type WalkLimits } from './walk.ts'

export { escapedFlag, kindMask, nodeKind, nonAsciiFlag } from './walk.ts'

/** Decodes valid UTF-8; a byte order mark is an ordinary character (`ignoreBOM: true` of a TextDecoder). */
export type DecodeUtf8 = (bytes: Uint8Array, start: number, end: number) => string

export interface IndexOptions extends WalkLimits {
  readonly decodeUtf8: DecodeUtf8
  /** Bytes between two yields. */
  readonly bytesPerStep?: number
}

/** Larger objects are not searched for the same name again. */
const searchedNodesMax = 64

/** Bytes that are processed in well under a millisecond. */
export const bytesPerStepDefault = 256 * 1024

/**
 * Indexes a JSON document. Yields about every `bytesPerStep` bytes, even inside one long token.
 * @param bytes UTF-8, already validated by the caller; neither changed nor copied
 * @throws BodyError `invalid_json` (with byte offset and what was expected), `too_deep`, `too_many_values`
 */
export function* indexJson(bytes: Uint8Array, options: IndexOptions): Generator<void, JsonIndex, void> {
  const walk = new JsonWalk(bytes, options)
  const step = options.bytesPerStep ?? bytesPerStepDefault
  let until = step
  while (!walk.advance(until)) {
    until += step
    yield
  }
  return new JsonIndex(walk, options.decodeUtf8)
}

/** The tape of an indexed document, and its accessors. The typed arrays may be longer than `count`. */
export class JsonIndex {
  readonly root = 0
  readonly bytes: Uint8Array
  readonly count: number
  /** How many nodes are strings or keys. */
  readonly stringCount: number
  /** Kind in the low four bits ({@link kindMask}), {@link escapedFlag}, {@link nonAsciiFlag}. */
  readonly kinds: Uint8Array
  /** First byte of the token; the opening quote of a string. */
  readonly starts: Int32Array
  /** The byte after the token. */
  readonly ends: Int32Array
  /** The object or array around a node, for a key as for its value; -1 at the root. */
  readonly parents: Int32Array
  /** The node after the subtree; equals the container's own `nexts` entry at its last child. */
  readonly nexts: Int32Array
  readonly #decodeUtf8: DecodeUtf8
  /** By name, what was found in large objects: each of their members may ask for the one that says what they are. */
  #found: Map<string, Map<number, number>> | undefined

  constructor(walk: JsonWalk, decodeUtf8: DecodeUtf8) {
    this.bytes = walk.bytes
    this.count = walk.count
    this.stringCount = walk.stringCount
    this.kinds = walk.kinds
    this.starts = walk.starts
    this.ends = walk.ends
    this.parents = walk.parents
    this.nexts = walk.nexts
    this.#decodeUtf8 = decodeUtf8
  }

  /** One of {@link nodeKind}. */
  kind(node: number): number {
    return this.kinds[node]! & kindMask
  }

  /** The key of a value inside an object, otherwise -1. */
  keyOf(node: number): number {
    const parent = this.parents[node]!
    return parent >= 0 && this.kind(parent) === nodeKind.object && this.kind(node) !== nodeKind.key ? node - 1 : -1
  }

  /** Bytes between the quotes of a string token: never fewer than its UTF-16 code units. */
  byteLength(node: number): number {
    return this.ends[node]! - this.starts[node]! - 2
  }

  /** Whether a string or key, decoded, is this name. */
  is(node: number, name: string): boolean {
    const length = this.byteLength(node)
    // A code unit takes at most six bytes, so a long escaped key is never decoded in vain.
    if (this.kinds[node]! > kindMask) return length <= name.length * 6 && this.text(node) === name
    if (length !== name.length) return false
    const from = this.starts[node]! + 1
    for (let i = 0; i < length; i++) if (this.bytes[from + i] !== name.charCodeAt(i)) return false
    return true
  }

  /** The value of the first key of this (decoded) name, or -1. */
  find(object: number, name: string): number {
    return this.#find(object, name, false)
  }

  /** The value of the last key of this (decoded) name, or -1: of several, most parsers keep this one. */
  findLast(object: number, name: string): number {
    return this.#find(object, name, true)
  }

  #find(object: number, name: string, isLast: boolean): number {
    if (this.kind(object) !== nodeKind.object) return -1
    if (this.nexts[object]! - object <= searchedNodesMax) return this.#search(object, name, isLast)
    const found = (this.#found ??= new Map<string, Map<number, number>>())
    const lookUp = isLast ? `last ${name}` : name
    let known = found.get(lookUp)
    if (known === undefined) found.set(lookUp, (known = new Map<number, number>()))
    const value = known.get(object) ?? this.#search(object, name, isLast)
    known.set(object, value)
    return value
  }

  #search(object: number, name: string, isLast: boolean): number {
    const end = this.nexts[object]!
    let found = -1
    for (let key = object + 1; key < end; key = this.nexts[key + 1]!) {
      if (!this.is(key, name)) continue
      if (!isLast) return key + 1
      found = key + 1
    }
    return found
  }

  /** The decoded text of a string or key. A lone surrogate escape gives a lone surrogate, as `JSON.parse` does. */
  text(node: number): string {
    const start = this.starts[node]!
    const end = this.ends[node]!
    // Escaped text is parsed with its own quotes; adding quotes would cost two more copies of it.
    if ((this.kinds[node]! & escapedFlag) !== 0) return JSON.parse(this.#decodeUtf8(this.bytes, start, end)) as string
    return this.#decodeUtf8(this.bytes, start + 1, end - 1)
  }

  /** Like {@link text} for long strings, with a yield about every `bytesPerStep` bytes. */
  *textInSteps(node: number, bytesPerStep = bytesPerStepDefault): Generator<void, string, void> {
    if (this.byteLength(node) <= bytesPerStep) return this.text(node)
    const escaped = (this.kinds[node]! & escapedFlag) !== 0
    const end = this.ends[node]! - 1
    let at = this.starts[node]! + 1
    let text = ''
    while (at < end) {
      const cut = this.#cut(at, Math.min(end, at + bytesPerStep), end, escaped)
      text += this.#decode(at, cut, escaped)
      at = cut
      if (at < end) yield
    }
    return text
  }

  /** The token of a number, true, false or null as written. */
  raw(node: number): string {
    return this.#decodeUtf8(this.bytes, this.starts[node]!, this.ends[node]!)
  }

  /**
   * JSON pointer to a node, for errors. A key that `isKnown` does not accept may be a client's text and is written as
   * `*`.
   */
  pointer(node: number, isKnown: (key: number) => boolean): string {
    let pointer = ''
    for (let at = node; this.parents[at]! >= 0; at = this.parents[at]!) {
      const parent = this.parents[at]!
      const key = this.kind(at) === nodeKind.key ? at : this.keyOf(at)
      const step = key < 0 ? String(this.#position(parent, at)) : isKnown(key) ? this.text(key) : '*'
      pointer = `/${step}${pointer}`
    }
    return pointer
  }

  #position(array: number, item: number): number {
    let position = 0
    for (let at = array + 1; at < item; at = this.nexts[at]!) position++
    return position
  }

  /**
   * Decodes one string at a time: `JSON.parse` may give wrong key names for an object with escaped keys
   * (nodejs/node#63785), but is right for a single string.
   */
  #decode(start: number, end: number, escaped: boolean): string {
    const text = this.#decodeUtf8(this.bytes, start, end)
    return escaped ? (JSON.parse(`"${text}"`) as string) : text
  }

  /**
   * The first position from `target` on that is neither inside an escape nor inside a UTF-8 sequence; `at` must be such
   * a position.
   */
  #cut(at: number, target: number, end: number, escaped: boolean): number {
    const { bytes } = this
    let cut = target
    if (escaped) {
      cut = at
      while (cut < target) cut += bytes[cut] !== 0x5c ? 1 : bytes[cut + 1] === 0x75 ? 6 : 2
    }
    while (cut < end && (bytes[cut]! & 0xc0) === 0x80) cut++
    return cut
  }
}
