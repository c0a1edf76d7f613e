/** A search of one text for the literals and numbers of an index, block by block. */
import { gramCount, plainGram, type AnchorIndex } from './anchor-index.ts'
import { codeAt, digitSet, inSet, runStart } from '../text/chars.ts'
import { classBits } from './gram-classes.ts'
import { isSignCode } from '../normalise/characters.ts'
import { blockUnits, type TextBlock } from '../text/text-block.ts'
import { endMask, endShift, unsureBit } from '../wasm/search-code.ts'

/** A longer group of digits is no part of a row of dotted groups. */
const groupDigitsMax = 20

/** V8 takes constants of its own module for what they are, and asks for those of others each time. */
const shift = classBits
const gramMask = gramCount - 1

/** Scratch: places in a block. */
const places = new Uint16Array(blockUnits)

/** It hands out what it finds in order of the ends, and of what ends at one place the longest first. */
export class AnchorSearch {
  /** Where the current find ends, and its number. */
  end = 0
  id = 0
  readonly #index: AnchorIndex
  readonly #text: string
  #gram = 0
  /** What was found and not handed out yet, by end and number. */
  readonly #ends: number[] = []
  readonly #ids: number[] = []
  #next = 0
  /** The last dot between two digits, and how many there were in its row of dotted groups, of which four are one. */
  #dotAt = -2
  #dots = 0

  constructor(index: AnchorIndex, text: string) {
    this.#index = index
    this.#text = text
  }

  /** Reads the next block of the text. */
  read(block: TextBlock): void {
    const { machine, bytes, from, to } = block
    const { table } = this.#index
    if (machine === undefined || table === undefined) return this.#readHere(block)
    const { runId } = this.#index
    const { state, finds } = machine
    machine.begin(this.#gram, from === 0, to === this.#text.length)
    for (let at = 0; at < to - from; at = state[1] as number) {
      const count = machine.find(bytes, to - from, at, table, runId)
      for (let i = 0; i < count; i++) {
        const find = finds[i] as number
        const id = find & 0xffff
        const end = from + ((find >>> endShift) & endMask)
        if (find < unsureBit || this.#isSure(id, end)) this.#found(end, id)
      }
    }
    this.#gram = (state[0] as number) & gramMask
  }

  /** Looks where the search did not know enough of the text; `end` is that of the dot and the digit behind it, for a quad. */
  #isSure(id: number, end: number): boolean {
    const { runId, quadId, signId } = this.#index
    const text = this.#text
    if (id < runId) return this.#standsBefore(end, id)
    if (id === runId) return !inSet(digitSet, codeAt(text, end - 4))
    if (id === quadId) return this.#isFourth(end - 2)
    return id === signId && isSignCode(text.charCodeAt(end - 1))
  }

  /** The same without the machine. */
  #readHere(block: TextBlock): void {
    const { bytes, from } = block
    const { classOf, placeOf } = this.#index
    const before = this.#gram
    const count = this.#sift(block)
    for (let k = 0; k < count; k++) {
      const i = places[k] as number
      let gram = before
      for (let at = i < 2 ? 0 : i - 2; at <= i; at++)
        gram = ((gram << shift) | (classOf[bytes[at] as number] as number)) & gramMask
      this.#look(placeOf[gram] as number, from + i)
    }
  }

  /**
   * Lists the places at which something may end. It is what every unit pays for, so it calls nobody and never branches:
   * a place is written down at each unit, and the next one overwrites it unless it counted.
   */
  #sift({ bytes, from, to }: TextBlock): number {
    const { classOf, marks } = this.#index
    const units = to - from
    let gram = this.#gram
    let count = 0
    for (let i = 0; i < units; i++) {
      gram = ((gram << shift) | (classOf[bytes[i] as number] as number)) & gramMask
      places[count] = i
      count += ((marks[gram >> 5] as number) >>> gram) & 1
    }
    this.#gram = gram
    return count
  }

  /** Makes the next find that ends at or before `limit` the current one, if there is one. */
  next(limit: number): boolean {
    const ends = this.#ends
    if (this.#next < ends.length && (ends[this.#next] as number) <= limit) {
      this.end = ends[this.#next] as number
      this.id = this.#ids[this.#next++] as number
      return true
    }
    if (this.#next > 0) {
      ends.splice(0, this.#next)
      this.#ids.splice(0, this.#next)
      this.#next = 0
    }
    return false
  }

  #look(place: number, last: number): void {
    const { sorts, idsFrom, ids, runId, tails } = this.#index
    const sort = sorts[place] as number
    if (sort !== plainGram && this.#isSure(runId + sort - 1, last + 1)) this.#found(last + 1, runId + sort - 1)
    for (let i = idsFrom[place] as number; i < (idsFrom[place + 1] as number); i++) {
      const id = ids[i] as number
      const end = last + 1 + (tails[id] as number)
      if (this.#standsBefore(end, id)) this.#found(end, id)
    }
  }

  /** Whether a literal ends at `end`. */
  #standsBefore(end: number, id: number): boolean {
    const { codesFrom, lowers, uppers } = this.#index
    const text = this.#text
    const from = codesFrom[id] as number
    const to = codesFrom[id + 1] as number
    const start = end - (to - from)
    if (start < 0 || end > text.length) return false
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(start + i - from)
      if (code !== lowers[i] && code !== uppers[i]) return false
    }
    return true
  }

  /** Whether a dot between two digits is followed by the fourth of a row of dotted groups. */
  #isFourth(dot: number): boolean {
    const isFurther = runStart(this.#text, dot, digitSet, groupDigitsMax) === this.#dotAt + 1
    this.#dotAt = dot
    this.#dots = isFurther ? (this.#dots + 1) & 3 : 1
    return this.#dots === 3
  }

  #found(end: number, id: number): void {
    const ends = this.#ends
    const ids = this.#ids
    const units = this.#unitsOf(id)
    let at = ends.push(end) - 1
    ids.push(id)
    // It may end before some of those that were found before it.
    for (; at > this.#next; at--) {
      const before = ends[at - 1] as number
      if (before < end || (before === end && this.#unitsOf(ids[at - 1] as number) >= units)) break
      ends[at] = before
      ids[at] = ids[at - 1] as number
    }
    ends[at] = end
    ids[at] = id
  }

  #unitsOf(id: number): number {
    const { codesFrom, runId } = this.#index
    return id < runId ? (codesFrom[id + 1] as number) - (codesFrom[id] as number) : 0
  }
}
