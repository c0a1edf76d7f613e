/** Counts the work of a scan, so that it can pause after about a millisecond whatever the text is. */

/** What a call of a matcher costs beside the search, and what a finding costs until the scan ends. */
export const callUnits = 64
export const findUnits = 256

export class Pace {
  /** Work done so far, in code units of ordinary text that take as long. */
  done = 0
  /** The work after which the scan is to pause. */
  until = Infinity
  /** How much more may be done if that ends something which could only be divided at a cost. */
  slack = Infinity

  /** Adds work. @returns whether it is time to pause */
  spend(units: number): boolean {
    this.done += units
    return this.done >= this.until
  }

  /** Begins a step of so many units, which may be a fraction. */
  allow(units: number): void {
    this.until = this.done + Math.max(1, Math.ceil(units))
    this.slack = units / 4
  }

  get isDue(): boolean {
    return this.done >= this.until
  }
}

/** Runs work that pauses to its end. */
export function finish<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
