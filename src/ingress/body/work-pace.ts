/** Counts the work of one call, so that it pauses about every millisecond, however it is spread over texts. */

/** Work between two pauses, in UTF-16 code units of ordinary text: about a millisecond with all kinds enabled. */
export const unitsPerStep = 65_536

export class WorkPace {
  /** Work that may be done before the next pause; may be negative. */
  left: number
  readonly #step: number

  /** @param step work between two pauses, in the same units */
  constructor(step = unitsPerStep) {
    this.left = this.#step = step
  }

  /** Adds work. @returns true if it is time to pause; then the next step begins */
  isDue(units: number): boolean {
    this.left -= units
    if (this.left > 0) return false
    this.left = this.#step
    return true
  }
}
