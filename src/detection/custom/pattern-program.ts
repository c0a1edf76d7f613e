/**
 * The program that the RE2 library compiled from a pattern, in the form that `match-search.ts` runs: instructions by
 * number, the way back from each of them, and characters by which instructions read them.
 *
 * The instructions are those of RE2 (https://swtch.com/~rsc/regexp/regexp2.html): one that reads a character leads to
 * one other, a choice leads to two of which the first is preferred, and an assertion leads on where it holds.
 */
import type { RE2JS } from 're2js'
import { wordSet } from '../text/chars.ts'

/** An instruction of the library. Only what is used. */
interface Instruction {
  readonly op: number
  readonly out: number
  /** The second way of a choice; what an assertion requires. */
  readonly arg: number
  readonly runes: Int32Array
  matchRune(rune: number): boolean
}

/** The numbers of the library for kinds of instructions. */
const ops = {
  choice: 1,
  choiceOfMatch: 2,
  assertion: 4,
  fail: 5,
  match: 6,
  rune: 8,
  oneRune: 9,
  anyRune: 10,
  anyRuneButNewline: 11
} as const

/** What stands beside a position, as far as an assertion asks. */
export const kinds = { other: 0, word: 1, newline: 2, nothing: 3 } as const
export const kindCount = 4

/** The library's bits for what an assertion requires. */
const assertions = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32
} as const

/** Characters are kept by pages of this many code points, as far as they were seen. */
const pageBits = 8
/** The pages of one pattern: as many as the Basic Multilingual Plane has. */
const pagesMax = 256

export class PatternProgram {
  readonly start: number
  /** The instruction that ends a match. */
  readonly match: number
  readonly size: number
  /** Whether it depends on what stands beside a position. */
  readonly asserts: boolean
  /** For each instruction, the only or the preferred way on. */
  readonly outs: Int32Array
  readonly #instructions: readonly Instruction[]
  /** For each instruction, those that lead to it and read nothing. */
  readonly #before: readonly (readonly number[])[]
  /** By class of characters, the instructions that read them. */
  readonly #readers: (readonly number[])[] = []
  readonly #classes = new Map<string, number>()
  #pages = new Map<number, Int16Array>()
  /** The page of ASCII and Latin-1. */
  #first: Int16Array

  constructor(re: RE2JS) {
    const { inst, start } = re.re2().prog as { readonly inst: readonly Instruction[]; readonly start: number }
    this.start = start
    this.size = inst.length
    this.match = inst.findIndex(({ op }) => op === ops.match)
    this.asserts = inst.some(({ op }) => op === ops.assertion)
    this.#instructions = inst
    this.outs = Int32Array.from(inst, ({ out }) => out)
    this.#before = inst.map(() => [])
    inst.forEach((one, at) => {
      if (one.op >= ops.rune || one.op === ops.match || one.op === ops.fail) return
      ;(this.#before[one.out] as number[]).push(at)
      if (isChoice(one)) (this.#before[one.arg] as number[]).push(at)
    })
    this.#first = this.#page(0)
  }

  /** Those that lead to an instruction and read nothing. */
  before(at: number): readonly number[] {
    return this.#before[at] as readonly number[]
  }

  /** The other way of a choice; -1 for all other instructions. */
  otherwise(at: number): number {
    const one = this.#instructions[at] as Instruction
    return isChoice(one) ? one.arg : -1
  }

  reads(at: number): boolean {
    return (this.#instructions[at] as Instruction).op >= ops.rune
  }

  /** Whether an instruction leads on between two characters, which an assertion may not. */
  passes(at: number, kindBefore: number, kindAfter: number): boolean {
    const { op, arg } = this.#instructions[at] as Instruction
    return op !== ops.assertion || (arg & ~holding(kindBefore, kindAfter)) === 0
  }

  /** The instructions that read characters of a class. */
  readersOf(charClass: number): readonly number[] {
    return this.#readers[charClass] as readonly number[]
  }

  /** The class of a code point. Those of one class are read by the same instructions and of the same kind. */
  classOf(codePoint: number): number {
    const page = codePoint < 1 << pageBits ? this.#first : this.#pageOf(codePoint >> pageBits)
    const known = page[codePoint & ((1 << pageBits) - 1)] as number
    return known >= 0 ? known : (page[codePoint & ((1 << pageBits) - 1)] = this.#classify(codePoint))
  }

  #pageOf(number: number): Int16Array {
    return this.#pages.get(number) ?? this.#page(number)
  }

  #page(number: number): Int16Array {
    if (this.#pages.size >= pagesMax) {
      this.#pages = new Map([[0, this.#first]])
    }
    const page = new Int16Array(1 << pageBits).fill(-1)
    this.#pages.set(number, page)
    return page
  }

  #classify(codePoint: number): number {
    const readers: number[] = []
    for (let at = 0; at < this.size; at++)
      if (readsRune(this.#instructions[at] as Instruction, codePoint)) readers.push(at)
    const key = `${this.asserts ? kindOf(codePoint) : 0} ${readers.join()}`
    const known = this.#classes.get(key)
    if (known !== undefined) return known
    this.#classes.set(key, this.#readers.length)
    return this.#readers.push(readers) - 1
  }
}

function isChoice({ op }: Instruction): boolean {
  return op === ops.choice || op === ops.choiceOfMatch
}

function readsRune(one: Instruction, rune: number): boolean {
  switch (one.op) {
    case ops.rune:
      return one.matchRune(rune)
    case ops.oneRune:
      return rune === one.runes[0]
    case ops.anyRune:
      return true
    case ops.anyRuneButNewline:
      return rune !== 10
    default:
      return false
  }
}

/** The kind of the code unit at an index, which may be outside of the text. */
export function kindAt(text: string, at: number): number {
  return at < 0 || at >= text.length ? kinds.nothing : kindOf(text.charCodeAt(at))
}

/** The kind of a code point or unit. */
export function kindOf(code: number): number {
  if (code === 10) return kinds.newline
  return code < 128 && wordSet[code] === 1 ? kinds.word : kinds.other
}

/** What holds between two characters of these kinds, as a set of bits. */
function holding(before: number, after: number): number {
  let bits = 0
  if (before === kinds.nothing) bits |= assertions.beginText | assertions.beginLine
  if (before === kinds.newline) bits |= assertions.beginLine
  if (after === kinds.nothing) bits |= assertions.endText | assertions.endLine
  if (after === kinds.newline) bits |= assertions.endLine
  const isBoundary = (before === kinds.word) !== (after === kinds.word)
  return bits | (isBoundary ? assertions.wordBoundary : assertions.noWordBoundary)
}
