/**
 * Finds all matches of a pattern in time linear in the text, however many there are and however far each of them looks
 * ahead. Libraries find one match after the other. Each search may read to the end of the text, as `a(.*z)?` does for
 * every `a`, so all of them together are quadratic (decision 215).
 *
 * Here the text is first read backwards. For each position, a deterministic automaton says which instructions of the
 * pattern's program lead to a match from there. Then matches are followed from left to right: at a choice, the preferred
 * way is taken if it leads to a match, so nothing is tried in vain. This is how regular expressions are matched greedily
 * in two passes (Frisch and Cardelli, "Greedy Regular Expression Matching", 2004). The matches are the same as
 * those of RE2: leftmost, and of those from one place the one that the pattern prefers.
 */
import { kindAt, kindCount, kindOf, kinds, type PatternProgram } from './pattern-program.ts'

/** Receives a match `[start, end)`. It is never empty. */
export type Found = (start: number, end: number) => void

/** The states that are kept from one window to the next: as many as take so many bytes, roughly. */
const stateBytesMax = 1 << 20
/** What a state takes beside its instructions: most of it is the list of those before it. */
const bytesPerState = 500

/** For each position of a window, the state. Shared, since no search waits. */
const windowTrail = new Int32Array(1 << 15)

/** What building a state costs beside a look at each instruction, in code units of ordinary text. */
const unitsPerState = 64

export class MatchSearch {
  readonly #program: PatternProgram
  /** By state, the instructions that lead to a match, as a bit set. */
  #sets: Uint32Array[] = []
  /** By state, whether a match may begin. */
  #begins: boolean[] = []
  /** By state, and by a character's class and what stands before it, the state before that character. */
  #next: number[][] = []
  readonly #known = new Map<string, number>()
  /** For each instruction, the number of the visit that came by last. */
  readonly #visited: Float64Array
  readonly #pending: number[] = []
  /** The set that is built. */
  readonly #scratch: Uint32Array
  #visit = 0
  #built = 0
  #trail = windowTrail

  constructor(program: PatternProgram) {
    this.#program = program
    this.#visited = new Float64Array(program.size)
    this.#scratch = new Uint32Array((program.size + 31) >> 5)
  }

  /**
   * Reports the matches in `[from, to)`, of which none overlaps another.
   * @returns the work beyond reading the window, in code units of ordinary text
   */
  eachMatch(text: string, from: number, to: number, found: Found): number {
    this.#built = 0
    this.#trail = to - from < windowTrail.length ? windowTrail : new Int32Array(to - from + 1)
    if (this.#readBack(text, from, to)) this.#follow(text, from, to, found)
    this.#trail = windowTrail
    // A policy may have many patterns, and the next window of this one may be long in coming.
    if (this.#sets.length * (bytesPerState + this.#program.size / 4) > stateBytesMax) this.#forget()
    return this.#built * (unitsPerState + this.#program.size)
  }

  #follow(text: string, from: number, to: number, found: Found): void {
    const trail = this.#trail
    const begins = this.#begins
    for (let at = from; at < to;) {
      if (begins[trail[at - from] as number] !== true) at++
      else {
        const end = this.#end(text, at, from, to)
        if (end > at) found(at, end)
        at = end > at ? end : at + 1
      }
    }
  }

  /** Notes the state of each position. @returns whether a match begins at any */
  #readBack(text: string, from: number, to: number): boolean {
    const program = this.#program
    const { asserts } = program
    const trail = this.#trail
    let state = this.#last(text, to)
    let begins = false
    trail[to - from] = state
    for (let at = to; at > from;) {
      let code = text.charCodeAt(--at)
      if (isLowSurrogate(code) && at > from && isHighSurrogate(text.charCodeAt(at - 1))) {
        // No match begins within a character.
        trail[at - from] = 0
        code = text.codePointAt(--at) as number
      }
      const charClass = program.classOf(code)
      const symbol = asserts ? charClass * kindCount + kindAt(text, at - 1) : charClass
      const next = (this.#next[state] as number[])[symbol]
      state = next === undefined ? this.#before(state, charClass, symbol, code) : next
      trail[at - from] = state
      begins ||= this.#begins[state] as boolean
    }
    return begins
  }

  /** The state at the end of a window. */
  #last(text: string, to: number): number {
    if (this.#sets.length === 0) this.#keep(this.#scratch, keyOf(this.#scratch.fill(0)))
    const { match, asserts } = this.#program
    this.#scratch.fill(0)
    if (match >= 0) this.#lead(match)
    return asserts ? this.#close(kindAt(text, to - 1), kindAt(text, to)) : this.#close(kinds.other, kinds.other)
  }

  /** The state before a character. */
  #before(state: number, charClass: number, symbol: number, code: number): number {
    const program = this.#program
    const { outs, match } = program
    const set = this.#sets[state] as Uint32Array
    this.#scratch.fill(0)
    for (const at of program.readersOf(charClass)) if (holds(set, outs[at] as number)) this.#lead(at)
    if (match >= 0) this.#lead(match)
    const found = this.#close(program.asserts ? symbol % kindCount : kinds.other, kindOf(code))
    ;(this.#next[state] as number[])[symbol] = found
    return found
  }

  /** Adds an instruction to the set that is built. */
  #lead(at: number): void {
    const set = this.#scratch
    set[at >> 5] = (set[at >> 5] as number) | (1 << (at & 31))
    this.#pending.push(at)
  }

