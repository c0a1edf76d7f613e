/** A bound on the sum of request bytes that are held in memory at one time. */
export interface ByteBudget {
  /** @returns false, and takes nothing, when the bound would be passed */
  take(bytes: number): boolean
  give(bytes: number): void
  readonly taken: number
}

export function createByteBudget(bytesMax: number): ByteBudget {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > bytesMax) return false
      taken += bytes
      return true
    },
    give(bytes) {
      taken -= bytes
    },
    get taken() {
      return taken
    }
  }
}
