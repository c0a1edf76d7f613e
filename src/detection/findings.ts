/**
 * What a scan says of a text: where something is, of which kind, and how sure it is. A finding never carries the text
 * it found, so it can be logged, stored and sent without a thought.
 */

/** Risk tiers, lowest first. The tier belongs to the kind; a guard may lower it for one finding. */
export const tiers = ['none', 'low', 'medium', 'high'] as const
export type Tier = (typeof tiers)[number]

/**
 * How sure a finding is, lowest first. `certain`: an embedded checksum or a structural decode agrees. `strong`: a
 * unique prefix with the exact length, or a checksum together with a context word. `medium`: a checksum over digits
 * alone, or a keyword with a likely value. `weak`: shape only; nothing is ever done about it.
 */
export const confidences = ['weak', 'medium', 'strong', 'certain'] as const
export type Confidence = (typeof confidences)[number]

/** Families of kinds, the unit in which a profile sets actions. */
export const groups = ['secret', 'national_id', 'financial', 'pii', 'contact', 'network'] as const
export type Group = (typeof groups)[number]

/** One place in a text, in UTF-16 units, half-open. */
export interface Finding {
  readonly kind: string
  readonly group: Group
  readonly tier: Tier
  readonly confidence: Confidence
  readonly start: number
  readonly end: number
}

/** What a finding is, wherever it stands. */
export type FindingSort = Omit<Finding, 'start' | 'end'>

/** What is known of a kind before any text is seen. */
export interface Kind {
  /** Stable id, `[a-z][a-z0-9_]*`, as it stands in events, profiles and docs. */
  readonly id: string
  /** The name that a placeholder begins with, `[A-Z][A-Z0-9_]*`: what a model reads in place of the value. */
  readonly label: string
  /** What a person reads in an error message, lower case, singular: "AWS access key id". */
  readonly title: string
  readonly group: Group
  readonly tier: Tier
}

/**
 * What one request has shown so far: values that were found by their context. It lets the scanner find them again at
 * every later place of the same request, where no context stands beside them. It lives as long as the request.
 */
export interface ScanMemory {
  readonly size: number
  /** How often it was told a value, whether or not that was new to it. */
  readonly keeps: number
  /**
   * Keeps the value of a finding that no context was needed for, so that it is found in later texts where the shape
   * alone would not tell it: an answer that repeats it may write anything around it.
   * @returns whether it may stand in any later text: it will be found there as a whole word, which short and scattered
   *   values are not, or it is a word of a program, which says nothing there
   */
  remember(text: string, finding: Finding): boolean
}

/** What is known of a text beside the text itself. */
export interface ScanHint {
  /** The name of the field, header or variable whose whole value the text is. It counts as context. */
  readonly key?: string
}

/** A scan under way, for texts that are too long to be scanned in one go. */
export interface ScanRun {
  /**
   * Scans about `units` more UTF-16 units.
   * @returns true when the end of the text is reached
   */
  step(units: number): boolean
  /** The findings of a finished run, sorted by start, never overlapping. */
  findings(): Finding[]
}

/** The compiled form of all detectors. Immutable; one serves any number of requests at once. */
export interface Scanner {
  readonly kinds: ReadonlyMap<string, Kind>
  /** The shortest text, in UTF-16 units, in which anything can be found; a shorter one needs no scan. */
  readonly lengthMin: number
  createMemory(): ScanMemory
  /**
   * Scans a whole text. A finding depends only on that text, of which a little may stand behind it, and, through `memory`,
   * on the texts that were scanned before with the same memory: never on a later one.
   * @returns findings sorted by start, never overlapping
   */
  scan(text: string, memory?: ScanMemory, hint?: ScanHint): Finding[]
  /** The same as {@link scan}, in steps of the caller's choosing. */
  begin(text: string, memory?: ScanMemory, hint?: ScanHint): ScanRun
  /** Finds nothing but what `memory` keeps: all that {@link scan} finds in a text in which it finds nothing by itself. */
  readonly recaller: Scanner
}
