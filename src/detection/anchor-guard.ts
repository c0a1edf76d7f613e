/**
 * Guards: what must stand around an anchor literal for its matcher to find anything (decision 15). The matcher refuses
 * the same by itself; a guard lets the search do so at a tenth of the cost of a call. It must never refuse more than
 * the matcher, and it lets everything pass that it cannot see.
 */
import { base62Set, charSet, type CharSet, letterSet, lowerSet, nameSet } from './text/chars.ts'
import { NextOf } from './text/next-of.ts'

export interface Guard {
  /** Characters that may not stand directly before the literal, except as the end of an escape; see `leftClear`. */
  readonly notBefore?: CharSet
  /** A capital behind a lower-case letter begins a word all the same. */
  readonly orCapital?: true
  /** Characters that may not stand directly behind the literal. */
  readonly notBehind?: CharSet
  /** The set to which the next `behindUnits` units behind the literal must belong. */
  readonly behind?: CharSet
  readonly behindUnits?: number
  /**
   * Two successive characters behind the name that the literal is part of: the first and second set of one of these
   * pairs must contain them. A missing second set contains everything. Characters beyond ASCII always pass.
   */
  readonly behindName?: readonly (readonly [CharSet, CharSet?])[]
  /**
   * Words of lower-case letters, with one of which an assignment may go on behind that name (see `behindName`) and a
   * blank. Any other word refuses that ends in a single blank, a comma, a full stop or a line break; but not before an
   * equals sign, nor where what precedes the name says that a value follows: a dash, `<` or `:`, or a command such as
   * `set`.
   */
  readonly wordsBehind?: readonly string[]
  /**
   * If a round bracket or brace stands directly behind that name (or behind the literal, without `behindName`), a quote
   * or another bracket must open within 32 units, before it closes or a statement ends.
   */
  readonly holdsText?: true
  /** A digit must stand in the 192 units before the start of the literal, or in the 208 units from there on. */
  readonly nearDigit?: true
  /** A run of at least so many base64 letters must begin in the 64 units behind it. */
  readonly beforeValue?: ValueUnits
}

/** The lengths of runs that the search tells apart. */
export type ValueUnits = 16 | 32

/** The most units behind a literal that are checked. */
export const behindUnitsMax = 7

/** Pairs of characters, as in {@link Guard.behindName}. */
export type Pairs = NonNullable<Guard['behindName']>

/** Longer than any name that the search reads. */
const nameUnitsMax = 64
const nameEnds = new NextOf(nameSet, 'notIn')

/**
 * Whether one of some pairs stands behind the name that continues at `at`. With it a matcher refuses what its guard
 * refuses, also where the search could not see that far.
 * @param textNumber identifies the text, so that a run of many names is read once
 */
export function standsBehindName(text: string, at: number, pairs: Pairs, textNumber: number): boolean {
  const end = nameEnds.at(text, at, Math.min(text.length, at + nameUnitsMax), textNumber)
  if (end - at === nameUnitsMax || end + 1 >= text.length) return false
  return pairs.some(([first, second]) => holds(first, text, end) && holds(second, text, end + 1))
}

function holds(set: CharSet | undefined, text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return set === undefined || code > 127 || set[code] === 1
}

/** Requires a whole word, or part of a camelCase or snake_case name, that begins with a letter. */
const atWordStart: Guard = { notBefore: letterSet, orCapital: true }
/** Requires the same, and no digit before it, as in a hash. */
const outsideHash: Guard = { notBefore: base62Set, orCapital: true }

/**
 * The guard of a name that counts only as a whole word, or with certain words glued to it.
 * @param tails first letters of what may be glued to it
 * @param beforeValue how long a value must follow as well, if any
 * @param behindDigit whether it counts behind a digit
 */
export function wordGuard(
  word: string,
  tails: string,
  beforeValue?: ValueUnits,
  behindDigit = true
): Guard | undefined {
  const isLetter = (at: number) => letterSet[word.charCodeAt(at)] === 1
  if (!isLetter(0)) return beforeValue && atValue[beforeValue]
  return guardOfTails(isLetter(word.length - 1) ? tails : undefined, beforeValue, behindDigit)
}

const atValue: Readonly<Record<ValueUnits, Guard>> = { 16: { beforeValue: 16 }, 32: { beforeValue: 32 } }
const known = new Map<string, Guard>()

/** One guard object for all that require the same: a different object would make a different literal. */
function guardOfTails(tails: string | undefined, beforeValue: ValueUnits | undefined, behindDigit: boolean): Guard {
  const key = `${tails} ${beforeValue} ${behindDigit}`
  const guard = known.get(key) ?? {
    ...(behindDigit ? atWordStart : outsideHash),
    ...(tails !== undefined && { notBehind: exceptOf(tails) }),
    ...(beforeValue && atValue[beforeValue])
  }
  known.set(key, guard)
  return guard
}

function exceptOf(tails: string): CharSet {
  const may = charSet(tails)
  return lowerSet.map((bit, code) => (may[code] === 1 ? 0 : bit))
}
