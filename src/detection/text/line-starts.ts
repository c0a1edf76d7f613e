/** Where lines begin, for places that are asked about in order, so that each line is read once. */
import { headerUnitsMax, lineStart } from './rows.ts'

export class LineStarts {
  /** The place that was asked about last, and where its line begins. It holds no text. */
  #textNumber = 0
  #at = 0
  #line = -1

  /**
   * Where the line around `at` begins; -1 if it is too long for a header.
   * @param textNumber identifies the text
   */
  of(text: string, textNumber: number, at: number): number {
    const from = textNumber === this.#textNumber && at - this.#at <= headerUnitsMax ? this.#at : at + 1
    this.#textNumber = textNumber
    this.#at = at
    if (from > at) this.#line = lineStart(text, at, headerUnitsMax)
    else {
      const start = lineStart(text, at, at - from)
      if (start > from) this.#line = start
      else if (at - this.#line > headerUnitsMax) this.#line = -1
    }
    return this.#line
  }
}
