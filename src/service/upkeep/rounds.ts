/** Work that is repeated in the background, one round at a time. */
export class Rounds {
  readonly #round: () => Promise<void>
  readonly #everyMs: () => number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isStarted = false
  #isStopped = false

  /**
   * @param round must not reject
   * @param everyMs how long to wait after a round, asked when it has ended
   */
  constructor(round: () => Promise<void>, everyMs: () => number) {
    this.#round = round
    this.#everyMs = everyMs
  }

  get isStarted(): boolean {
    return this.#isStarted
  }

  /** Starts the timer; the first round begins at once. */
  start(): void {
    this.#isStarted = true
    this.#schedule(0)
  }

  /** Runs a round now, or joins the one in progress. */
  run(): Promise<void> {
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Runs a round that begins after this call. */
  async runAnew(): Promise<void> {
    await this.#running
    await this.run()
  }

  /** Stops the timer, and waits for the round in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(delayMs: number): void {
    this.#timer = setTimeout(() => {
      void this.run().then(() => this.#isStopped || this.#schedule(this.#everyMs()))
    }, delayMs).unref()
  }
}
