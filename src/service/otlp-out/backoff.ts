/** How long to wait before a request to the collector is retried. */

export interface Backoff {
  readonly minMs: number
  readonly maxMs: number
}

/** Limit for a wait that the collector asks for. */
const askedMsMax = 300_000

/**
 * Full jitter with a limit that doubles, so that instances that failed together do not return together.
 * @param attempt 0 for the first failure
 * @param askedMs the collector's request; the wait is at least that long, and up to a tenth longer
 * @param random from 0 to 1
 */
export function waitMs(
  { minMs, maxMs }: Backoff,
  attempt: number,
  askedMs: number | undefined,
  random: number
): number {
  const bound = Math.min(maxMs, minMs * 2 ** Math.min(attempt, 30))
  const own = minMs / 2 + random * (bound - minMs / 2)
  return askedMs === undefined ? own : Math.max(own, Math.min(askedMs, askedMsMax) * (1 + random / 10))
}
