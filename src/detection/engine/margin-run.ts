/** A scan of a text whose lines have a margin: of the lines without it, with the findings at their places in the text. */
import type { Finding, OwnFind, ScanRun } from '../findings.ts'
import { MarginReader } from '../normalise/margins.ts'
import { fillsLine } from './lone-line.ts'
import { Pace } from './pace.ts'

/** How many units are freed of their margin in the time in which one is scanned. */
const unitsPerWork = 8

/** What it costs to find the place of a finding in the text. */
const unitsPerPlace = 32

/** How many numbers that fill their line are looked for in the line as it is written; the others count. */
const lineScansMax = 200

export class MarginRun implements ScanRun {
  readonly #text: string
  readonly #reader: MarginReader
  readonly #unitsMax: number
  readonly #begin: (plain: string) => ScanRun
  readonly #beginWhole: (plain: string) => ScanRun
  #read = 0
  #run: ScanRun | undefined
  /** The work of placing what the run found. */
  readonly #pace = new Pace()
  #placing: Iterator<void> | undefined
  readonly #placed: Finding[] = []

  /**
   * @param begin begins the scan of a text without a margin
   * @param beginWhole the same for all of this one, if that is another
   */
  constructor(text: string, begin: (plain: string) => ScanRun, beginWhole = begin) {
    this.#text = text
    this.#reader = new MarginReader(text)
    this.#unitsMax = text.length / unitsPerWork
    this.#begin = begin
    this.#beginWhole = beginWhole
  }

  step(units: number): boolean {
    const until = this.work + Math.max(1, units)
    if (this.#run === undefined) {
      this.#read = Math.min(this.#unitsMax, this.#read + units)
      if (!this.#reader.step(units * unitsPerWork)) return false
      this.#run = this.#beginWhole(this.#reader.plain)
    }
    if (this.#placing === undefined) {
      if (!this.#run.step(Math.max(1, until - this.work))) return false
      this.#placing = this.#place(this.#run.findings())
    }
    this.#pace.allow(Math.max(1, until - this.work))
    return this.#placing.next().done === true
  }

  get work(): number {
    return this.#read + (this.#run?.work ?? 0) + this.#pace.done
  }

  findings(): Finding[] {
    return this.#placed
  }

  /** Their places are those in the text without the margin. */
  own(): readonly OwnFind[] | undefined {
    return this.#run?.own()
  }

  *#place(found: readonly Finding[]): Generator<void, void, void> {
    const reader = this.#reader
    let scans = 0
    for (const one of found) {
      if (this.#pace.spend(unitsPerPlace)) yield
      const start = reader.placeOf(one.start)
      const end = reader.placeOf(one.end - 1) + 1
      if (isOfAnyText(reader.plain, one) || ++scans > lineScansMax || this.#isInLineAsWritten(start, end))
        this.#placed.push({ ...one, start, end })
    }
  }

  /** Whether what stands in `[start, end)` is also found in its line with the margin, and not only alone on a line. */
  #isInLineAsWritten(start: number, end: number): boolean {
    const from = this.#text.lastIndexOf('\n', start - 1) + 1
    const to = this.#text.indexOf('\n', end)
    const run = this.#begin(this.#text.slice(from, to < 0 ? this.#text.length : to))
    run.step(Infinity)
    this.#pace.spend(run.work)
    return run.findings().some((one) => from + one.start <= start && from + one.end >= end)
  }
}

/** A number is significant alone on a line of a message, but not of a file. */
function isOfAnyText(plain: string, finding: Finding): boolean {
  const isSure = finding.confidence === 'strong' || finding.confidence === 'certain'
  return finding.group === 'secret' || isSure || !fillsLine(plain, finding)
}
