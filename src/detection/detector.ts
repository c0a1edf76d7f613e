/** What a detector is: a kind of finding, the anchors that trigger it, a bounded matcher, and the proof that it works. */
import type { Guard } from './anchor-guard.ts'
import type { Confidence, Kind, Tier } from './findings.ts'
import type { NumberRun } from './numbers/number-run.ts'

/** What a matcher reports: a place at which its kind stands, in UTF-16 code units. */
export interface Match {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly confidence: Confidence
  /** A lower tier than that of the kind, if a guard applies or context is missing. */
  readonly tier?: Tier
  /**
   * The surroundings made this a finding. The value is therefore remembered, and found again later in the request where
   * no such surroundings stand.
   */
  readonly byContext?: boolean
  /** A further match that the same anchor led to. */
  readonly next?: Match
}

/** The match of a value that only its surroundings give away. */
export function contextMatch(start: number, end: number): Match {
  return { start, end, confidence: 'medium', byContext: true }
}

/** A match, with those that the same anchor led to besides it. */
export function withNext(match: Match, next: Match | undefined): Match {
  return next === undefined ? match : { ...match, next }
}

/** The matches to which one anchor led, as one; undefined if there are none. */
export function chained(matches: readonly Match[]): Match | undefined {
  return matches.reduceRight<Match | undefined>((next, match) => withNext(match, next), undefined)
}

/** The matches of two readings of one anchor, as one; undefined if there are none. */
export function ofBoth(one: Match | undefined, other: Match | undefined): Match | undefined {
  return one === undefined ? other : withNext(one, ofBoth(one.next, other))
}

/**
 * What triggers a matcher. One pass over the text finds the anchors of all detectors.
 * - `literal`: a text, matched in this case or, with `fold`, in any ASCII case. `at` is its first unit. A `guard`
 *   rejects places early at which the matcher would find nothing.
 * - `number`: a number of this many digits that stands alone, without separators; see `NumberRun`. `at` is its first
 *   digit.
 * - `shapes`: a number that stands alone and is written in one of these groupings: `3-2-4`, or `9` for bare digits.
 *   Bare digits, and with `named` all groupings, trigger only if one of the detector's context words stands in the 64
 *   units before them or heads their column, or a sentence may name them. This is looked up once for all detectors, so
 *   that such kinds cost nothing elsewhere. With `named`, groups of one digit alone do not trigger.
 * - `word`: a word of letters and digits of one of these lengths with three digits in a row or, if `forms` are given,
 *   written as one of them says: `9` is a digit, `?` a digit or letter, any other character a letter. With `mixed`, it
 *   has at least three capitals, three lower-case letters and three digits (scanned without WebAssembly, such words
 *   trigger unchecked). `at` is its first character.
 * - `line`: a short line that consists of one value of one of these lengths, letters and digits with three digits in a
 *   row, such as a form field that was sent alone; with `forms`, written as one of them says. Lines in a column of bare
 *   numbers do not count. `at` is its first character, `context.line` the value.
 * - `run`: the start of any run of three or more digits, or only of those with one of some characters right before or
 *   right after, or of one of the lengths in `digits`. `at` is the first digit.
 * - `dottedQuad`: four numbers separated by dots. `at` is the first digit of the fourth.
 * - `token`: an unbroken run of letters, digits and `+/_-` of one of these lengths, at least 24. With `before`, one of
 *   those characters stands right before it (`\0` is the start of the text); with `digitWithin`, a digit is among its
 *   first so many characters. `at` is its first character.
 */
export type Anchor =
  | { readonly literal: string; readonly fold?: true; readonly guard?: Guard | undefined }
  | { readonly number: readonly number[] }
  | { readonly shapes: readonly string[]; readonly named?: true }
  | { readonly word: readonly number[]; readonly forms?: readonly string[]; readonly mixed?: true }
  | { readonly line: readonly number[]; readonly forms?: readonly string[] }
  | {
      readonly run: true
      readonly before?: string
      /** What may stand before the character in `before`. */
      readonly beforeThat?: readonly string[]
      readonly after?: string
      readonly digits?: readonly number[]
    }
  | { readonly dottedQuad: true }
  | { readonly token: readonly number[]; readonly before?: string; readonly digitWithin?: number }

/** The sort of anchor that triggered a matcher. */
export type AnchorSort = 'literal' | 'number' | 'word' | 'line' | 'run' | 'dottedQuad' | 'token'

/** What a matcher may ask for besides the text. */
export interface MatchContext {
  /** Which of the detector's anchors triggered. `number`, `line` and `wordEnd` are valid only for anchors of that sort. */
  readonly by: AnchorSort
  /**
   * Whether one of the detector's context words ends within `unitsMax` units (at most 64) before `at`. Default:
   * {@link contextUnits}.
   */
  near(at: number, unitsMax?: number): boolean
  /** Whether `at` begins a value in a column whose heading is that of documents or orders: `Invoice ID`. */
  isOfDocuments(at: number): boolean
  /**
   * A number that differs for each text, under which a matcher may keep what it read of the text for later calls. Never
   * 0.
   */
  readonly textNumber: number
  /** The number that a `number` or `shapes` anchor found. Overwritten by the next one. */
  readonly number: NumberRun
  /** The value that a `line` anchor found: upper case, without separators. */
  readonly line: string
  /** The end (exclusive) of what a `word` or `line` anchor found. */
  readonly wordEnd: number
  /**
   * Leaves the rest of a long reading for later steps of the scan, such as the rows of a table below the first ones.
   * @param rest goes on for a few microseconds, and gives the match that it found there
   */
  later(rest: Iterator<Match | undefined>): void
}

/** What a matcher asks for that only remembers what it reads. */
export type TextContext = Pick<MatchContext, 'textNumber'>

/** For a caller that is not a scan: nothing is remembered. */
export const anyText: TextContext = { textNumber: 0 }

export interface Detector extends Kind {
  readonly anchors: readonly Anchor[]
  /** Whole words (or parts of a camelCase or snake_case name), in lower case, that make the kind likely. */
  readonly context?: readonly string[]
  /** The kind is recognised only by a name nearby, so none of its findings need be surer than `medium`. */
  readonly contextOnly?: true
  /** The shortest text in which the kind can stand, in code units, if the anchors do not imply it. */
  readonly lengthMin?: number
  /**
   * Judges one anchor, and reports all that the anchor leads to: it is called once for all literals that begin at `at`.
   * It reads only a bounded window around `at`. It must either require that the value starts at `at` (with a left
   * boundary), or read each unit a fixed number of times however often its anchor repeats: time must stay linear.
   */
  match(text: string, at: number, context: MatchContext): Match | undefined
  /** Texts in which this kind is found. A function, so that they cost nothing outside of the tests. */
  hits(): readonly string[]
  /** Similar texts in which this kind is not found. */
  misses(): readonly string[]
  /** Where the facts about the format come from. */
  readonly source: string
}

/** How far before a value a context word may end, in code units, unless a detector asks otherwise. */
export const contextUnits = 30
