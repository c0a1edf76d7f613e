/** How long to wait before a collector is asked again. */

export interface Backoff {
  readonly minMs: number
  readonly maxMs: number
}

/** A collector that asks for more patience than this is asked sooner. */
const askedMsMax = 300_000

/**
 * Full jitter over a bound that doubles, so that instances that failed together do not come back together.
 * @param attempt 0 for the first failure
 * @param askedMs what the collector asked for; waited at least, and a tenth of it more at most
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
