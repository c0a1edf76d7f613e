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
import { runEnd, wordSet } from '../text/chars.ts'
import { Escape, escapeCodes } from './escapes.ts'
import type { LineJoin } from './line-join.ts'
import { runOf } from './run-of.ts'

/** The places of a shadow's units in the text that it was made from. */
class ShadowMap {
  /** Where runs begin in the shadow whose units follow each other in the text, and where these begin there. */
  readonly #units: number[] = []
  readonly #places: number[] = []
  /** The end in the text of what a run of one unit stands for; 0 for a run that is as in the text. */
  readonly #ends: number[] = []
  /** The units of the shadow at which the text was changed, in order. */
  readonly #changes: number[] = []

  /** Adds a run from `unit` on, which stands at `place` and, if it is one that stands for more, ends at `end`. */
  add(unit: number, place: number, end = 0): void {
    this.#units.push(unit)
    this.#places.push(place)
    this.#ends.push(end)
  }

  noteChange(at: number): void {
    if (this.#changes.at(-1) !== at) this.#changes.push(at)
  }

  get isChanged(): boolean {
    return this.#changes.length > 0
  }

  /** Whether something was changed at or between two units. */
  changedWithin(from: number, to: number): boolean {
    const changes = this.#changes
    const last = changes[runOf(changes, to - 1)]
    return last !== undefined && last >= from && last < to
  }

  startOf(unit: number): number {
    const run = runOf(this.#units, unit)
    return (this.#places[run] as number) + unit - (this.#units[run] as number)
  }

  endOf(unit: number): number {
    return this.#ends[runOf(this.#units, unit)] || this.startOf(unit) + 1
  }
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
  const map = new ShadowMap()
  const pieces: string[] = []
  const joins: number[] = []
  let length = 0
  let before = 0
  let nextJoin = 0
  for (let i = from; i < to;) {
    while (nextJoin < lineJoins.length && (lineJoins[nextJoin] as LineJoin).at < i) nextJoin++
    const join = lineJoins[nextJoin]
    const limit = join === undefined ? to : join.at
    const end = asWrittenEnd(text, i, limit, before)
    if (end > i) {
      map.add(length, i)
      pieces.push(text.slice(i, end))
      length += end - i
      before = text.charCodeAt(end - 1)
      i = end
    }
    if (i === to) break
    if (join !== undefined && i === limit) {
      reader.code = -1
      reader.end = join.to
      reader.isLoose = join.silent !== true
    }
    if (reader.isLoose) joins.push(length)
    map.noteChange(length)
    if (reader.code >= 0) {
      map.add(length, i, reader.end)
      pieces.push(String.fromCharCode(reader.code))
      length++
      before = reader.code
    }
    i = reader.end
  }
  return map.isChanged ? { text: pieces.join(''), map, joins } : undefined
}

/**
 * Past the characters from `from` on that read as they are written; what the next one stands for is in the reader.
 * @param before the code that was read last
 */
function asWrittenEnd(text: string, from: number, limit: number, before: number): number {
  // A shadow is rare, and its own loops are interpreted for long; this one is compiled.
  for (
    let i = runEnd(text, from, plainSet, limit - from);
    i < limit;
    i = runEnd(text, i + 1, plainSet, limit - i - 1)
  ) {
    reader.read(text, i, i === from ? before : text.charCodeAt(i - 1))
    if (reader.end !== i + 1 || reader.code !== text.charCodeAt(i)) return i
  }
  return limit
}

/** ASCII characters that begin no escape. */
const plainSet = new Uint8Array(128).fill(1)
for (const code of escapeCodes) plainSet[code] = 0

/** Reads one character of a text. One object serves all, since it holds nothing between two readings. */
class Reader {
  /** The code that was read; -1 for nothing. */
  code = 0
  end = 0
  /** Whether what precedes and what follows may also be two separate things. */
  isLoose = false
  readonly #escape = new Escape()

  /**
   * Reads the character at `at`.
   * @param before the code that was read last
   */
  read(text: string, at: number, before: number): void {
    const code = text.charCodeAt(at)
    this.code = code
    this.end = at + 1
    this.isLoose = false
    if (code >= 128) this.#wide(text, at, code, before)
    else if (this.#escape.read(text, at)) {
      this.end = this.#escape.end
      this.code = this.#escape.code
      if (this.code >= 128) this.code = simpleMeaning(this.code)
      this.isLoose = this.#escape.isLoose
    }
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
