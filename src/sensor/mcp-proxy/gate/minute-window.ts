/** Counts events in the last minute by second: 60 numbers, however many events there are. */

const seconds = 60

export class MinuteWindow {
  readonly #counts = new Uint32Array(seconds)
  #second = 0
  #sum = 0

  /**
   * Counts one more, unless the limit is reached.
   * @param nowMs of a monotonic clock
   * @returns 0 if it was counted, otherwise milliseconds until there may be room
   */
  take(nowMs: number, most: number): number {
    const waitMs = this.waitMs(nowMs, most)
    if (waitMs > 0) return waitMs
    this.#sum++
    this.#counts[this.#second % seconds]!++
    return 0
  }

  /** Milliseconds until there may be room; 0 if there is some. Counts nothing. */
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
    this.#second = second
  }

  /** Until the oldest non-empty second is a minute ago. */
  #untilOldestEnds(nowMs: number): number {
    for (let i = seconds - 1; i > 0; i--)
      if (this.#counts[(this.#second - i + seconds) % seconds]! > 0) return (this.#second - i + seconds) * 1000 - nowMs
    return seconds * 1000
  }
}
