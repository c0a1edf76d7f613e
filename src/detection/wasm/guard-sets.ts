/**
 * The conditions of guards as the search in WebAssembly reads them: distinct sets of bytes, and the records that refer
 * to them.
 */
import { behindUnitsMax, type Guard } from '../anchor-guard.ts'
import type { CharSet } from '../text/chars.ts'
import {
  beforeValueFlag,
  firstFreeSet,
  firstsAt,
  guardAt,
  guardBytes,
  guardFrom,
  holdsTextFlag,
  longValueFlag,
  nearDigitFlag,
  orCapitalFlag,
  pairsMax,
  secondsAt,
  setUnits,
  wordHash,
  wordListsMax,
  wordSlots,
  wordsAt
} from './guard-code.ts'

export class GuardSets {
  readonly #sets: Uint8Array[] = Array.from({ length: firstFreeSet }, () => new Uint8Array(setUnits))
  /** By content, the number of a set. */
  readonly #numbers = new Map<string, number>()
  /** The content of each set as a string. */
  readonly #contents = new Map<CharSet, string>()
  /** By the content of both sets of a pair, its bit. */
  readonly #bits = new Map<string, number>()
  readonly #written = new Map<Guard, Uint8Array>()
  /** The bits of lists of words, and by the hash of a word, those of the lists that have it. */
  readonly #lists = new Map<readonly string[], number>()
  readonly #words = new Uint8Array(wordSlots)
  readonly #firsts = new Uint32Array(setUnits)
  readonly #seconds = new Uint32Array(setUnits)

  /** All sets, concatenated. */
  get bytes(): Uint8Array {
    const all = new Uint8Array(this.#sets.length * setUnits)
    this.#sets.forEach((set, i) => all.set(set, i * setUnits))
    all.set(new Uint8Array(this.#firsts.buffer), firstsAt)
    all.set(new Uint8Array(this.#seconds.buffer), secondsAt)
    all.set(this.#words, wordsAt)
    return all
  }

  /**
   * Writes a guard into the record of a literal at an offset. Many literals share a guard, and this runs at each start.
   * @throws RangeError for more sets or pairs than there is room for
   */
  write(records: Uint8Array, at: number, guard: Guard): void {
    let written = this.#written.get(guard)
    if (written === undefined) this.#written.set(guard, (written = this.#bytesOf(guard)))
    for (let i = 0; i < guardBytes; i++) records[at + guardFrom + i] = written[i] as number
  }

  #bytesOf(guard: Guard): Uint8Array {
    const { notBefore, notBehind, behind, behindUnits = 1, behindName = [], wordsBehind } = guard
    const bytes = new Uint8Array(guardBytes)
    const put = (place: number, value: number) => (bytes[place - guardFrom] = value)
    if (wordsBehind !== undefined) put(guardAt.words, this.#bitOfList(wordsBehind))
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
    const content = this.#contentOf(set)
    const number = this.#numbers.get(content) ?? this.#add(set)
    this.#numbers.set(content, number)
    return number
  }

  /** The same string for sets of the same characters. */
  #contentOf(set: CharSet | undefined): string {
    if (set === undefined) return ''
    const content = this.#contents.get(set) ?? String.fromCharCode(...set)
    this.#contents.set(set, content)
    return content
  }

  #add(set: CharSet): number {
    if (this.#sets.length === setsMax)
      throw new RangeError('Guards ask for more sets of characters than there is room for.')
    const all = new Uint8Array(setUnits)
    all.set(set)
    return this.#sets.push(all) - 1
  }

  #bitOfList(words: readonly string[]): number {
    const known = this.#lists.get(words)
    if (known !== undefined) return known
    if (this.#lists.size === wordListsMax)
      throw new RangeError('Guards ask for more lists of words than there is room for.')
    const bit = 1 << this.#lists.size
    this.#lists.set(words, bit)
    for (const word of words) {
      const slot = wordHash(word)
      this.#words[slot] = (this.#words[slot] as number) | bit
    }
    return bit
  }

  #bitOf([first, second]: readonly [CharSet, CharSet?]): number {
    const content = this.#contentOf(first) + this.#contentOf(second)
    const known = this.#bits.get(content)
    if (known !== undefined) return known
    if (this.#bits.size === pairsMax)
      throw new RangeError('Guards ask for more pairs behind names than there is room for.')
    const bit = 1 << this.#bits.size
    this.#bits.set(content, bit)
    mark(this.#firsts, first, bit)
    mark(this.#seconds, second, bit)
    return bit
  }
}

function flagsOf({ orCapital, beforeValue, holdsText, nearDigit }: Guard): number {
  let flags = orCapital === true ? orCapitalFlag : 0
  if (beforeValue !== undefined) flags |= beforeValueFlag
  if (beforeValue === 32) flags |= longValueFlag
  if (holdsText === true) flags |= holdsTextFlag
  return nearDigit === true ? flags | nearDigitFlag : flags
}

function mark(bits: Uint32Array, set: CharSet | undefined, bit: number): void {
  bits.forEach((known, code) => {
    if (set === undefined || code > 127 || set[code] === 1) bits[code] = known | bit
  })
}

/** The number of a set is one byte. */
const setsMax = 256
