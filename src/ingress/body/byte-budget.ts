/**
 * A bound on the sum of request bytes that are held in memory at one time. A part of it is kept for holders of little, so
 * that one client with many slow uploads takes no other's place (decision 134).
 */
export interface ByteBudget {
  /**
   * @param holder whose bytes they are; those without one are held together
   * @returns false, and takes nothing, when a bound would be passed
   */
  take(bytes: number, holder?: string): boolean
  give(bytes: number, holder?: string): void
  readonly taken: number
}

/** Of what is reserved, as much as one holder may have in it. */
const littleShare = 1 / 4

/** @param reservedBytes of `bytesMax`, for holders of at most a quarter of that; 0 where all belongs to one holder */
export function createByteBudget(bytesMax: number, reservedBytes = 0): ByteBudget {
  const held = new Map<string, number>()
  const littleMax = reservedBytes * littleShare
  let taken = 0
  return {
    take(bytes, holder = '') {
      const own = (held.get(holder) ?? 0) + bytes
      const max = own <= littleMax ? bytesMax : bytesMax - reservedBytes
      if (taken + bytes > max) return false
      taken += bytes
      held.set(holder, own)
      return true
    },
    give(bytes, holder = '') {
      taken -= bytes
      const own = (held.get(holder) ?? 0) - bytes
      if (own > 0) held.set(holder, own)
      else held.delete(holder)
    },
    get taken() {
      return taken
    }
  }
}

/**
 * What is reserved where clients share a process: a quarter, and no more than leaves room for two of the largest bodies as
 * they come and as they are inflated.
 */
export function reservedOf(bytesMax: number, bounds: { bodyBytesMax: number; inflatedBytesMax: number }): number {
  const largest = bounds.bodyBytesMax + bounds.inflatedBytesMax
  return Math.max(0, Math.min(bytesMax / 4, bytesMax - 2 * largest))
}
