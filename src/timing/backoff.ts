/** How long a client waits before it retries. All times in milliseconds; `random` is uniform in [0, 1). */

export interface BackoffLimits {
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
}

/**
 * Full jitter: between zero and a limit that doubles with each failure, so that clients that failed together do not
 * return together.
 * @param failures consecutive failures before this wait, from 0
 */
export function fullJitterMs(failures: number, limits: BackoffLimits, random: () => number): number {
  const { backoffMinMs, backoffMaxMs } = limits
  return random() * Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures, 30))
}

/**
 * The wait before a retry: full jitter, behind the wait that the server asked for.
 * @param askedMs from `Retry-After`
 */
export function retryMs(
  failures: number,
  limits: BackoffLimits,
  askedMs: number | undefined,
  random: () => number
): number {
  return (askedMs ?? 0) + fullJitterMs(failures, limits, random)
}

/** At least `ms`, and up to half as much again. */
export function atLeastMs(ms: number, random: () => number): number {
  return ms * (1 + random() / 2)
}

/** Between 75% and 125% of `ms`. */
export function aboutMs(ms: number, random: () => number): number {
  return ms * (0.75 + random() / 2)
}

/** The longest `Retry-After` that is honoured. */
const retryAfterMaxMs = 300_000

/**
 * Reads a `Retry-After` header: seconds or a date (RFC 9110, 10.2.3).
 * @param nowMs the time of day, for a date
 * @returns from 0 to five minutes; undefined if there is no header or it is neither
 */
export function retryAfterMs(value: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof value !== 'string') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMaxMs)
}
