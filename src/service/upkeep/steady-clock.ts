/** The time of day for what cannot be taken back: a clock that jumps ahead is believed when it has kept to it for a day. */

export interface Clocks {
  /** Milliseconds since 1970. */
  timeMs(): number
  /** Milliseconds of a clock that is never set. */
  monotonicMs(): number
}

/** What clocks drift apart, and what a leap of summer time or of a careless hand may be. */
const driftMsMax = 2 * 3_600_000
const doubtMs = 86_400_000

/**
 * Makes a clock that goes back at once with the time of day, and ahead of it never.
 * @param onJump told once when the time of day has jumped ahead, by how many milliseconds
 * @returns the time in milliseconds since 1970
 */
export function createSteadyClock({ timeMs, monotonicMs }: Clocks, onJump: (byMs: number) => void): () => number {
  let offset = timeMs() - monotonicMs()
  let doubtedSince: number | undefined
  return () => {
    const elapsed = monotonicMs()
    const seen = timeMs() - elapsed
    const isAhead = seen - offset > driftMsMax
    if (isAhead && doubtedSince === undefined) {
      doubtedSince = elapsed
      onJump(seen - offset)
    }
    if (!isAhead || elapsed - (doubtedSince ?? elapsed) >= doubtMs) {
      offset = seen
      doubtedSince = undefined
    }
    return offset + elapsed
  }
}
