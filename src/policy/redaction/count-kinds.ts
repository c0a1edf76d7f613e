/** Counts by names that somebody chose. */

/**
 * Adds to the count of a name. A policy may call a kind `constructor`, which every object has already.
 * @param counts an object of its own members' counts, which is changed
 */
export function addCount(counts: Record<string, number>, name: string, count = 1): void {
  counts[name] = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + count
}