  /** The state of the set that is built, with the instructions that lead to it between two characters. */
  #close(kindBefore: number, kindAfter: number): number {
    const program = this.#program
    const set = this.#scratch
    for (let at = this.#pending.pop(); at !== undefined; at = this.#pending.pop())
      for (const one of program.before(at))
        if (!holds(set, one) && program.passes(one, kindBefore, kindAfter)) this.#lead(one)
    this.#built++
    const key = keyOf(set)
    return this.#known.get(key) ?? this.#keep(set, key)
  }

  #keep(set: Uint32Array, key: string): number {
    const state = this.#sets.push(set.slice()) - 1
    this.#begins.push(holds(set, this.#program.start))
    this.#next.push([])
    this.#known.set(key, state)
    return state
  }

  #forget(): void {
    this.#sets = []
    this.#begins = []
    this.#next = []
    this.#known.clear()
  }

  /** The end of the match that begins at `at`. */
  #end(text: string, at: number, from: number, to: number): number {
    const program = this.#program
    const trail = this.#trail
    for (let instruction = program.start; ;) {
      const reader = this.#preferred(instruction, this.#sets[trail[at - from] as number] as Uint32Array)
      if (reader === program.match) return at
      at += at + 1 < to && (text.codePointAt(at) as number) > 0xffff ? 2 : 1
      instruction = program.outs[reader] as number
    }
  }

  /** Of the instructions that read a character or end the match, the first that `instruction` leads to. */
  #preferred(instruction: number, set: Uint32Array): number {
    const program = this.#program
    const visit = ++this.#visit
    const visited = this.#visited
    const pending = this.#pending
    for (let at: number | undefined = instruction; at !== undefined; at = pending.pop()) {
      let one = at
      while (holds(set, one) && visited[one] !== visit) {
        if (one === program.match || program.reads(one)) {
          pending.length = 0
          return one
        }
        visited[one] = visit
        const otherwise = program.otherwise(one)
        if (otherwise >= 0) pending.push(otherwise)
        one = program.outs[one] as number
      }
    }
    // Cannot be, since each instruction of a set leads to a match.
    return program.match
  }
}

function keyOf(set: Uint32Array): string {
  let key = ''
  for (const bits of set) key += String.fromCharCode(bits & 0xffff, bits >>> 16)
  return key
}

function holds(set: Uint32Array, at: number): boolean {
  return (((set[at >> 5] as number) >>> (at & 31)) & 1) === 1
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}
