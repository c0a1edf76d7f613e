/**
 * Limits the request bytes held in memory at one time. Part of the limit is reserved for those who hold little, so that
 * one client with many slow uploads cannot crowd out the others (decision 134).
 */
export interface ByteBudget {
  /**
   * @param holder whose bytes they are; bytes without a holder are counted together
   * @returns false, taking nothing, if that would exceed a limit
   */
  take(bytes: number, holder?: string): boolean
  give(bytes: number, holder?: string): void
  readonly taken: number
}

/** The share of the reserve that one holder may hold and still count as holding little. */
const littleShare = 1 / 4

/**
 * @param reservedBytes part of `bytesMax` that only holders of at most a quarter of it may use; 0 if there is one
 *   holder
 */
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
 * The reserve if clients share a process: a quarter, but no more than leaves room for two of the largest bodies, each
 * in both its compressed and its inflated form.
 */
export function reservedOf(bytesMax: number, bounds: { bodyBytesMax: number; inflatedBytesMax: number }): number {
  const largest = bounds.bodyBytesMax + bounds.inflatedBytesMax
  return Math.max(0, Math.min(bytesMax / 4, bytesMax - 2 * largest))
}
