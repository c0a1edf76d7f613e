/** Suggests the name that was probably meant. */

const distanceMax = 3

/**
 * The nearest of some known names, or undefined if none is near enough.
 * @param name a name that is not among them
 * @param lettersPerSlip one typing error is assumed per so many letters; fewer if there are only a handful of known
 *   names
 */
export function nearestName(name: string, known: readonly string[], lettersPerSlip = 5): string | undefined {
  let nearest: string | undefined
  let least = Math.min(distanceMax, Math.floor(name.length / lettersPerSlip)) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue
    const distance = editDistance(name, candidate)
    if (distance < least) [nearest, least] = [candidate, distance]
  }
  return nearest
}

/** Names that get a suggestion; more wrong names than this are not typing errors. */
const hintsMax = 50

/**
 * Makes a function that returns a suggestion as a sentence with a leading blank, or an empty string. Only the first
 * names are compared, so that a document full of wrong ones is checked in bounded time.
 */
export function createHints(known: readonly string[]): (name: string) => string {
  let given = 0
  return (name) => {
    const nearest = given++ < hintsMax ? nearestName(name, known) : undefined
    return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  }
}

/**
 * The smallest number of insertions, deletions, replacements and swaps of adjacent characters that turns one text into
 * the other.
 */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] as number) + 1 : Infinity
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] as number
}
