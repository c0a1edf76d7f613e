/** How large a policy may be. What lies beyond is refused before anything else is done with it. */

export const policyBounds = {
  /** UTF-16 units of all names and texts of one document. */
  documentUnitsMax: 1_048_576,
  /** Objects and arrays inside one another. */
  depthMax: 24,
  /** Items of any array of a document. */
  itemsMax: 10_000,
  /** Objects, arrays and scalars of one document. */
  valuesMax: 200_000,
  rulesMax: 10_000,
  serversMax: 1000,
  customPatternsMax: 100,
  allowPatternsMax: 50,
  /** Patterns on arguments in all conditions of a tool policy. */
  argumentPatternsMax: 1000,
  /** Instructions that one pattern, and all patterns of a document, come to; see `patternWeight`. */
  patternWeightMax: 2000,
  documentPatternWeightMax: 40_000,
  patternUnitsMax: 2000,
  /** Words, values and domains of a list. */
  listedMax: 10_000,
  listedUnitsMax: 1000,
  globUnitsMax: 200,
  globStarsMax: 8,
  globsMax: 64,
  /** Conditions inside conditions. */
  conditionDepthMax: 6,
  conditionsMax: 64,
  pointerUnitsMax: 256,
  pointerStepsMax: 16,
  /** Findings that a lint gives; the rest is counted. */
  lintFindingsMax: 200
} as const
