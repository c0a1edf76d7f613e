/**
 * The validating walk over the bytes of a JSON document (RFC 8259). It accepts exactly what `JSON.parse` accepts and
 * records where each value is, without building one. It never recurses and can pause after any byte, so that neither
 * the depth nor the size of a body can block or crash the process.
 */
import { BodyError } from './body-error.ts'
import { stringWindow, windowBytes, type StringWindow } from './string-window.ts'

/** The type of a node; the low four bits of its entry in `kinds`. */
export const nodeKind = { object: 0, array: 1, string: 2, key: 3, number: 4, true: 5, false: 6, null: 7 } as const
export const kindMask = 0x0f
/** The string token holds at least one escape. */
export const escapedFlag = 0x10
/** The string token holds at least one byte above 0x7f. */
export const nonAsciiFlag = 0x20

const want = { value: 0, firstItem: 1, key: 2, firstKey: 3, colon: 4, comma: 5, end: 6 } as const

/**
 * States of a number: after the minus, after a leading zero, in the integer, after the dot, in the fraction, after
 * the `e`, after its sign, in the exponent. -1 is no state.
 */
const numberStart = { minus: 0, zero: 1, integer: 2 } as const
const numberMayEnd = [false, true, true, false, true, false, false, true]
const numberNext = [
  // 0, 1-9, dot, e, sign
  [1, 2, -1, -1, -1],
  [-1, -1, 3, 5, -1],
  [2, 2, 3, 5, -1],
  [4, 4, -1, -1, -1],
  [4, 4, -1, 5, -1],
  [7, 7, -1, -1, 6],
  [7, 7, -1, -1, -1],
  [7, 7, -1, -1, -1]
].flat()

function numberClass(byte: number): number {
  if (byte === 0x30) return 0
  if (byte > 0x30 && byte <= 0x39) return 1
  if (byte === 0x2e) return 2
  if (byte === 0x65 || byte === 0x45) return 3
  return byte === 0x2b || byte === 0x2d ? 4 : -1
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}

/** True for the characters that may follow a backslash, `u` aside. */
function isShortEscape(byte: number | undefined): boolean {
  if (byte === 0x22 || byte === 0x5c || byte === 0x2f) return true
  return byte === 0x62 || byte === 0x66 || byte === 0x6e || byte === 0x72 || byte === 0x74
}

/** A shorter document is read byte by byte: putting it in place costs more than it saves. */
const windowFromBytes = 192

function sized(from: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(length)
  to.set(from)
  return to
}

const nodesAtStartMax = 32_768

export interface WalkLimits {
  /** Most containers inside one another. */
  readonly depthMax: number
  /** Most values; object keys are not counted. */
  readonly valuesMax: number
}

/**
 * The nodes are in document order: a container, then everything inside it; a key directly before its value. For each
 * node: kind and flags, first byte, byte after the last (quotes included), the container around it (-1 at the root),
 * and the node after its subtree.
 */
export class JsonWalk {
  readonly bytes: Uint8Array
  kinds: Uint8Array<ArrayBuffer>
  starts: Int32Array<ArrayBuffer>
  ends: Int32Array<ArrayBuffer>
  parents: Int32Array<ArrayBuffer>
  nexts: Int32Array<ArrayBuffer>
  count = 0
  /** Number of string values and keys. */
  stringCount = 0
  #values = 0
  #at = 0
  #want: number = want.value
  #open = -1
  #depth = 0
  /** The string or number in which a step paused, or -1. */
  #token = -1
  #numberState = 0
  readonly #limits: WalkLimits
  /** For strings, where there is WebAssembly. */
  readonly #window: StringWindow | undefined

  constructor(bytes: Uint8Array, limits: WalkLimits) {
    this.bytes = bytes
    this.#limits = limits
    this.#window = bytes.length < windowFromBytes ? undefined : stringWindow()
    // One buffer for all five: every buffer costs an allocation outside the heap and work for the collector. A large
    // body starts small and grows, since zero-filling many megabytes at once would block the event loop; and an agent's
    // body is mostly tools, with a node per 45 to 140 bytes, until it is mostly long texts, with fewer.
    const capacity = Math.min(64 + (bytes.length >>> 5), 2048 + (bytes.length >>> 7), nodesAtStartMax)
    const slab = new ArrayBuffer(capacity * 17)
    this.starts = new Int32Array(slab, 0, capacity)
    this.ends = new Int32Array(slab, capacity * 4, capacity)
    this.parents = new Int32Array(slab, capacity * 8, capacity)
    this.nexts = new Int32Array(slab, capacity * 12, capacity)
    this.kinds = new Uint8Array(slab, capacity * 16, capacity)
  }

