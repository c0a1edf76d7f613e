/** Classes of characters in an index: few enough that one bit for each three of them fits a cache. */
import { byteOf, signByte } from './text-block.ts'

/** Bits per class. */
export const classBits = 6
export const classCount = 1 << classBits
/** One more than the largest gram: three successive classes as one number. */
export const gramCount = classCount ** 3

/** What is searched for: literals, and their codes in lower and upper case. */
export interface Wanted {
  readonly literals: readonly string[]
  /** The codes of all literals, concatenated. */
  readonly lowers: Uint16Array
  readonly uppers: Uint16Array
  /** Which ASCII codes occur in a literal, and where the other codes are. */
  readonly used: Uint8Array
  readonly wides: readonly number[]
  readonly withNumbers: boolean
  readonly withSigns: boolean
}

/**
 * The class of each byte of a block. Both cases of a letter share one. Characters in no literal have class 0. Each
 * other character has a class of its own while there are any; the rest share those that are left.
 */
export function gramClasses(wanted: Wanted): Uint8Array {
  const { withNumbers, withSigns } = wanted
  const classOf = new Uint8Array(256)
  const wide = wanted.wides.length === 0 ? undefined : new WideBytes(wanted)
  let next = 1
  if (withSigns) classOf[signByte] = next++
  const asciiMax = classCount - Math.min(wide?.count ?? 0, wideClassesMin) - 1
  for (const code of asciiCodes(wanted.used, withNumbers)) {
    classOf[code] = Math.min(next++, asciiMax)
    if (code > 96 && code < 123) classOf[code - 32] = classOf[code]!
  }
  wide?.addTo(classOf, Math.min(next, asciiMax + 1))
  return classOf
}

/** The fewest classes for characters beyond ASCII: one is for those that are literals by themselves. */
const wideClassesMin = 2

/** The rarest characters, which may share a class. */
const rareCodes = new Set(Array.from('\r+#%`~?', (sign) => sign.charCodeAt(0)))

/** The ASCII codes that need a class, the most selective first. */
function asciiCodes(wanted: Uint8Array, withNumbers: boolean): number[] {
  const used = wanted.slice()
  if (withNumbers) used.fill(1, 48, 58).fill(1, 46, 47)
  const rank = (code: number) =>
    code === 95 ? 0 : code > 96 && code < 123 ? 1 : code > 47 && code < 58 ? 2 : rareCodes.has(code) ? 4 : 3
  return [...used.keys()].filter((code) => used[code] === 1).toSorted((a, b) => rank(a) - rank(b) || a - b)
}

/** The bytes of characters beyond ASCII, both cases of a letter taken together. */
class WideBytes {
  /** Each byte leads to another byte for the same letters, or to itself; 0 if it is not used. */
  readonly #leads = new Uint8Array(256)
  /** Bytes that are literals by themselves. They are found wherever they occur, so they need a class of their own. */
  readonly #lone = new Set<number>()

  constructor({ literals, lowers, uppers, wides }: Wanted) {
    for (const i of wides) this.#join(byteOf(lowers[i] as number), byteOf(uppers[i] as number))
    for (const literal of literals)
      if (literal.length === 1 && literal.charCodeAt(0) > 127) this.#lone.add(this.#end(byteOf(literal.charCodeAt(0))))
  }

  get count(): number {
    return this.#leads.reduce((count, lead) => count + Number(lead !== 0), 0)
  }

  addTo(classOf: Uint8Array, from: number): void {
    const ends = [...this.#leads.keys()].filter((byte) => this.#leads[byte] === byte)
    const lone = ends.filter((byte) => this.#lone.has(byte))
    const others = ends.filter((byte) => !this.#lone.has(byte))
    const left = classCount - from
    const loneMax = others.length === 0 ? left : Math.min(lone.length, left >> 1)
    const place = new Map<number, number>()
    lone.forEach((byte, i) => place.set(byte, from + (i % loneMax)))
    others.forEach((byte, i) => place.set(byte, from + loneMax + (i % (left - loneMax))))
    for (let byte = 128; byte < 256; byte++) {
      const cls = this.#leads[byte] === 0 ? undefined : place.get(this.#end(byte))
      if (cls !== undefined) classOf[byte] = cls
    }
  }

  #join(a: number, b: number): void {
    if (this.#leads[a] === 0) this.#leads[a] = a
    if (this.#leads[b] === 0) this.#leads[b] = b
    this.#leads[this.#end(a)] = this.#end(b)
  }

  #end(byte: number): number {
    let at = byte
    while (this.#leads[at] !== at) at = this.#leads[at] as number
    return at
  }
}
