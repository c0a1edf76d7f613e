/** A shadow: part of a text as a reader would understand it, with the place of each of its characters in the text. */
import {
  characterTables,
  hiddenClass,
  isVisibleAscii,
  lookalikeClass,
  markClass,
  pairMeaning,
  simpleMeaning,
  surrogateClass
} from './characters.ts'
import { wordSet } from '../text/chars.ts'
import { Escape, escapeCodes } from './escapes.ts'

/** The places of a shadow's units in the text that it was made from. */
class ShadowMap {
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** The units of the shadow at which the text was changed, in order. */
  readonly changes: Int32Array
  changeCount = 0

  constructor(unitsMax: number) {
    this.starts = new Int32Array(unitsMax)
    this.ends = new Int32Array(unitsMax)
    this.changes = new Int32Array(unitsMax + 1)
  }

  noteChange(at: number): void {
    if (this.changeCount === 0 || this.changes[this.changeCount - 1] !== at) this.changes[this.changeCount++] = at
  }

  /** Whether something was changed at or between two units. */
  changedWithin(from: number, to: number): boolean {
    let low = 0
    let high = this.changeCount
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.changes[middle] as number) < from) low = middle + 1
      else high = middle
    }
    return low < this.changeCount && (this.changes[low] as number) < to
  }
}

/** A line break at `at` that splits a key, and where the key continues; or a gutter, which is left out without a mark. */
export interface LineJoin {
  readonly at: number
  readonly to: number
  readonly silent?: true
}

export interface Shadow {
  readonly text: string
  readonly map: ShadowMap
  /** Units of the shadow that follow a {@link LineJoin}, or the end of a string next to another one. */
  readonly joins: readonly number[]
}

/**
 * Reads `[from, to)` of a text as it is meant.
 * @returns undefined if nothing is hidden there
 */
export function castShadow(text: string, from: number, to: number, lineJoins: readonly LineJoin[]): Shadow | undefined {
  const map = new ShadowMap(to - from)
  const codes = new Uint16Array(to - from)
  const joins: number[] = []
  let length = 0
  let nextJoin = 0
  for (let i = from; i < to;) {
    while (nextJoin < lineJoins.length && (lineJoins[nextJoin] as LineJoin).at < i) nextJoin++
    const join = lineJoins[nextJoin]
    const plain = text.charCodeAt(i)
    if (isPlain[plain] === 1 && join?.at !== i) {
      codes[length] = plain
      map.starts[length] = i
      map.ends[length++] = ++i
      continue
    }
    if (join !== undefined && join.at === i) {
      if (join.silent !== true) joins.push(length)
      reader.code = -1
      reader.end = join.to
    } else if (reader.read(text, i, length === 0 ? 0 : (codes[length - 1] as number))) joins.push(length)
    const { code, end } = reader
    if (end !== i + 1 || code !== plain) map.noteChange(length)
    if (code >= 0) {
      codes[length] = code
      map.starts[length] = i
      map.ends[length++] = end
    }
    i = end
  }
  return map.changeCount === 0 ? undefined : { text: textOf(codes, length), map, joins }
}

/** ASCII characters that begin no escape. */
const isPlain = new Uint8Array(128).fill(1)
for (const code of escapeCodes) isPlain[code] = 0

/** Reads one character of a text. One object serves all, since it holds nothing between two readings. */
class Reader {
  /** The code that was read; -1 for nothing. */
  code = 0
  end = 0
  readonly #escape = new Escape()

  /**
   * Reads the character at `at`.
   * @param before the code that was read last
   * @returns whether what precedes and what follows may also be two separate things
   */
  read(text: string, at: number, before: number): boolean {
    const code = text.charCodeAt(at)
    this.code = code
    this.end = at + 1
    if (code >= 128) this.#wide(text, at, code, before)
    else if (this.#escape.read(text, at)) {
      this.end = this.#escape.end
      this.code = this.#escape.code
      if (this.code >= 128) this.code = simpleMeaning(this.code)
      return this.#escape.isLoose
    }
    return false
  }

  #wide(text: string, at: number, code: number, before: number): void {
    const { classOf, asciiOf } = characterTables()
    const cls = classOf[code]
    if (cls === 0) return
    if (cls === surrogateClass) {
      const meant = pairMeaning(code, text.charCodeAt(at + 1))
      if (meant < 0) return
      this.code = meant === 0 ? -1 : meant
      this.end = at + 2
    } else if (cls === markClass) this.code = before < 128 ? -1 : code
    else if (cls === lookalikeClass)
      this.code = isVisibleAscii(before) || reachesAscii(text, at) ? (asciiOf[code] as number) : code
    else this.code = cls === hiddenClass ? -1 : (asciiOf[code] as number)
  }
}

const reader = new Reader()

/** How far a letter that looks Latin may stand from a Latin one in the same word, in units. */
const lookalikeReach = 8

function reachesAscii(text: string, at: number): boolean {
  const { classOf } = characterTables()
  for (let i = at + 1; i < at + lookalikeReach; i++) {
    const code = text.charCodeAt(i)
    if (wordSet[code] === 1) return true
    if (classOf[code] !== lookalikeClass) return false
  }
  return false
}

const partUnits = 4096
/** `apply` takes a typed array as it is; spreading would iterate over it. */
const fromCodes = (codes: Uint16Array): string => String.fromCharCode.apply(null, codes as unknown as number[])

function textOf(codes: Uint16Array, length: number): string {
  let text = ''
  for (let i = 0; i < length; i += partUnits) text += fromCodes(codes.subarray(i, Math.min(length, i + partUnits)))
  return text
}
