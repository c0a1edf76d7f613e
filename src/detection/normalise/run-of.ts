/** Which of the runs that a text consists of holds a unit. */

/**
 * @param starts the first unit of each run, in order
 * @returns the index of the run that holds `unit`
 */
export function runOf(starts: readonly number[], unit: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= unit) low = middle
    else high = middle - 1
  }
  return low
}
