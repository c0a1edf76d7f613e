/** Text that is written in other signs than it reads as, and where each of its units stands. */

export class WrittenText {
  text = ''
  /** The unit that was read last; 0 before the first. */
  last = 0
  /** By run of units that stand in a row: its first unit, and where it is written. An escape is a run of one. */
  readonly #units: number[] = []
  readonly #places: number[] = []
  readonly #placeEnds: number[] = []

  /** Goes on with units that are written in `[from, to)`: one that takes all of it, or as many as stand there. */
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
    const run = this.#runOf(unit)
    return (this.#places[run] as number) + unit - (this.#units[run] as number)
  }

  /** Where what a unit is written as ends. */
  endOf(unit: number): number {
    const run = this.#runOf(unit)
    return (this.#units[run + 1] ?? this.text.length) === unit + 1
      ? (this.#placeEnds[run] as number)
      : this.startOf(unit) + 1
  }

  #runOf(unit: number): number {
    let low = 0
    let high = this.#units.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#units[middle] as number) <= unit) low = middle
      else high = middle - 1
    }
    return low
  }
}
