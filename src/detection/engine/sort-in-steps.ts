/** A sort that pauses: findings of a whole text may be millions. */
import type { Pace } from './pace.ts'

/** As many are sorted by the platform in one go, in well under a millisecond. */
const chunkSize = 512
const unitsPerChunk = 16_384
/** The cost of moving one element. */
const unitsPerMove = 2

/** Sorts like `toSorted`, which is stable. @returns a new array, or the given one if it is sorted already */
export function* sortInSteps<T>(items: T[], compare: (a: T, b: T) => number, pace: Pace): Generator<void, T[], void> {
  let ordered = 1
  while (ordered < items.length && compare(items[ordered - 1] as T, items[ordered] as T) <= 0) {
    ordered++
    if (pace.spend(1)) yield
  }
  if (ordered >= items.length) return items
  if (items.length <= chunkSize) return items.toSorted(compare)
  const sorted: T[] = []
  for (let from = 0; from < items.length; from += chunkSize) {
    for (const item of items.slice(from, from + chunkSize).sort(compare)) sorted.push(item)
    if (pace.spend(unitsPerChunk)) yield
  }
  for (let width = chunkSize; width < sorted.length; width *= 2) {
    for (let from = 0; from + width < sorted.length; from += 2 * width)
      yield* merge(sorted, from, from + width, Math.min(sorted.length, from + 2 * width), compare, pace)
  }
  return sorted
}

/** Merges two neighbouring ranges that are sorted. */
function* merge<T>(
  items: T[],
  from: number,
  middle: number,
  to: number,
  compare: (a: T, b: T) => number,
  pace: Pace
): Generator<void, void, void> {
  if (compare(items[middle - 1] as T, items[middle] as T) <= 0) return
  const left: T[] = []
  for (let i = from; i < middle; i++) {
    left.push(items[i] as T)
    if (pace.spend(1)) yield
  }
  for (let at = from, l = 0, r = middle; l < left.length; at++) {
    const takesRight = r < to && compare(items[r] as T, left[l] as T) < 0
    items[at] = takesRight ? (items[r++] as T) : (left[l++] as T)
    if (pace.spend(unitsPerMove)) yield
  }
}
