/** Counts what happened within the last minute, in seconds: 60 numbers, however much it is. */

const seconds = 60

export class MinuteWindow {
  readonly #counts = new Uint32Array(seconds)
  #second = 0
  #sum = 0

  /**
   * Counts one more, unless there were as many already.
   * @param nowMs of a clock that never jumps
   * @returns 0 where it was counted, else milliseconds until there may be room
   */
  take(nowMs: number, most: number): number {
    const waitMs = this.waitMs(nowMs, most)
    if (waitMs > 0) return waitMs
    this.#sum++
    this.#counts[this.#second % seconds]!++
    return 0
  }

  /** Milliseconds until there may be room; 0 where there is some. Nothing is counted. */
  waitMs(nowMs: number, most: number): number {
    this.#forget(Math.floor(nowMs / 1000))
    return this.#sum < most ? 0 : this.#untilOldestEnds(nowMs)
  }

  #forget(second: number): void {
    const steps = Math.min(second - this.#second, seconds)
    for (let i = 1; i <= steps; i++) {
      const slot = (this.#second + i) % seconds
      this.#sum -= this.#counts[slot]!
      this.#counts[slot] = 0
    }
    this.#second = Math.max(this.#second, second)
  }

  /** Until the oldest second that was counted in is a minute away. */
  #untilOldestEnds(nowMs: number): number {
    for (let i = seconds - 1; i > 0; i--)
      if (this.#counts[(this.#second - i + seconds) % seconds]! > 0) return (this.#second - i + seconds) * 1000 - nowMs
    return seconds * 1000
  }
}
