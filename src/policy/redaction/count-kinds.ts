/** Counts by user-defined names. */

/**
 * Adds to the count of a name. Handles names that every object inherits: a policy may call a kind `constructor`.
 * @param counts changed; only its own members count
 */
export function addCount(counts: Record<string, number>, name: string, count = 1): void {
  counts[name] = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + count
}
