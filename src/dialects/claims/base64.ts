/**
 * Base64 as clients spell it: with line breaks and blanks, base64url characters, with or without padding, several
 * padded runs in a row, and any of it behind JSON escapes. Whatever a lenient decoder accepts has to be recognised
 * here, or text would leave undecoded.
 */
import { bytesPerStepDefault, type JsonIndex } from '../json/json-index.ts'
import { isJsonSpace, lengthOf, unitAt, unitOf } from '../json/token-units.ts'

/**
 * - `none`: not base64 in any spelling
 * - `dense`: letters and line breaks, then at most two `=`: what encoders write
 * - `grouped`: also blanks and tabs between groups of four letters, around line breaks and at both ends; padding that
 *   is too long or stands between runs; percent-encoded characters, where those count
 * - `loose`: blanks also inside groups, as in any sentence without punctuation
 */
export type Base64Spelling = 'none' | 'dense' | 'grouped' | 'loose'

/** Where base64 is in a string token. */
export interface Base64Span {
  /** First byte. The base64 ends where the string does. */
  readonly from: number
  /** Whether `%2B` counts as `+`: in a URI it does (WHATWG Fetch, section 6, "data: URL processor"). */
  readonly isUri: boolean
}

export interface Base64Reading {
  readonly spelling: Base64Spelling
  /** Position of the first base64 character; -1 if there is none. */
  readonly firstLetter: number
}

/** The value of a base64 or base64url character, and 64 for every other byte. */
const letterValues = new Uint8Array(256).fill(64)
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
for (let value = 0; value < letters.length; value++) letterValues[letters.charCodeAt(value)] = value
for (const [letter, value] of [
  ['+', 62],
  ['-', 62],
  ['/', 63],
  ['_', 63]
] as const)
  letterValues[letter.charCodeAt(0)] = value

const padding = 0x3d
const percent = 0x25

/** @returns the value of a base64 character, or 64 */
function valueOf(unit: number): number {
  return unit < 256 ? letterValues[unit]! : 64
}

function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  const lower = unit | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** The character at `at` as {@link unitAt} returns it; in a URI, with its percent-encoding undone. */
function characterAt(bytes: Uint8Array, at: number, end: number, isUri: boolean): number {
  const character = unitAt(bytes, at)
  if (!isUri || unitOf(character) !== percent) return character
  let next = at + lengthOf(character)
  let value = 0
  for (let digit = 0; digit < 2; digit++) {
    if (next >= end) return character
    const one = unitAt(bytes, next)
    const hex = hexValue(unitOf(one))
    if (hex < 0) return character
    value = value * 16 + hex
    next += lengthOf(one)
  }
  return ((next - at) << 16) | value
}

/** Judges a string token from byte `span.from` to its end. Yields about every `bytesPerStepDefault` bytes. */
export function* readBase64(index: JsonIndex, node: number, span: Base64Span): Generator<void, Base64Reading, void> {
  const walk = new Base64Walk(index.bytes, span, index.ends[node]! - 1)
  while (walk.advance(bytesPerStepDefault)) yield
  return { spelling: walk.spelling(), firstLetter: walk.firstLetter }
}

class Base64Walk {
  firstLetter = -1
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #isUri: boolean
  #at: number
  #letters = 0
  /** `=` since the last base64 character. */
  #padding = 0
  #isDense = true
  #isLoose = false
  #isBroken = false
  /** There is a blank inside a group; harmless if a line break or the end comes next. */
  #blankInGroup = false
  #afterBreak = true

  constructor(bytes: Uint8Array, span: Base64Span, end: number) {
    this.#bytes = bytes
    this.#at = span.from
    this.#end = end
    this.#isUri = span.isUri
  }

  /** @returns whether there is more to read */
  advance(bytesMax: number): boolean {
    const bytes = this.#bytes
    const stop = Math.min(this.#end, this.#at + bytesMax)
    while (this.#at < stop && !this.#isBroken) {
      const from = this.#at
      let at = from
      while (at < stop && letterValues[bytes[at]!]! < 64) at++
      if (at > from) this.#takeLetters(from, at - from)
      this.#at = at
      if (at < stop) this.#takeOther()
    }
    return this.#at < this.#end && !this.#isBroken
  }

  spelling(): Base64Spelling {
    if (this.#isBroken || this.#letters === 0) return 'none'
    if (this.#isLoose) return 'loose'
    return this.#isDense ? 'dense' : 'grouped'
  }

  #takeLetters(at: number, count: number): void {
    if (this.firstLetter < 0) this.firstLetter = at
    if (this.#padding > 0) this.#isDense = false
    if (this.#blankInGroup) this.#isLoose = true
    this.#letters = this.#padding > 0 ? count : this.#letters + count
    this.#padding = 0
    this.#blankInGroup = this.#afterBreak = false
  }

  /** Handles one character that is not a plain base64 character. */
  #takeOther(): void {
    const character = characterAt(this.#bytes, this.#at, this.#end, this.#isUri)
    const unit = unitOf(character)
    const at = this.#at
    this.#at += lengthOf(character)
    if (valueOf(unit) < 64) this.#takeLetters(at, 1)
    else if (unit === padding) {
      if (this.#letters === 0) this.#isBroken = true
      if (++this.#padding > 2) this.#isDense = false
      this.#afterBreak = false
    } else if (unit === 0x0a || unit === 0x0d) {
      this.#blankInGroup = false
      this.#afterBreak = true
    } else if (isJsonSpace(unit)) {
      this.#isDense = false
      if (!this.#afterBreak && this.#padding === 0 && this.#letters % 4 !== 0) this.#blankInGroup = true
    } else this.#isBroken = true
    if (this.#isUri && this.#bytes[at] === percent) this.#isDense = false
  }
}

/** The most that is read of a token for its head, so that white space cannot make it expensive. */
const headTokenBytesMax = 4096

/**
 * Decodes the first bytes of what {@link readBase64} accepted.
 * @param firstLetter from the reading
 * @param lengthMax most bytes to decode
 */
export function base64Head(
  index: JsonIndex,
  node: number,
  { isUri }: Pick<Base64Span, 'isUri'>,
  firstLetter: number,
  lengthMax: number
): Uint8Array {
  const { bytes } = index
  const end = Math.min(index.ends[node]! - 1, firstLetter + headTokenBytesMax)
  const head = new Uint8Array(lengthMax)
  let length = 0
  let bits = 0
  let bitCount = 0
  for (let at = firstLetter; at < end && length < lengthMax;) {
    const character = characterAt(bytes, at, end, isUri)
    const unit = unitOf(character)
    at += lengthOf(character)
    const value = valueOf(unit)
    if (value < 64) {
      bits = ((bits << 6) | value) & 0xffff
      bitCount += 6
      if (bitCount >= 8) {
        bitCount -= 8
        head[length++] = bits >>> bitCount
      }
    } else if (unit === padding) bitCount = 0
  }
  return head.subarray(0, length)
}
