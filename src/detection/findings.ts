/**
 * What a scan reports: where something is, of which kind, and how sure that is. A finding never contains the text that
 * it is about, so it can be logged, stored and sent freely.
 */

/** Risk tiers, lowest first. A kind has a tier; a guard may lower it for a single finding. */
export const tiers = ['none', 'low', 'medium', 'high'] as const
export type Tier = (typeof tiers)[number]

/**
 * How sure a finding is, lowest first. `weak`: shape only; never acted on. `medium`: a checksum over digits alone, or a
 * keyword with a plausible value. `strong`: a unique prefix with the exact length, or a checksum together with a
 * context word. `certain`: an embedded checksum or a structural decode matches.
 */
export const confidences = ['weak', 'medium', 'strong', 'certain'] as const
export type Confidence = (typeof confidences)[number]

/** Families of kinds. A profile sets actions by group. */
export const groups = ['secret', 'national_id', 'financial', 'pii', 'contact', 'network'] as const
export type Group = (typeof groups)[number]

/** One place in a text: `[start, end)` in UTF-16 code units. */
export interface Finding {
  readonly kind: string
  readonly group: Group
  readonly tier: Tier
  readonly confidence: Confidence
  readonly start: number
  readonly end: number
}

/** A finding without its place. */
export type FindingSort = Omit<Finding, 'start' | 'end'>

/** What is known of a kind before any text is seen. */
export interface Kind {
  /** Stable id, `[a-z][a-z0-9_]*`, as events, profiles and the documentation use it. */
  readonly id: string
  /** The name with which a placeholder begins, `[A-Z][A-Z0-9_]*`: the model reads it in place of the value. */
  readonly label: string
  /** What a person reads in an error message, lower case and singular: "AWS access key ID". */
  readonly title: string
  readonly group: Group
  readonly tier: Tier
}

/**
 * What earlier texts of one request revealed: values that were found by their context. The scanner finds them again in
 * every later text of the request, where no context stands next to them. It lives as long as the request.
 */
export interface ScanMemory {
  readonly size: number
  /** How often a value was handed to it, known or not. */
  readonly keeps: number
  /**
   * Remembers the value of a finding that needed no context, so that it is found in later texts where its form alone
   * would not suffice: an answer that repeats it may write anything around it.
   * @returns whether the value is handled wherever it may occur later: it will be found as a whole word (short and
   *   scattered values are not), or it is an ordinary word of a program, which reveals nothing elsewhere
   */
  remember(text: string, finding: Finding): boolean
}

/** What is known of a text besides the text itself. */
export interface ScanHint {
  /** The name of the field, header or variable whose whole value the text is. It counts as context. */
  readonly key?: string
}

/** What a text holds by itself, whatever earlier texts revealed. */
export interface OwnFind {
  readonly finding: Finding
  /** Whether its value is to be remembered, since its context revealed it. */
  readonly byContext: boolean
}

/** A scan in progress, for texts that are too long to be scanned in one go. */
export interface ScanRun {
  /**
   * Works on, for about as long as `units` code units of ordinary text take: fewer are scanned where much is found.
   * @returns whether the scan is finished
   */
  step(units: number): boolean
  /** Work done so far, in code units of ordinary text. */
  readonly work: number
  /** The findings of a finished run, sorted by start, without overlaps. */
  findings(): Finding[]
  /**
   * What a finished run found that depends on nothing but the text and the name of its field, for
   * {@link Scanner.resume}; undefined if the text must be scanned again to know it.
   */
  own(): readonly OwnFind[] | undefined
}

/** The compiled form of all detectors. Immutable; one scanner serves any number of requests at once. */
export interface Scanner {
  readonly kinds: ReadonlyMap<string, Kind>
  /** The length of the shortest text, in code units, in which anything can be found. A shorter one needs no scan. */
  readonly lengthMin: number
  /**
   * Whether a scan of a short text finds nothing, as far as that can be told at once; most texts of a body are such. Says
   * nothing of what the name of its field or a memory may make of it. Not to be called within a step of a scan.
   * @param bytes ASCII characters; the text is `[from, to)` of them
   */
  isBare(bytes: Uint8Array, from: number, to: number): boolean
  createMemory(): ScanMemory
  /**
   * Scans a whole text. A finding depends only on that text (in part on what stands behind it) and, through `memory`,
   * on the texts scanned before with the same memory: never on a later one.
   * @returns findings sorted by start, without overlaps
   */
  scan(text: string, memory?: ScanMemory, hint?: ScanHint): Finding[]
  /** The same as {@link scan}, in steps of the caller's choosing. */
  begin(text: string, memory?: ScanMemory, hint?: ScanHint): ScanRun
  /**
   * The same as {@link begin} of a text that was scanned before, by this scanner and with the same hint, without searching
   * it again: its own findings are remembered, and those of earlier texts recalled, as if it had been.
   * @param own what that scan found
   */
  resume(text: string, own: readonly OwnFind[], memory?: ScanMemory, hint?: ScanHint): ScanRun
  /** Finds only what `memory` holds: all that {@link scan} would find in a text without findings of its own. */
  readonly recaller: Scanner
}
