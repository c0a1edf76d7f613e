/** A token bucket for each sender: an even rate, with as much at once as two seconds allow. */

export interface RateLimit {
  /** What one sender may take in a second; 0 for no bound. */
  readonly perSecondMax: number
  /**
   * Takes `count` out of a sender's bucket where there is anything in it at all: a batch is taken whole or not at all,
   * and what it takes too much is paid off before the next one.
   * @returns 0 where it was granted, else milliseconds until the bucket has something in it
   */
  take(sender: string, count: number): number
}

interface Bucket {
  left: number
  at: number
}

/** Most senders in memory. One that is dropped begins with a full bucket when it comes again. */
const sendersMax = 10_000
const burstS = 2

/**
 * @param perSecondMax see {@link RateLimit}
 * @param nowMs a clock that never goes back
 */
export function createRateLimit(perSecondMax: number, nowMs: () => number): RateLimit {
  const buckets = new Map<string, Bucket>()
  const burst = perSecondMax * burstS

  function bucketOf(sender: string, now: number): Bucket {
    const known = buckets.get(sender)
    // The order of insertion is the order of use, so that the first one is the one that was idle longest.
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