  /**
   * Walks on to about byte `until`.
   * @returns true once the whole document is read
   * @throws BodyError `invalid_json`, `too_deep`, `too_many_values`
   */
  advance(until: number): boolean {
    const { length } = this.bytes
    const limit = Math.min(until, length)
    while (this.#at < limit) this.#readTo(Math.min(limit, this.#at + windowBytes))
    if (limit < length) return false
    if (this.#token >= 0) this.#finishToken()
    if (this.#want !== want.end) this.#fail(this.#wanted())
    return true
  }

  /** @param limit at most a window ahead */
  #readTo(limit: number): void {
    const { bytes } = this
    const window = this.#window
    window?.load(bytes, this.#at, limit)
    try {
      if (this.#token >= 0) this.#resume(limit)
      while (this.#at < limit) {
        const byte = bytes[this.#at]!
        if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) this.#at++
        else this.#read(byte, limit)
      }
    } finally {
      window?.clear()
    }
  }

  #resume(limit: number): void {
    if ((this.kinds[this.#token]! & kindMask) === nodeKind.number) this.#number(limit)
    else this.#string(limit)
  }

  #read(byte: number, limit: number): void {
    const state = this.#want
    if (state === want.comma) {
      if (byte !== 0x2c) return this.#close(byte)
      this.#at++
      this.#want = this.kinds[this.#open] === nodeKind.object ? want.key : want.value
    } else if (state === want.key || state === want.firstKey) {
      if (byte === 0x22) return this.#beginString(nodeKind.key, limit)
      if (state === want.firstKey) return this.#close(byte)
      this.#fail(this.#wanted())
    } else if (state === want.colon) {
      if (byte !== 0x3a) this.#fail(this.#wanted())
      this.#at++
      this.#want = want.value
    } else if (state === want.firstItem && byte === 0x5d) this.#close(byte)
    else if (state === want.end) this.#fail(this.#wanted())
    else this.#value(byte, limit)
  }

  #value(byte: number, limit: number): void {
    if (++this.#values > this.#limits.valuesMax) {
      throw new BodyError('too_many_values', '', `The body holds more than ${this.#limits.valuesMax} JSON values.`)
    }
    if (byte === 0x22) this.#beginString(nodeKind.string, limit)
    else if (byte === 0x7b) this.#begin(nodeKind.object, want.firstKey)
    else if (byte === 0x5b) this.#begin(nodeKind.array, want.firstItem)
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) this.#beginNumber(byte, limit)
    else if (byte === 0x74) this.#literal(nodeKind.true, 'true')
    else if (byte === 0x66) this.#literal(nodeKind.false, 'false')
    else if (byte === 0x6e) this.#literal(nodeKind.null, 'null')
    else this.#fail(this.#wanted())
  }

  #push(kind: number): number {
    const node = this.count++
    if (node === this.kinds.length) this.#grow()
    this.kinds[node] = kind
    this.starts[node] = this.#at
    this.parents[node] = this.#open
    this.nexts[node] = node + 1
    return node
  }

  #grow(): void {
    // As many nodes as the whole body has at the density so far, so that large arrays are rarely copied. Never more
    // than every value with a key: the limit on values also limits the memory.
    const expected = Math.ceil((this.count / (this.#at + 1)) * this.bytes.length * 1.1)
    const length = Math.min(Math.max(this.kinds.length * 2, expected), this.#limits.valuesMax * 2 + 64)
    const kinds = new Uint8Array(length)
    kinds.set(this.kinds)
    this.kinds = kinds
    this.starts = sized(this.starts, length)
    this.ends = sized(this.ends, length)
    this.parents = sized(this.parents, length)
    this.nexts = sized(this.nexts, length)
  }

  #begin(kind: number, next: number): void {
    if (++this.#depth > this.#limits.depthMax) {
      throw new BodyError('too_deep', '', `The body nests deeper than ${this.#limits.depthMax} levels.`)
    }
    this.#open = this.#push(kind)
    this.#at++
    this.#want = next
  }

  #close(byte: number): void {
    const node = this.#open
    if (byte !== (this.kinds[node] === nodeKind.object ? 0x7d : 0x5d)) this.#fail(this.#wanted())
    this.#at++
    this.ends[node] = this.#at
    this.nexts[node] = this.count
    this.#open = this.parents[node]!
    this.#depth--
    this.#afterValue()
  }

  #afterValue(): void {
    this.#want = this.#open < 0 ? want.end : want.comma
  }

  #literal(kind: number, word: string): void {
    const node = this.#push(kind)
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[this.#at] !== word.charCodeAt(i)) this.#fail(`the literal ${word}`)
      this.#at++
    }
    this.ends[node] = this.#at
    this.#afterValue()
  }

  #beginString(kind: number, limit: number): void {
    this.#token = this.#push(kind)
    this.stringCount++
    this.#at++
    this.#string(limit)
  }

