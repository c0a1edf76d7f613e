/**
 * The time of day for irreversible actions: a clock ahead of the known time is believed only after it has stayed so for
 * a day. The known time outlives the process, since a clock is most often wrong when a machine starts.
 */

interface Clocks {
  /** Milliseconds since 1970. */
  timeMs(): number
  /** Milliseconds of a monotonic clock. */
  monotonicMs(): number
}

/** The state that a clock passes to its next start. */
export interface ClockState {
  /** The time that it uses, in milliseconds since 1970. */
  readonly at: number
  /** For how long the time of day has been ahead of it; 0 if it is not. */
  readonly doubtedMs: number
}

export interface SteadyClock {
  /** Reads the state, after checking the time of day. */
  read(): ClockState
}

/** The most that clocks drift apart, and the size of a daylight saving change or a manual correction. */
const driftMsMax = 2 * 3_600_000
const doubtMs = 86_400_000

/**
 * Creates a clock that follows the time of day back at once, and ahead of {@link driftMsMax} only after a day.
 * @param onAhead called once when the time of day is found to be ahead, with the milliseconds
 * @param last its state before the process ended; without it the time of day is believed
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
