/** What guards ask for, as the search in WebAssembly reads it: sets of bytes, each once, and what a record says of them. */
import { behindUnitsMax, type Guard } from '../engine/anchor-guard.ts'
import type { CharSet } from '../text/chars.ts'
import {
  beforeValueBit,
  firstFreeSet,
  firstsAt,
  guardAt,
  guardBytes,
  holdsTextFlag,
  nearDigitFlag,
  orCapitalFlag,
  pairsMax,
  secondsAt,
  setUnits
} from './guard-code.ts'

export class GuardSets {
  readonly #sets: Uint8Array[] = Array.from({ length: firstFreeSet }, () => new Uint8Array(setUnits))
  readonly #numbers = new Map<CharSet, number>()
  readonly #byContent = new Map<string, number>()
  readonly #pairs: (readonly [CharSet, CharSet?])[] = []
  readonly #written = new Map<Guard, Uint8Array>()
  readonly #firsts = new Uint32Array(setUnits)
  readonly #seconds = new Uint32Array(setUnits)

  /** All sets, one behind the other. */
  get bytes(): Uint8Array {
    const all = new Uint8Array(this.#sets.length * setUnits)
    this.#sets.forEach((set, i) => all.set(set, i * setUnits))
    all.set(new Uint8Array(this.#firsts.buffer), firstsAt)
    all.set(new Uint8Array(this.#seconds.buffer), secondsAt)
    return all
  }

  /**
   * Writes the guard into the record of a literal that begins at a place. Many literals share one, and this runs at each start.
   * @throws RangeError where there are more sets or pairs than there is room for
   */
  write(records: Uint8Array, at: number, guard: Guard): void {
    let written = this.#written.get(guard)
    if (written === undefined) this.#written.set(guard, (written = this.#bytesOf(guard)))
    for (let i = 0; i < guardBytes; i++) records[at + guardAt.notBefore + i] = written[i] as number
  }

  #bytesOf(guard: Guard): Uint8Array {
    const { notBefore, notBehind, behind, behindUnits = 1, behindName = [] } = guard
    const bytes = new Uint8Array(guardBytes)
    const put = (place: number, value: number) => (bytes[place - guardAt.notBefore] = value)
    if (notBefore !== undefined) put(guardAt.notBefore, this.#numberOf(notBefore))
    if (notBehind !== undefined) put(guardAt.notBehind, this.#numberOf(notBehind))
    if (behind !== undefined) put(guardAt.behind, this.#numberOf(behind))
    const units = behind === undefined ? 0 : Math.min(behindUnits, behindUnitsMax)
    put(guardAt.flags, units | flagsOf(guard))
    let pairs = 0
    for (const pair of behindName) pairs |= this.#bitOf(pair)
    for (let i = 0; i < 4; i++) put(guardAt.pairs + i, pairs >>> (8 * i))
    return bytes
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
    if (this.#sets.length === setsMax)
      throw new RangeError('Guards ask for more sets of characters than there is room for.')
    const all = new Uint8Array(setUnits)
    all.set(set)
    return this.#sets.push(all) - 1
  }

  #bitOf(pair: readonly [CharSet, CharSet?]): number {
    const known = this.#pairs.findIndex(([first, second]) => isAlike(first, pair[0]) && isAlike(second, pair[1]))
    if (known >= 0) return 1 << known
    if (this.#pairs.length === pairsMax)
      throw new RangeError('Guards ask for more pairs behind names than there is room for.')
    const bit = 1 << (this.#pairs.push(pair) - 1)
    mark(this.#firsts, pair[0], bit)
    mark(this.#seconds, pair[1], bit)
    return bit
  }
}

function flagsOf({ orCapital, beforeValue, holdsText, nearDigit }: Guard): number {
  let flags = orCapital === true ? orCapitalFlag : 0
  if (beforeValue === true) flags |= 1 << beforeValueBit
  if (holdsText === true) flags |= holdsTextFlag
  return nearDigit === true ? flags | nearDigitFlag : flags
}

function isAlike(one: CharSet | undefined, other: CharSet | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && one.every((bit, code) => bit === other[code]))
}

function mark(bits: Uint32Array, set: CharSet | undefined, bit: number): void {
  for (let code = 0; code < setUnits; code++)
    if (set === undefined || code > 127 || set[code] === 1) bits[code] = (bits[code] as number) | bit
}

/** The number of a set is a byte wide. */
const setsMax = 256
