/** A scan of a text whose lines have a margin: of the lines without it, with the findings at their places in the text. */
import type { Finding, ScanRun } from '../findings.ts'
import { MarginReader } from '../normalise/margins.ts'
import { fillsLine } from './lone-line.ts'

/** How many units are freed of their margin in the time in which one is scanned. */
const unitsPerWork = 8

export class MarginRun implements ScanRun {
  readonly #reader: MarginReader
  readonly #unitsMax: number
  readonly #begin: (plain: string) => ScanRun
  #read = 0
  #run: ScanRun | undefined

  /** @param begin begins the scan of the text without the margin */
  constructor(text: string, begin: (plain: string) => ScanRun) {
    this.#reader = new MarginReader(text)
    this.#unitsMax = text.length / unitsPerWork
    this.#begin = begin
  }

  step(units: number): boolean {
    if (this.#run === undefined) {
      const before = this.#read
      this.#read = Math.min(this.#unitsMax, before + units)
      if (!this.#reader.step(units * unitsPerWork)) return false
      this.#run = this.#begin(this.#reader.plain)
      return this.#run.step(Math.max(1, units - this.#read + before))
    }
    return this.#run.step(units)
  }

  get work(): number {
    return this.#read + (this.#run?.work ?? 0)
  }

  findings(): Finding[] {
    const reader = this.#reader
    return (this.#run?.findings() ?? [])
      .filter((one) => isListed(reader.plain, one))
      .map((finding) => ({
        ...finding,
        start: reader.placeOf(finding.start),
        end: reader.placeOf(finding.end - 1) + 1
      }))
  }
}

/**
 * A number on a line of its own is significant in a message, but not in a file. One in dashed groups is found anywhere:
 * `512-44-6723`.
 */
function isListed(plain: string, finding: Finding): boolean {
  const isSure = finding.confidence === 'strong' || finding.confidence === 'certain'
  return finding.group === 'secret' || isSure || !fillsLine(plain, finding) || isDashed(plain, finding)
}

const isDashed = (plain: string, { start, end }: Finding): boolean => plain.slice(start, end).includes('-')
