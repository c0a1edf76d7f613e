/** A line break at `at` that splits a key, and where the key continues; or a gutter, which is left out without a mark. */
export interface LineJoin {
  readonly at: number
  readonly to: number
  readonly silent?: true
}
