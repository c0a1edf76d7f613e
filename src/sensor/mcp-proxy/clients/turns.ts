/** Keeps messages of one direction in order, even if judging one takes longer than judging the next. */

export class Turns {
  #last: Promise<void> | undefined

  /** How many messages wait. */
  waiting = 0

  /**
   * Judges a message and acts on the result, after all messages before it: a judgement may depend on the previous one.
   * @returns undefined if that is already done, otherwise a promise that never rejects
   * @param act may return a promise, for which later messages wait
   * @param failed called with whatever judging or acting threw
   */
  take<T>(
    judge: () => T | Promise<T>,
    act: (value: T) => Promise<void> | undefined,
    failed: (error: unknown) => void
  ): Promise<void> | undefined {
    const before = this.#last
    if (before !== undefined) return this.#queue(inTurn(before, judge, act), failed)
    try {
      const judged = judge()
      const acting = judged instanceof Promise ? judged.then(act) : act(judged)
      return acting === undefined ? undefined : this.#queue(acting, failed)
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    while (this.#last !== undefined) await this.#last
  }

  #queue(acting: Promise<void>, failed: (error: unknown) => void): Promise<void> {
    this.waiting++
    const own = acting.catch(failed).finally(() => {
      this.waiting--
      if (this.#last === own) this.#last = undefined
    })
    this.#last = own
    return own
  }
}

async function inTurn<T>(
  before: Promise<void>,
  judge: () => T | Promise<T>,
  act: (value: T) => Promise<void> | undefined
): Promise<void> {
  await before
  await act(await judge())
}
