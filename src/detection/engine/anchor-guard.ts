/**
 * What must stand around a literal for its matcher to find anything. The matcher refuses the same by itself; a guard lets
 * the search do so at a tenth of the cost of a call, where it knows the neighbours. It must never refuse more than the
 * matcher, and what it cannot see it lets pass.
 */
import { charSet, lowerSet, letterSet, runEnd, type CharSet } from '../text/chars.ts'

export interface Guard {
  /** What does not stand right before the literal, unless it is the end of an escape; see `leftClear`. */
  readonly notBefore?: CharSet
  /** A capital behind a small letter begins a word all the same. */
  readonly orCapital?: true
  /** What does not stand right behind it. */
  readonly notBehind?: CharSet
  /** What the units right behind it are made of, and how many of them are asked. */
  readonly behind?: CharSet
  readonly behindUnits?: number
  /**
   * Two characters in a row, of which one of these pairs of sets must hold the first and the second, behind the name that
   * the literal is a part of. A set that is left out holds all. Characters beyond ASCII are always let pass.
   */
  readonly behindName?: readonly (readonly [CharSet, CharSet?])[]
  /**
   * A round bracket or a brace right behind that name, or at the end of the literal where no pairs are asked, does not close, and
   * no statement ends, before a quote or another bracket opens. It looks at 32 units behind the bracket.
   */
  readonly holdsText?: true
  /** A digit stands in the 192 units before where the literal begins, or in the 208 from there on. */
  readonly nearDigit?: true
  /** Sixteen letters of base64 stand in a row that begins in the 64 units behind it. */
  readonly beforeValue?: true
}

/** So many units behind a literal are asked at most. */
export const behindUnitsMax = 8

/** Characters in pairs, as {@link Guard.behindName} has them. */
export type Pairs = NonNullable<Guard['behindName']>

const nameSet = charSet('A-Z', 'a-z', '0-9', '_-')
/** More than any search reads of a name. */
const nameUnitsMax = 64

/**
 * Whether one of some pairs stands behind the name that goes on at `at`: with it a matcher refuses what its guard refuses, also
 * where the search did not see that far.
 */
export function standsBehindName(text: string, at: number, pairs: Pairs): boolean {
  const end = runEnd(text, at, nameSet, nameUnitsMax)
  if (end - at === nameUnitsMax || end + 1 >= text.length) return false
  return pairs.some(([first, second]) => holds(first, text, end) && holds(second, text, end + 1))
}

function holds(set: CharSet | undefined, text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return set === undefined || code > 127 || set[code] === 1
}

/** A word, or a part of a name in camelCase or snake_case, that begins with a letter. */
const atWordStart: Guard = { notBefore: letterSet, orCapital: true }

/**
 * The guard of a name that counts only as a whole word, or with one of some words glued to it.
 * @param tails letters with which what may be glued to it begins
 * @param beforeValue whether it also counts only before a long value
 */
export function wordGuard(word: string, tails: string, beforeValue = false): Guard | undefined {
  const isLetter = (at: number) => letterSet[word.charCodeAt(at)] === 1
  if (!isLetter(0)) return beforeValue ? atValue : undefined
  return guardOfTails(isLetter(word.length - 1) ? tails : undefined, beforeValue)
}

const atValue: Guard = { beforeValue: true }
const known = new Map<string, Guard>()

/** One guard for all that ask for the same, since what differs in it is another literal. */
function guardOfTails(tails: string | undefined, beforeValue: boolean): Guard {
  const key = `${tails} ${beforeValue}`
  const guard = known.get(key) ?? {
    ...atWordStart,
    ...(tails !== undefined && { notBehind: exceptOf(tails) }),
    ...(beforeValue && atValue)
  }
  known.set(key, guard)
  return guard
}

function exceptOf(tails: string): CharSet {
  const may = charSet(tails)
  return lowerSet.map((bit, code) => (may[code] === 1 ? 0 : bit))
}
