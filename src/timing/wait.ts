/** A wait that can be cut short. */

/** Cuts in faster succession are ignored, so that a busy sensor does not flood a service. */
const cutPauseMs = 1000

export class Wait {
  #wake: (() => void) | undefined
  #isPatient = false
  #hasEnded = false
  #cutMs = Number.NEGATIVE_INFINITY

  /** @param isPatient whether `cut` has no effect on this wait */
  async for(ms: number, isPatient: boolean): Promise<void> {
    if (this.#hasEnded) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    this.#isPatient = isPatient
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
    this.#wake = undefined
  }

  cut(): void {
    const nowMs = performance.now()
    if (this.#wake === undefined || this.#isPatient || nowMs - this.#cutMs < cutPauseMs) return
    this.#cutMs = nowMs
    this.#wake()
  }

  /** Ends this wait and every later one. */
  end(): void {
    this.#hasEnded = true
    this.#wake?.()
  }
}
