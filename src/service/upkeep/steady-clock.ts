/**
 * The time of day for what cannot be taken back: a clock that is ahead of what was known is believed when it has kept to it
 * for a day. What was known outlives the process, since a clock is never as wrong as after the start of a machine.
 */

export interface Clocks {
  /** Milliseconds since 1970. */
  timeMs(): number
  /** Milliseconds of a clock that is never set. */
  monotonicMs(): number
}

/** What a clock tells its next start. */
export interface ClockState {
  /** The time that it goes by, in milliseconds since 1970. */
  readonly at: number
  /** For how long the time of day has been ahead of it; 0 where it is not. */
  readonly doubtedMs: number
}

export interface SteadyClock {
  /** Reads it, and looks at the time of day. */
  read(): ClockState
}

/** What clocks drift apart, and what a leap of summer time or of a careless hand may be. */
const driftMsMax = 2 * 3_600_000
const doubtMs = 86_400_000

/**
 * Makes a clock that goes back at once with the time of day, and ahead of it never.
 * @param onAhead told once when the time of day is found ahead, by how many milliseconds
 * @param last what it said before the process ended; without it the time of day is believed
 */
export function createSteadyClock(
  { timeMs, monotonicMs }: Clocks,
  onAhead: (byMs: number) => void,
  last?: ClockState
): SteadyClock {
  let offset = (last?.at ?? timeMs()) - monotonicMs()
  let doubtedBeforeMs = last?.doubtedMs ?? 0
  let doubtedSince: number | undefined
  return {
    read: () => {
      const elapsed = monotonicMs()
      const seen = timeMs() - elapsed
      const isAhead = seen - offset > driftMsMax
      const since = doubtedSince ?? elapsed - doubtedBeforeMs
      if (isAhead && elapsed - since < doubtMs) {
        if (doubtedSince === undefined) onAhead(seen - offset)
        doubtedSince = since
      } else {
        offset = seen
        doubtedSince = undefined
      }
      doubtedBeforeMs = 0
      return { at: offset + elapsed, doubtedMs: doubtedSince === undefined ? 0 : elapsed - doubtedSince }
    }
  }
}
