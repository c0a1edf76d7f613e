/** Keeps a minimum time between two runs of some work, unless it is urgent. */
export class Pace {
  readonly #gapMs: number
  #lastMs = Number.NEGATIVE_INFINITY
  #isHurried = false
  #wake: (() => void) | undefined

  constructor(gapMs: number) {
    this.#gapMs = gapMs
  }

  /** Resolves when the next run may begin. */
  async next(): Promise<void> {
    const waitMs = this.#lastMs + this.#gapMs - performance.now()
    if (waitMs > 0 && !this.#isHurried) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = setTimeout(resolve, waitMs)
      await promise
      clearTimeout(timer)
      this.#wake = undefined
    }
    this.#isHurried = false
    this.#lastMs = performance.now()
  }

  /** Lets the next run begin at once. */
  hurry(): void {
    this.#isHurried = true
    this.#wake?.()
  }
}
