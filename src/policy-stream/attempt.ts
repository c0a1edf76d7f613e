/**
 * The abort signal of one request: aborted by the caller's signal, or by silence. Uses a listener that is removed again
 * instead of `AbortSignal.any`, which leaks a little memory per request on a signal that lives as long as the process.
 */
export class Attempt {
  isSilent = false
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal
  #timer: NodeJS.Timeout
  #hasHeard = false

  /** @param silenceMs how long nothing may be received */
  constructor(caller: AbortSignal, silenceMs: number) {
    this.#caller = caller
    caller.addEventListener('abort', this.#stop)
    if (caller.aborted) this.#stop()
    this.#timer = setTimeout(this.#giveUp, silenceMs)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Something was received; from now on, silence may last `silenceMs`. */
  heard(silenceMs: number): void {
    if (this.#hasHeard) {
      this.#timer.refresh()
      return
    }
    this.#hasHeard = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#giveUp, silenceMs)
  }

  abort(): void {
    this.#controller.abort()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#caller.removeEventListener('abort', this.#stop)
  }

  readonly #stop = (): void => this.abort()

  readonly #giveUp = (): void => {
    this.isSilent = true
    this.abort()
  }
}
