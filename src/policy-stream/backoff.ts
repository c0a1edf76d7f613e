/** How long a client waits before it tries again. All times in milliseconds; `random` is uniform in [0, 1). */

export interface BackoffLimits {
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
}

/**
 * Full jitter: anything from nothing to a bound that doubles with each failure, so that clients which failed together
 * do not come back together.
 * @param failures failures in a row before this wait, from 0
 */
export function fullJitterMs(failures: number, limits: BackoffLimits, random: () => number): number {
  const { backoffMinMs, backoffMaxMs } = limits
  return random() * Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures, 30))
}

/** At least `ms`, and up to half more. */
export function atLeastMs(ms: number, random: () => number): number {
  return ms * (1 + random() / 2)
}

/** From a quarter less to a quarter more than `ms`. */
export function aboutMs(ms: number, random: () => number): number {
  return ms * (0.75 + random() / 2)
}

/** A server that asks for more is asked again after this time all the same. */
const retryAfterMaxMs = 300_000

/**
 * Reads a `Retry-After` header: seconds or a date (RFC 9110, 10.2.3).
 * @param nowMs the time of day, for a date
 * @returns from 0 to five minutes; undefined where there is no header or it is neither
 */
export function retryAfterMs(value: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof value !== 'string') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMaxMs)
}
