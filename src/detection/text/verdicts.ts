/**
 * Remembers what was decided about the latest words of a text. Several names before a few words lead to each of them, and
 * each name would judge all of them again.
 */

/** How many are remembered: more places than a name reaches. A power of two. */
const slots = 64

/** Verdicts on stretches of texts: whether one is a secret, or where the value ends that begins there. It holds no text. */
export class Verdicts<T extends boolean | number = boolean> {
  readonly #textNumbers = new Float64Array(slots)
  readonly #starts = new Int32Array(slots)
  readonly #ends = new Int32Array(slots)
  readonly #verdicts: T[] = []
  readonly #judge: (text: string, start: number, end: number) => T

  /** @param judge decides by nothing but what it is given */
  constructor(judge: (text: string, start: number, end: number) => T) {
    this.#judge = judge
  }

  /**
   * The verdict on `[start, end)`.
   * @param textNumber identifies the text, so that an earlier verdict counts; 0 for none
   */
  of(text: string, start: number, end: number, textNumber: number): T {
    const slot = start & (slots - 1)
    if (
      textNumber !== 0 &&
      this.#textNumbers[slot] === textNumber &&
      this.#starts[slot] === start &&
      this.#ends[slot] === end
    )
      return this.#verdicts[slot] as T
    const verdict = this.#judge(text, start, end)
    this.#textNumbers[slot] = textNumber
    this.#starts[slot] = start
    this.#ends[slot] = end
    this.#verdicts[slot] = verdict
    return verdict
  }
}