  #string(limit: number): void {
    const { bytes } = this
    const window = this.#window
    let at = this.#at
    let flags = 0
    for (;;) {
      if (window !== undefined) {
        at = window.pass(at)
        if (window.isEscaped) flags |= escapedFlag
        if (window.isWide) flags |= nonAsciiFlag
      }
      if (at >= limit) break
      const byte = bytes[at]!
      if (byte === 0x22) break
      if (byte === 0x5c) {
        flags |= escapedFlag
        at = this.#escape(at)
      } else if (byte < 0x20) {
        this.#at = at
        this.#fail('no control character inside a string')
      } else {
        if (byte > 0x7f) flags |= nonAsciiFlag
        at++
      }
    }
    this.#at = at
    const node = this.#token
    this.kinds[node]! |= flags
    if (at >= limit) return
    this.#at = at + 1
    this.ends[node] = at + 1
    this.#token = -1
    if ((this.kinds[node]! & kindMask) === nodeKind.key) this.#want = want.colon
    else this.#afterValue()
  }

  /** @returns the byte after the escape that begins at `at`, which may be beyond the end of the step */
  #escape(at: number): number {
    const { bytes } = this
    if (isShortEscape(bytes[at + 1])) return at + 2
    if (bytes[at + 1] === 0x75) {
      if (isHex(bytes[at + 2]) && isHex(bytes[at + 3]) && isHex(bytes[at + 4]) && isHex(bytes[at + 5])) return at + 6
    }
    this.#at = at
    return this.#fail('a valid escape')
  }

  #beginNumber(byte: number, limit: number): void {
    this.#token = this.#push(nodeKind.number)
    this.#at++
    this.#numberState = byte === 0x2d ? numberStart.minus : byte === 0x30 ? numberStart.zero : numberStart.integer
    this.#number(limit)
  }

  #number(limit: number): void {
    while (this.#at < limit) {
      const kind = numberClass(this.bytes[this.#at]!)
      const next = kind < 0 ? -1 : numberNext[this.#numberState * 5 + kind]!
      if (next < 0) return this.#finishToken()
      this.#numberState = next
      this.#at++
    }
  }

  /** Ends a number at the end of the document; a string still open here has no end. */
  #finishToken(): void {
    const node = this.#token
    if ((this.kinds[node]! & kindMask) !== nodeKind.number) this.#fail('the end of a string')
    if (!numberMayEnd[this.#numberState]) this.#fail('a digit')
    this.ends[node] = this.#at
    this.#token = -1
    this.#afterValue()
  }

  #wanted(): string {
    const inObject = this.#open >= 0 && this.kinds[this.#open] === nodeKind.object
    switch (this.#want) {
      case want.key:
        return 'a key in double quotes'
      case want.firstKey:
        return 'a key in double quotes or a closing brace'
      case want.firstItem:
        return 'a value or a closing bracket'
      case want.colon:
        return 'a colon'
      case want.comma:
        return inObject ? 'a comma or a closing brace' : 'a comma or a closing bracket'
      case want.end:
        return 'the end of the body'
      default:
        return 'a value'
    }
  }

  #fail(expected: string): never {
    const place = this.#at < this.bytes.length ? `at byte ${this.#at}` : 'where the body ends'
    throw new BodyError('invalid_json', '', `The body is not valid JSON: expected ${expected} ${place}.`)
  }
}
