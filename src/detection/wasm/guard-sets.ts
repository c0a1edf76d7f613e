/** What guards ask for, as the search in WebAssembly reads it: sets of bytes, each once, and what a record says of them. */
import { behindUnitsMax, type Guard } from '../engine/anchor-guard.ts'
import { wordSet, type CharSet } from '../text/chars.ts'
import {
  firstFreeSet,
  firstsAt,
  furtherFirstsAt,
  furtherSecondsAt,
  guardSets,
  nameSetAt,
  secondsAt
} from './search-code.ts'

const setUnits = 256

export class GuardSets {
  readonly #sets: Uint8Array[] = Array.from({ length: firstFreeSet }, () => new Uint8Array(setUnits))
  readonly #numbers = new Map<CharSet, number>()
  readonly #byContent = new Map<string, number>()
  readonly #pairs: (readonly [CharSet, CharSet?])[] = []

  constructor() {
    const names = this.#sets[nameSetAt / setUnits] as Uint8Array
    names.set(wordSet)
    names[45] = 1
  }

  /** All sets, one behind the other. */
  get bytes(): Uint8Array {
    const all = new Uint8Array(this.#sets.length * setUnits)
    this.#sets.forEach((set, i) => all.set(set, i * setUnits))
    return all
  }

  /** Writes the record of a guard at a place that holds zeros; what there is no room for is not asked. */
  write(
    records: Uint8Array,
    at: number,
    { notBefore, orCapital, notBehind, behind, behindUnits = 1, behindName, beforeValue }: Guard
  ): void {
    if (notBefore !== undefined) records[at + guardSets.notBefore] = this.#numberOf(notBefore)
    if (orCapital === true) records[at + guardSets.orCapital] = 1
    if (notBehind !== undefined) records[at + guardSets.notBehind] = this.#numberOf(notBehind)
    const set = behind === undefined ? 0 : this.#numberOf(behind)
    if (set !== 0) {
      records[at + guardSets.behind] = set
      records[at + guardSets.behindUnits] = Math.min(behindUnits, behindUnitsMax)
    }
    const pairs = behindName === undefined ? 0 : this.#bitsOf(behindName)
    records[at + guardSets.behindName] = pairs & 0xff
    records[at + guardSets.behindNameToo] = pairs >>> pairsOfByte
    if (beforeValue === true) records[at + guardSets.beforeValue] = 1
  }

  #numberOf(set: CharSet): number {
    const known = this.#numbers.get(set)
    if (known !== undefined) return known
    const content = String.fromCharCode(...set)
    const number = this.#byContent.get(content) ?? this.#add(set)
    this.#byContent.set(content, number)
    this.#numbers.set(set, number)
    return number
  }

  #add(set: CharSet): number {
    if (this.#sets.length === setsMax) return 0
    const all = new Uint8Array(setUnits)
    all.set(set)
    return this.#sets.push(all) - 1
  }

  /** The bits of some pairs; 0 where one of them has none. */
  #bitsOf(pairs: NonNullable<Guard['behindName']>): number {
    let bits = 0
    for (const pair of pairs) {
      const bit = this.#bitOf(pair)
      if (bit === 0) return 0
      bits |= bit
    }
    return bits
  }

  /** The bit of a pair; 0 where all are given away. */
  #bitOf(pair: readonly [CharSet, CharSet?]): number {
    const known = this.#pairs.indexOf(pair)
    if (known >= 0) return 1 << known
    if (this.#pairs.length === pairsMax) return 0
    const bit = 1 << (this.#pairs.push(pair) - 1)
    const isFurther = this.#pairs.length > pairsOfByte
    const marked = isFurther ? bit >>> pairsOfByte : bit
    this.#mark(isFurther ? furtherFirstsAt : firstsAt, pair[0], marked)
    this.#mark(isFurther ? furtherSecondsAt : secondsAt, pair[1], marked)
    return bit
  }

  #mark(place: number, set: CharSet | undefined, bit: number): void {
    const bits = this.#sets[place / setUnits] as Uint8Array
    for (let code = 0; code < setUnits; code++)
      if (set === undefined || code > 127 || set[code] === 1) bits[code] = (bits[code] as number) | bit
  }
}

/** The number of a set is a byte wide, and the bits of pairs are two. */
const setsMax = 256
const pairsOfByte = 8
const pairsMax = 16
