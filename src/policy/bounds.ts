/** Limits on the size of a policy. A larger one is refused before anything else is done with it. */

export const policyBounds = {
  /** UTF-16 code units of all names and texts of one document. */
  documentUnitsMax: 1_048_576,
  /** Nesting of objects and arrays. */
  depthMax: 24,
  /** Items of any array of a document. */
  itemsMax: 10_000,
  /** Objects, arrays and scalars of one document. */
  valuesMax: 200_000,
  rulesMax: 10_000,
  serversMax: 1000,
  customPatternsMax: 100,
  allowPatternsMax: 50,
  /** Argument patterns in all conditions of a tool policy. */
  argumentPatternsMax: 1000,
  /** Weight of one pattern, and of all patterns of a document, in compiled instructions; see `patternWeight`. */
  patternWeightMax: 2000,
  documentPatternWeightMax: 40_000,
  patternUnitsMax: 2000,
  /** Words, values and domains in a list. */
  listedMax: 10_000,
  listedUnitsMax: 1000,
  globUnitsMax: 200,
  globStarsMax: 8,
  globsMax: 64,
  /** Nesting of conditions. */
  conditionDepthMax: 6,
  conditionsMax: 64,
  pointerUnitsMax: 256,
  pointerStepsMax: 16,
  /** Findings that a lint returns; the rest is only counted. */
  lintFindingsMax: 200
} as const
