/**
 * A tiny automaton beside the literals: it knows how many digits stand before the current place and how many dotted
 * groups of digits before those. It gives two anchors that no literal can: the third digit of a run of digits, once a
 * run, and the first digit of a fourth dotted group (`1.2.3.4`).
 */

/** Digits counted in a run; at the last value the run is longer and of no more interest. */
const digitsMax = 4
const perGroup = digitsMax + 1

/** Number of states. State = complete groups (0..3) x digits in the group under way (0..4), 0 at rest. */
export const trackerStates = 4 * perGroup

export const trackerNothing = 0
export const trackerRun = 1
export const trackerQuad = 2

/** The next state. */
export function trackerNext(state: number, code: number): number {
  const groups = Math.floor(state / perGroup)
  const digits = state % perGroup
  if (code >= 48 && code <= 57) return groups * perGroup + Math.min(digits + 1, digitsMax)
  if (code === 46 && digits > 0 && groups < 3) return (groups + 1) * perGroup
  return 0
}

/** What an arrival in a state announces: a bit set of `trackerRun` and `trackerQuad`. */
export function trackerOutput(state: number): number {
  const digits = state % perGroup
  return (digits === 3 ? trackerRun : trackerNothing) | (state === 3 * perGroup + 1 ? trackerQuad : trackerNothing)
}
