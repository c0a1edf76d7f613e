/** Finds the placeholders of one request in an answer, to put the values back for the client that sent them. */

/** A placeholder at `start..end` of a text. `value` is absent where this request knows none for it. */
export interface PlaceholderMatch {
  readonly start: number
  readonly end: number
  readonly value: string | undefined
}

const tagLength = 10

/** `A-Z`, `0-9`, `_`: all that a placeholder is made of. */
const isPlaceholderUnit = (unit: number): boolean =>
  (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f

function isTag(text: string, from: number): boolean {
  if (from + tagLength > text.length) return false
  for (let at = from; at < from + tagLength; at++) {
    const unit = text.charCodeAt(at)
    if (!((unit >= 0x41 && unit <= 0x5a) || (unit >= 0x32 && unit <= 0x37))) return false
  }
  return true
}

interface Known {
  readonly placeholder: string
  readonly value: string
}

/** The placeholders of one request. It lives as long as the request. */
export class RestoreTable {
  /** By the ten characters at the end, which alone tell nearly all of them apart. */
  readonly #byTag = new Map<string, Known[]>()
  readonly #sorted: readonly string[]
  readonly #isLabel: (label: string) => boolean

  /**
   * @param known placeholder and value
   * @param isLabel whether placeholders of this workspace can begin with a label
   */
  constructor(known: Iterable<readonly [placeholder: string, value: string]>, isLabel: (label: string) => boolean) {
    const all: string[] = []
    for (const [placeholder, value] of known) {
      const tag = placeholder.slice(-tagLength)
      const sameTag = this.#byTag.get(tag)
      if (sameTag === undefined) this.#byTag.set(tag, [{ placeholder, value }])
      else sameTag.push({ placeholder, value })
      all.push(placeholder)
    }
    this.#sorted = all.sort()
    this.#isLabel = isLabel
  }

  get size(): number {
    return this.#sorted.length
  }

  /** All placeholders that end behind `from`, in order. One is found by its tag, so the text is gone through once. */
  matches(text: string, from = 0): PlaceholderMatch[] {
    const found: PlaceholderMatch[] = []
    let reached = 0
    for (let bar = text.indexOf('_'); bar >= 0; bar = text.indexOf('_', bar + 1)) {
      const end = bar + 1 + tagLength
      if (end <= from || !isTag(text, bar + 1)) continue
      const match = this.#known(text, end) ?? this.#unknown(text, bar, end)
      if (match === undefined || match.start < reached) continue
      found.push(match)
      reached = match.end
    }
    return found
  }

  #known(text: string, end: number): PlaceholderMatch | undefined {
    for (const { placeholder, value } of this.#byTag.get(text.slice(end - tagLength, end)) ?? []) {
      if (text.endsWith(placeholder, end)) return { start: end - placeholder.length, end, value }
    }
    return undefined
  }

  /** What reads like a placeholder of an older turn, whose value this request does not have. */
  #unknown(text: string, bar: number, end: number): PlaceholderMatch | undefined {
    let start = bar
    while (start > 0 && isPlaceholderUnit(text.charCodeAt(start - 1))) start--
    return start < bar && this.#isLabel(text.slice(start, bar)) ? { start, end, value: undefined } : undefined
  }

  /** Where the end of a text may be the beginning of a known placeholder; the length of the text where it is none. */
  openFrom(text: string): number {
    let start = text.length
    while (start > 0 && isPlaceholderUnit(text.charCodeAt(start - 1))) start--
    for (; start < text.length; start++) if (this.#isBeginning(text.slice(start))) return start
    return text.length
  }

  /** Whether a known placeholder begins with `beginning` and is longer. */
  #isBeginning(beginning: string): boolean {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sorted[middle] as string) < beginning) low = middle + 1
      else high = middle
    }
    const next = this.#sorted[low]
    return next !== undefined && next.length > beginning.length && next.startsWith(beginning)
  }
}

/** `A-Z`, `a-z`, `0-9`, `_`. */
const isWordUnit = (unit: number): boolean => isPlaceholderUnit(unit) || (unit >= 0x61 && unit <= 0x7a)

/**
 * Whether a word goes on at either end of `start..end`. A scan knows most values only as whole words, so one that was put
 * back inside a word would not be found when the client sends the answer again as history.
 */
export function isPartOfWord(text: string, start: number, end: number): boolean {
  if (end < text.length && isWordUnit(text.charCodeAt(end))) return true
  return start > 0 && isWordUnit(text.charCodeAt(start - 1)) && !isEscape(text, start - 1)
}

/** Whether the letter at `at` is that of an escape, as in `\n`. */
function isEscape(text: string, at: number): boolean {
  let backslashes = 0
  while (at - backslashes > 0 && text.charCodeAt(at - backslashes - 1) === 0x5c) backslashes++
  return backslashes % 2 === 1
}
