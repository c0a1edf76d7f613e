/** How far a subscriber's policy can be trusted to be the one in force. Ages run on a clock that nobody can set. */

/**
 * `unresolved`: there never was a policy. `fresh`: the service confirmed it moments ago. `stale`: it is the last one
 * known and still holds. `expired`: it is too old to be enforced.
 */
export type PolicyState = 'unresolved' | 'fresh' | 'stale' | 'expired'

export interface FreshnessLimits {
  /** Longest silence of the service under which a policy counts as fresh. */
  readonly freshMs: number
  /** Greatest age under which a policy is enforced at all. */
  readonly staleAgeMaxMs: number
}

export class Freshness {
  readonly #limits: FreshnessLimits
  readonly #nowMs: () => number
  /** On the monotonic clock, and below zero for what was confirmed before the process began. */
  #confirmedMs: number | undefined
  #isDoubtful = false

  /** @param nowMs a monotonic clock */
  constructor(limits: FreshnessLimits, nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Milliseconds since the service confirmed the policy; undefined without one. */
  get ageMs(): number | undefined {
    return this.#confirmedMs === undefined ? undefined : this.#nowMs() - this.#confirmedMs
  }

  get state(): PolicyState {
    const { ageMs } = this
    if (ageMs === undefined) return 'unresolved'
    if (ageMs > this.#limits.staleAgeMaxMs) return 'expired'
    return ageMs > this.#limits.freshMs || this.#isDoubtful ? 'stale' : 'fresh'
  }

  /** Milliseconds until the state changes by itself, where it will. */
  get changesInMs(): number | undefined {
    const { ageMs, state } = this
    if (ageMs === undefined || state === 'expired') return undefined
    const atAgeMs = state === 'fresh' ? this.#limits.freshMs : this.#limits.staleAgeMaxMs
    return Number.isFinite(atAgeMs) ? atAgeMs - ageMs : undefined
  }

  /** The service said that the policy at hand is the one in force. */
  confirm(): void {
    this.#confirmedMs = this.#nowMs()
    this.#isDoubtful = false
  }

  /** The policy comes from a file: it holds, and is not fresh before the service confirms it. */
  restore(ageMs: number): void {
    this.#confirmedMs = this.#nowMs() - ageMs
    this.#isDoubtful = true
  }

  /** The service has another policy, which was refused. */
  doubt(): void {
    this.#isDoubtful = true
  }
}

/**
 * The age of what was confirmed at a time of day. A clock that was set back since would make it negative: it counts as
 * new then, and its age runs on from there.
 */
export function wallAgeMs(confirmedAt: number, nowMs: number): number {
  return Math.max(0, nowMs - confirmedAt)
}
