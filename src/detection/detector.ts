/** What a detector is: a kind, the anchors that call it, a bounded matcher, and the proof that it works. */
import type { Guard } from './engine/anchor-guard.ts'
import type { Confidence, Kind, Tier } from './findings.ts'
import type { NumberRun } from './numbers/number-run.ts'

/** A place at which a matcher says that its kind stands. */
export interface Match {
  readonly start: number
  /** Past the last unit. */
  readonly end: number
  readonly confidence: Confidence
  /** Where a guard or missing context lowers the tier of the kind. */
  readonly tier?: Tier
  /** The value was found, or rated, by the words around it, so later places of it in the request are found as well. */
  readonly byContext?: boolean
  /** Another place that the same anchor led to. */
  readonly next?: Match
}

/**
 * What calls a matcher. All anchors of all detectors are found in one pass over the text.
 * - `literal`: a text, in this case; with `fold` in any ASCII case. `at` is its first unit. A `guard` saves calls that
 *   would find nothing.
 * - `number`: this many bare digits that stand alone; see `NumberRun`. `at` is the first of them.
 * - `shapes`: a number that stands alone, written in one of these ways: `3-2-4`, or `9` for bare digits. Bare
 *   digits call only where a context word of the detector stands in the 64 units before them, which is looked up once
 *   for all detectors, so that such kinds cost nothing elsewhere.
 * - `word`: a word of letters and digits with this many characters, three digits in a row among them, in any order or
 *   as one of `forms` has them: `9` is a digit, `?` either, all else a letter. With `mixed` it has three capitals, three small
 *   letters and three digits at least, or no machine asked. `at` is its first character.
 * - `line`: a short line that is nothing but one value of this many letters and digits, such as a form field that was
 *   sent alone, three digits in a row among them. A column of bare numbers does not count. `at` is its first
 *   character, `context.line` the value.
 * - `run`: any start of three or more digits in a row, or only where one of some characters stands right before or
 *   right after them, or where they are as many as `digits` says. `at` is the first of them.
 * - `dottedQuad`: four numbers with dots between. `at` is the first digit of the fourth.
 * - `token`: an unbroken run of this many letters and signs of base64 (`+/_-`), 24 at least, or only where one of some
 *   characters stands right before it, of which `\0` is the beginning of the text, and a digit among its first `digitWithin`
 *   ones. `at` is its first character.
 */
export type Anchor =
  | { readonly literal: string; readonly fold?: true; readonly guard?: Guard | undefined }
  | { readonly number: readonly number[] }
  | { readonly shapes: readonly string[] }
  | { readonly word: readonly number[]; readonly forms?: readonly string[]; readonly mixed?: true }
  | { readonly line: readonly number[] }
  | {
      readonly run: true
      readonly before?: string
      /** What stands before the character in `before`. */
      readonly beforeThat?: readonly string[]
      readonly after?: string
      readonly digits?: readonly number[]
    }
  | { readonly dottedQuad: true }
  | { readonly token: readonly number[]; readonly before?: string; readonly digitWithin?: number }

/** Which sort of anchor called a matcher. */
export type AnchorSort = 'literal' | 'number' | 'word' | 'line' | 'run' | 'dottedQuad' | 'token'

/** What a matcher may ask beside the text. */
export interface MatchContext {
  /** Which of the detector's anchors called; `number` and `wordEnd` are only good for the anchors of their name. */
  readonly by: AnchorSort
  /** Whether one of the detector's context words ends within `unitsMax` (64 at most) units before `at`. */
  near(at: number, unitsMax?: number): boolean
  /** Tells this text from all others, so that what was read of it for one detector may serve the next. */
  readonly textNumber: number
  /** The number that a `number` anchor found; it is overwritten by the next one. */
  readonly number: NumberRun
  /** The value that a `line` anchor found, upper case, without what separates its groups. */
  readonly line: string
  /** The end of the word or line that a `word` or `line` anchor found. */
  readonly wordEnd: number
}

export interface Detector extends Kind {
  readonly anchors: readonly Anchor[]
  /** Whole words (or parts of a camelCase or snake_case name) that make the kind likely, lower case. */
  readonly context?: readonly string[]
  /** It takes a name nearby to tell this kind, so perhaps no finding of it is surer than `medium`. */
  readonly contextOnly?: true
  /** The shortest text in which the kind can stand, in UTF-16 units, where the anchors do not say it already. */
  readonly lengthMin?: number
  /**
   * Judges one anchor. It looks at a bounded window around `at` only, and it either demands that the value starts
   * there (a left boundary) or looks at each unit a fixed number of times however often its anchor stands in a row.
   */
  match(text: string, at: number, context: MatchContext): Match | undefined
  /** Texts in which exactly this kind is found. A function, so that they cost nothing outside of the tests. */
  hits(): readonly string[]
  /** Texts that look alike and in which this kind is not found. */
  misses(): readonly string[]
  /** Where the facts of the format come from. */
  readonly source: string
}

/** How far before a value a context word may end, unless a detector says otherwise. */
export const contextUnits = 30
