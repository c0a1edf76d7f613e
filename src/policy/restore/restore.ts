/** Finds the placeholders of one request in an answer, to restore their values for the client that sent them. */

import { tagUnits } from '../redaction/placeholder.ts'

/** A placeholder at `start..end` of a text. `value` is absent if this request has none for it. */
export interface PlaceholderMatch {
  readonly start: number
  readonly end: number
  readonly value: string | undefined
  /** Whether the value is of the high tier. */
  readonly isHigh?: true
}

/** The longest label of any kind. Longer runs are not examined further, or a text of underscores would be slow. */
const labelLengthMax = 64

/** `A-Z`, `0-9`, `_`: the characters of a placeholder. */
const isPlaceholderUnit = (unit: number): boolean =>
  (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f

/** `A-Z`, `2-7`: base32. */
export const isTagUnit = (unit: number): boolean => (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x32 && unit <= 0x37)

function isTag(text: string, from: number): boolean {
  if (from + tagUnits > text.length) return false
  for (let at = from; at < from + tagUnits; at++) {
    if (!isTagUnit(text.charCodeAt(at))) return false
  }
  return true
}

/**
 * Values that were masked in one request and may be restored. Filled one value at a time during the scan, so that
 * nothing has to be built or sorted when the answer arrives: a body of many megabytes can hold a million values.
 */
export class RestorableValues {
  readonly #values = new Map<string, string>()
  /** Placeholders of high-tier values. */
  readonly #high = new Set<string>()
  /** Labels, and whether any of their placeholders is not of the high tier. */
  readonly #labels = new Map<string, boolean>()
  #labelLengthMax = 0

  /**
   * @param placeholder the label, `_` and ten base32 characters
   * @param isHigh whether the value is of the high tier; once true for a value, it stays true
   */
  add(label: string, placeholder: string, value: string, isHigh = false): void {
    this.#values.set(placeholder, value)
    if (isHigh) this.#high.add(placeholder)
    this.#labels.set(label, !isHigh || this.#labels.get(label) === true)
    this.#labelLengthMax = Math.max(this.#labelLengthMax, label.length)
  }

  /**
   * The longest known placeholder that ends at `end` and whose tag begins after `bar`.
   * @param withHigh whether high-tier values count
   */
  matchAt(text: string, bar: number, end: number, withHigh: boolean): PlaceholderMatch | undefined {
    let longest: string | undefined
    for (const label of this.#labels.keys()) {
      if (label.length <= (longest?.length ?? 0) || !text.endsWith(label, bar)) continue
      const placeholder = text.slice(bar - label.length, end)
      if (this.#values.has(placeholder) && (withHigh || !this.#high.has(placeholder))) longest = label
    }
    if (longest === undefined) return undefined
    const start = bar - longest.length
    const placeholder = text.slice(start, end)
    const value = this.#values.get(placeholder)
    return this.#high.has(placeholder) ? { start, end, value, isHigh: true } : { start, end, value }
  }

  /**
   * Where the end of a text may be the beginning of a placeholder of these kinds, with any tag; the text's length if it
   * is none.
   * @param withHigh whether high-tier values count
   */
  openFrom(text: string, withHigh: boolean): number {
    const first = Math.max(0, text.length - this.#labelLengthMax - tagUnits)
    let start = text.length
    while (start > first && isPlaceholderUnit(text.charCodeAt(start - 1))) start--
    for (; start < text.length; start++) if (this.#isBeginning(text.slice(start), withHigh)) return start
    return text.length
  }

  #isBeginning(beginning: string, withHigh: boolean): boolean {
    for (const [label, isOrdinary] of this.#labels) {
      if (!isOrdinary && !withHigh) continue
      if (beginning.length <= label.length ? label.startsWith(beginning) : isBeginningOf(label, beginning)) return true
    }
    return false
  }
}

/** Whether the text after a label is the incomplete beginning of a tag. */
function isBeginningOf(label: string, text: string): boolean {
  const tagAt = label.length + 1
  if (!text.startsWith(label) || text.charAt(label.length) !== '_' || text.length >= tagAt + tagUnits) return false
  for (let at = tagAt; at < text.length; at++) if (!isTagUnit(text.charCodeAt(at))) return false
  return true
}

/** Finds the placeholders of one request. Lives as long as the request. */
export class RestoreTable {
  readonly #values: RestorableValues
  readonly #isLabel: (label: string) => boolean
  readonly #withHigh: boolean

  /**
   * @param isLabel whether placeholders of this workspace can begin with a label
   * @param withHigh whether high-tier values are restored as well
   */
  constructor(values: RestorableValues, isLabel: (label: string) => boolean, withHigh = false) {
    this.#values = values
    this.#isLabel = isLabel
    this.#withHigh = withHigh
  }

  /**
   * All placeholders that end after `from`, in order. They are found by their tags, so the text is walked once.
   * @param until only those whose tag begins before it; what is before `reached` belongs to none
   */
  matches(text: string, from = 0, until = text.length, reached = 0): PlaceholderMatch[] {
    const found: PlaceholderMatch[] = []
    let past = reached
    let bar = text.indexOf('_', from - tagUnits)
    for (; bar >= 0 && bar < until; bar = text.indexOf('_', bar + 1)) {
      const end = bar + 1 + tagUnits
      if (!isTag(text, bar + 1)) continue
      const match = this.#values.matchAt(text, bar, end, this.#withHigh) ?? this.#unknown(text, bar, end)
      if (match === undefined || match.start < past) continue
      found.push(match)
      past = match.end
    }
    return found
  }

  /** What looks like a placeholder of an earlier turn, whose value this request does not have. */
  #unknown(text: string, bar: number, end: number): PlaceholderMatch | undefined {
    const first = Math.max(0, bar - labelLengthMax - 1)
    let start = bar
    while (start > first && isPlaceholderUnit(text.charCodeAt(start - 1))) start--
    const isLabelLong = start < bar && bar - start <= labelLengthMax
    return isLabelLong && this.#isLabel(text.slice(start, bar)) ? { start, end, value: undefined } : undefined
  }

  /** See {@link RestorableValues.openFrom}. */
  openFrom(text: string): number {
    return this.#values.openFrom(text, this.#withHigh)
  }
}

/** `A-Z`, `a-z`, `0-9`, `_`. */
const isWordUnit = (unit: number): boolean => isPlaceholderUnit(unit) || (unit >= 0x61 && unit <= 0x7a)

/**
 * Whether a word continues at either end of `start..end`. A scan recognises most values only as whole words, so a value
 * restored inside a word would not be found when the client sends the answer back as history.
 */
export function isPartOfWord(text: string, start: number, end: number): boolean {
  if (end < text.length && isWordUnit(text.charCodeAt(end))) return true
  return start > 0 && isWordUnit(text.charCodeAt(start - 1)) && !isEscape(text, start - 1)
}

/** Whether the letter at `at` is that of an escape, such as `\n`. */
function isEscape(text: string, at: number): boolean {
  let backslashes = 0
  while (at - backslashes > 0 && text.charCodeAt(at - backslashes - 1) === 0x5c) backslashes++
  return backslashes % 2 === 1
}
