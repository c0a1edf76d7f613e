/** Searches one text for custom patterns, block by block, in the windows around their literals. */
import { reachUnits, type CompiledPattern } from './patterns.ts'
import type { Match } from '../detector.ts'
import type { Kind } from '../findings.ts'

/** The longest window that is searched in one go, in code units. */
const stretchUnitsMax = 16_384

/** Receives the matches. */
export interface PatternSink {
  add(kind: Kind, match: Match): void
  /** Counts work, in code units of ordinary text. */
  spend(units: number): void
}

/** What a unit costs that one pattern searches. */
const unitCost = 4

export class PatternSweep {
  readonly #patterns: readonly CompiledPattern[]
  readonly #text: string
  readonly #sink: PatternSink
  /** The open window of each pattern; none if `to` is 0. */
  readonly #from: Float64Array
  readonly #to: Float64Array

  constructor(patterns: readonly CompiledPattern[], text: string, sink: PatternSink) {
    this.#patterns = patterns
    this.#text = text
    this.#sink = sink
    this.#from = new Float64Array(patterns.length)
    this.#to = new Float64Array(patterns.length)
  }

  /** Reports that a literal of pattern `number` begins at `at`. */
  signal(at: number, number: number): void {
    this.#widen(number, at - reachUnits, at + reachUnits)
  }

  /** Reports that the anchor search has passed all of `[from, to)`, so that windows which end there can be searched. */
  endBlock(from: number, to: number): void {
    const ended = to === this.#text.length
    for (let number = 0; number < this.#patterns.length; number++) {
      if ((this.#patterns[number] as CompiledPattern).literals.length === 0)
        this.#widen(number, from - reachUnits, ended ? to : to + reachUnits)
      const end = this.#to[number] as number
      if (end > 0 && (end <= to || ended || this.#patterns[number]?.literals.length === 0)) this.#close(number)
    }
  }

  #widen(number: number, from: number, to: number): void {
    const open = this.#to[number] as number
    const start = this.#from[number] as number
    if (open > 0 && (from > open || to - start > stretchUnitsMax)) this.#close(number)
    if (this.#to[number] === 0) this.#from[number] = Math.max(0, from)
    this.#to[number] = Math.max(this.#to[number] as number, Math.min(this.#text.length, to))
  }

  #close(number: number): void {
    const pattern = this.#patterns[number] as CompiledPattern
    const from = this.#from[number] as number
    const to = this.#to[number] as number
    this.#to[number] = 0
    const extra = pattern.eachMatch(this.#text, from, to, (start, end) =>
      this.#sink.add(pattern.kind, { start, end, confidence: 'strong' })
    )
    this.#sink.spend((to - from) * unitCost + extra)
  }
}
