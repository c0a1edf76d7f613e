/** Searches one text with one index, block by block. */
import { plainGram, type AnchorIndex } from './anchor-index.ts'
import { codeAt, digitSet, inSet, runStart } from '../text/chars.ts'
import { classBits, gramCount } from './gram-classes.ts'
import { isSignCode } from '../normalise/characters.ts'
import { blockUnits, byteOf, type TextBlock } from './text-block.ts'
import { beforeBits } from '../wasm/runs-code.ts'
import { endMask, endShift, unsureBit } from '../wasm/search-layout.ts'

/** A longer group of digits is not part of a dotted quad. */
const groupDigitsMax = 20

/** V8 inlines constants of the same module, and loads those of others each time. */
const shift = classBits
const gramMask = gramCount - 1
const dotCode = 46
const idMask = 0xffff

/** Scratch: places in a block. */
const places = new Uint16Array(blockUnits)

/** Whether an index finds nothing in a block that is a whole text, as far as the machine can tell. */
export function findsNothing({ table, runId, withNumbers }: AnchorIndex, { machine, bytes, to }: TextBlock): boolean {
  if (machine === undefined || table === undefined) return false
  machine.begin(0, withNumbers ? 0 : undefined, true, true)
  return machine.find(bytes, to, 0, table, runId) === 0 && machine.searchedTo >= to
}

/** Returns finds in the order of their ends; of those with the same end, the longest first. */
export class IndexSearch {
  /** Where the next find ends, its number in the index, and its length (0 for numbers). */
  end = 0
  id = 0
  units = 0
  readonly #index: AnchorIndex
  readonly #text: string
  /** Ends and numbers of the finds; those from `#next` to `#count` were not returned yet. The rest is reused. */
  readonly #ends: number[] = []
  readonly #ids: number[] = []
  #next = 0
  #count = 0
  /** The last dot between two digits, and the number of dots in its row of groups; three make a quad. */
  #dotAt = -2
  #dots = 0

  constructor(index: AnchorIndex, text: string) {
    this.#index = index
    this.#text = text
  }

  /**
   * Reads the next block of the text, or `[from, to)` of it, which begins with the block or at least two units behind
   * its start.
   */
  read(block: TextBlock, from = block.from, to = block.to): void {
    const { machine, bytes, from: base } = block
    const { table } = this.#index
    if (machine === undefined || table === undefined) return this.#readHere(block, from, to)
    const { runId, withNumbers } = this.#index
    const { finds } = machine
    machine.begin(
      this.#gramBefore(from),
      withNumbers ? this.#digitsBefore(from) : undefined,
      from === 0,
      to === this.#text.length
    )
    for (let at = from - base; at < to - base; at = machine.searchedTo) {
      const count = machine.find(bytes, to - base, at, table, runId)
      // The signs at hundreds of places are told before the literals there.
      let sign = 0
      for (let i = 0; i < count; i++) {
        const find = finds[i] as number
        if (find >= unsureBit && (find & idMask) >= runId) continue
        sign = this.#takeSigns(finds, sign, count, find, base)
        this.#tell(find, base)
      }
      this.#takeSigns(finds, sign, count, -1, base)
    }
  }

