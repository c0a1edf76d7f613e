/** A token bucket for each sender: an even rate, and a burst of two seconds' worth. */

export interface RateLimit {
  /** Events per second and sender; 0 for no limit. */
  readonly perSecondMax: number
  /**
   * Takes `count` from a sender's bucket if there is anything in it: a batch is granted as a whole or not at all, and
   * its excess is paid off before the next one.
   * @returns 0 if granted, otherwise milliseconds until the bucket has something in it
   */
  take(sender: string, count: number): number
}

interface Bucket {
  left: number
  at: number
}

/** Most senders in memory. An evicted one starts with a full bucket when it returns. */
const sendersMax = 10_000
const burstS = 2

/**
 * @param perSecondMax see {@link RateLimit}
 * @param nowMs a monotonic clock
 */
export function createRateLimit(perSecondMax: number, nowMs: () => number): RateLimit {
  const buckets = new Map<string, Bucket>()
  const burst = perSecondMax * burstS

  function bucketOf(sender: string, now: number): Bucket {
    const known = buckets.get(sender)
    // Insertion order is the order of use, so the first sender is the one idle for longest.
    if (known) buckets.delete(sender)
    else if (buckets.size >= sendersMax) buckets.delete(buckets.keys().next().value as string)
    const bucket = known ?? { left: burst, at: now }
    buckets.set(sender, bucket)
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecondMax)
    bucket.at = now
    return bucket
  }

  return {
    perSecondMax,
    take(sender, count) {
      if (perSecondMax === 0) return 0
      const bucket = bucketOf(sender, nowMs())
      if (bucket.left <= 0) return Math.max(1, (-bucket.left / perSecondMax) * 1000)
      bucket.left -= count
      return 0
    }
  }
}
