/** Iterates over the lines of a text, forwards only, so that any number of positions costs one pass. */

/** Comments with which a person marks a line's findings as known and acceptable. */
const allowingComments = ['sluice:allow', 'gitleaks:allow']

export class Lines {
  readonly #text: string
  /** Number of the current line. */
  number: number
  /** Offset of its first code unit. */
  start = 0
  /** Offset of its line feed, or the end of the text. */
  end: number
  #allows: boolean | undefined

  constructor(text: string, firstNumber: number) {
    this.#text = text
    this.number = firstNumber
    this.end = this.#lineEnd(0)
  }

  /** Makes the line that contains `offset` the current one. */
  moveTo(offset: number): this {
    while (offset > this.end) {
      this.start = this.end + 1
      this.end = this.#lineEnd(this.start)
      this.number++
      this.#allows = undefined
    }
    return this
  }

  /** Whether a comment on the line allows its findings. */
  get allows(): boolean {
    this.#allows ??= this.#hasComment()
    return this.#allows
  }

  #hasComment(): boolean {
    const line = this.#text.slice(this.start, this.end)
    return allowingComments.some((comment) => line.includes(comment))
  }

  #lineEnd(from: number): number {
    const at = this.#text.indexOf('\n', from)
    return at < 0 ? this.#text.length : at
  }
}
