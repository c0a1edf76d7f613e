/** Classes of characters in an index: few enough that one bit for each three of them fits a cache. */
import { byteOf, signByte } from './text-block.ts'

/** Bits per class. */
export const classBits = 6
export const classCount = 1 << classBits
/** One more than the largest gram: three successive classes as one number. */
export const gramCount = classCount ** 3

/** What is searched for: literals, and their codes in lower case. */
interface Wanted {
  readonly literals: readonly string[]
  /** The codes of all literals, concatenated. */
  readonly lowers: Uint16Array
  /** Which ASCII codes occur in a literal, and where the other codes are. */
  readonly used: Uint8Array
  readonly wides: readonly number[]
  readonly withNumbers: boolean
  readonly withSigns: boolean
}

/**
 * The class of each byte of a block. Both cases of an ASCII letter share one. Characters in no literal have class 0. Each
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

/**
 * The fewest classes for characters beyond ASCII, if so many bytes occur. The rest is for ASCII, of which the last letters
 * and all signs share one: in texts of other scripts three letters are then half as often those of a literal, and in
 * Latin ones as often as before (decision 253).
 */
const wideClassesMin = 34

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

/** The bytes of characters beyond ASCII. */
class WideBytes {
  /** How often each byte occurs in literals. */
  readonly #uses = new Uint32Array(256)
  /** Bytes that are literals by themselves. They are found wherever they occur, so they need a class of their own. */
  readonly #lone = new Set<number>()

  constructor({ literals, lowers, wides }: Wanted) {
    for (const i of wides) this.#uses[byteOf(lowers[i] as number)]!++
    for (const literal of literals)
      if (literal.length === 1 && literal.charCodeAt(0) > 127) this.#lone.add(byteOf(literal.charCodeAt(0)))
  }

  get count(): number {
    return this.#uses.reduce((count, uses) => count + Number(uses !== 0), 0)
  }

  /** Gives the bytes the classes that are left, so that each class has about as many letters of literals. */
  addTo(classOf: Uint8Array, from: number): void {
    const uses = this.#uses
    const used = [...uses.keys()].filter((byte) => uses[byte] !== 0)
    const lone = used.filter((byte) => this.#lone.has(byte))
    const others = used.filter((byte) => !this.#lone.has(byte)).toSorted((a, b) => uses[b]! - uses[a]!)
    const left = classCount - from
    const loneMax = others.length === 0 ? left : Math.min(lone.length, left >> 1)
    lone.forEach((byte, i) => (classOf[byte] = from + (i % loneMax)))
    others.forEach((byte, i) => (classOf[byte] = from + loneMax + (i % (left - loneMax))))
  }
}
