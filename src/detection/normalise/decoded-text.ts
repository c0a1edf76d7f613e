/** Text that was decoded from another way of writing, and where each of its units is written. */
import { runOf } from './run-of.ts'

export class DecodedText {
  text = ''
  /** The unit that was read last; 0 before the first. */
  last = 0
  /** Runs of units that stand in a row: the first unit of each, and where it is written. An escape is a run of one. */
  readonly #units: number[] = []
  readonly #places: number[] = []
  readonly #placeEnds: number[] = []

  /** Appends units that are written in `[from, to)`: one for all of it, or one for each unit there. */
  add(units: string, from: number, to: number): void {
    if (units === '') return
    this.last = units.charCodeAt(units.length - 1)
    this.#units.push(this.text.length)
    this.#places.push(from)
    this.#placeEnds.push(to)
    this.text += units
  }

  /** Where a unit is written. */
  startOf(unit: number): number {
    const run = runOf(this.#units, unit)
    return (this.#places[run] as number) + unit - (this.#units[run] as number)
  }

  /** Where the written form of a unit ends. */
  endOf(unit: number): number {
    const run = runOf(this.#units, unit)
    return (this.#units[run + 1] ?? this.text.length) === unit + 1
      ? (this.#placeEnds[run] as number)
      : this.startOf(unit) + 1
  }
}
