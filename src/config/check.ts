/** What `--check` of a program reports about its configuration. */

export interface Check {
  readonly isGood: boolean
  /** What was checked, in a word or two. */
  readonly name: string
  /** A sentence for people. Holds no secret and no text from another program. */
  readonly sentence: string
}

/** One line per check. */
export const describeChecks = (checks: readonly Check[]): string[] =>
  checks.map(({ isGood, name, sentence }) => (isGood ? 'ok' : 'FAILED').padEnd(10) + `${name}: ${sentence}`)