  /**
   * Takes over the signs from the find `from` on that end before another find, or all of them for -1.
   * @returns the number of the next one
   */
  #takeSigns(finds: Int32Array, from: number, count: number, before: number, base: number): number {
    const { runId } = this.#index
    const limit = before < 0 ? endMask + 1 : (before >>> endShift) & endMask
    let i = from
    for (; i < count; i++) {
      const find = finds[i] as number
      if (find < unsureBit || (find & idMask) < runId) continue
      if (((find >>> endShift) & endMask) >= limit) break
      this.#tell(find, base)
    }
    return i
  }

  #tell(find: number, base: number): void {
    const id = find & idMask
    const end = base + ((find >>> endShift) & endMask)
    if (find < unsureBit || this.#isSure(id, end)) this.#found(end, id)
  }

  /** The classes of the two units before a place. */
  #gramBefore(at: number): number {
    const { classOf } = this.#index
    let gram = 0
    for (let i = Math.max(0, at - 2); i < at; i++)
      gram = (gram << shift) | (classOf[byteOf(this.#text.charCodeAt(i))] as number)
    return gram
  }

  /** The state before a place, for the search for runs of digits. */
  #digitsBefore(from: number): number {
    if (from === 0) return 0
    const text = this.#text
    let before = codeAt(text, from - 1) === dotCode ? beforeBits.dot : 0
    for (let i = 0; i < 3; i++)
      if (inSet(digitSet, codeAt(text, from - 3 + i))) before |= beforeBits.digits[i] as number
    return before
  }

  /**
   * Verifies a find for which the block did not contain enough of the text; `end` is that of the dot and the digit
   * behind it, for a quad.
   */
  #isSure(id: number, end: number): boolean {
    const { runId, quadId, signId } = this.#index
    const text = this.#text
    if (id < runId) return this.#standsBefore(end, id)
    if (id === runId) return !inSet(digitSet, codeAt(text, end - 4))
    if (id === quadId) return this.#isFourth(end - 2)
    return id === signId && isSignCode(text.charCodeAt(end - 1))
  }

  /** The same without the machine. */
  #readHere({ bytes, from: base }: TextBlock, from: number, to: number): void {
    const { classOf, placeOf } = this.#index
    const before = this.#gramBefore(from)
    const count = this.#sift(bytes, from - base, to - base, before)
    for (let k = 0; k < count; k++) {
      const i = places[k] as number
      let gram = before
      for (let at = i < 2 ? 0 : i - 2; at <= i; at++)
        gram = ((gram << shift) | (classOf[bytes[at] as number] as number)) & gramMask
      this.#look(placeOf[gram] as number, base + i)
    }
  }

  /**
   * Lists the places at which something may end. Every unit pays for this, so it neither calls nor branches: a place is
   * written at each unit, and the next one overwrites it unless it counts.
   */
  #sift(bytes: Uint8Array, from: number, to: number, before: number): number {
    const { classOf, marks } = this.#index
    let gram = before
    let count = 0
    for (let i = from; i < to; i++) {
      gram = ((gram << shift) | (classOf[bytes[i] as number] as number)) & gramMask
      places[count] = i
      count += ((marks[gram >> 5] as number) >>> gram) & 1
    }
    return count
  }

  /** Whether there is a next find that ends at or before `limit`. */
  has(limit: number): boolean {
    const ends = this.#ends
    if (this.#next < this.#count && (ends[this.#next] as number) <= limit) {
      this.end = ends[this.#next] as number
      this.id = this.#ids[this.#next] as number
      this.units = this.#unitsOf(this.id)
      return true
    }
    if (this.#next > 0) {
      ends.copyWithin(0, this.#next, this.#count)
      this.#ids.copyWithin(0, this.#next, this.#count)
      this.#count -= this.#next
      this.#next = 0
    }
    return false
  }

  /** Returns the next find. */
  take(): void {
    this.#next++
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

  /**
   * Whether the fourth group of a dotted quad follows a dot between two digits. It is called for all such dots, or for
   * all but the first two of a row.
   */
  #isFourth(dot: number): boolean {
    const isFurther = runStart(this.#text, dot, digitSet, groupDigitsMax) === this.#dotAt + 1
    this.#dotAt = dot
    this.#dots = isFurther ? (this.#dots + 1) & 3 : 1 + this.#dotsBefore(dot)
    return this.#dots === 3
  }

  /** How many dots of a row precede one, at most two. */
  #dotsBefore(dot: number): number {
    const text = this.#text
    let at = dot
    for (let count = 0; count < 2; count++) {
      at = runStart(text, at, digitSet, groupDigitsMax) - 1
      if (codeAt(text, at) !== dotCode || !inSet(digitSet, codeAt(text, at - 1))) return count
    }
    return 2
  }

  #found(end: number, id: number): void {
    const ends = this.#ends
    const ids = this.#ids
    let at = this.#count++
    ends[at] = end
    ids[at] = id
    if (at === this.#next || (ends[at - 1] as number) < end) return
    // It may end before finds that were made earlier.
    const units = this.#unitsOf(id)
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
    const { codesFrom, count } = this.#index
    return id < count ? (codesFrom[id + 1] as number) - (codesFrom[id] as number) : 0
  }
}
