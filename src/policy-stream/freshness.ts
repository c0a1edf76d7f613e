/** How far a subscriber's policy can be trusted to be current. Ages are measured by a monotonic clock. */

/**
 * `unresolved`: there never was a policy. `fresh`: the service has just confirmed it. `stale`: it is the last one known
 * and still applies. `expired`: it is too old to be enforced.
 */
export type PolicyState = 'unresolved' | 'fresh' | 'stale' | 'expired'

interface FreshnessLimits {
  /** How long the service may be silent while a policy counts as fresh. */
  readonly freshMs: number
  /** Maximum age at which a policy is enforced. */
  readonly staleAgeMaxMs: number
}

export class Freshness {
  readonly #limits: FreshnessLimits
  readonly #nowMs: () => number
  /** By the monotonic clock; negative for what was confirmed before the process started. */
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

  /** Milliseconds until the state changes with time, if it will. */
  get changesInMs(): number | undefined {
    const { ageMs, state } = this
    if (ageMs === undefined || state === 'expired') return undefined
    const atAgeMs = state === 'fresh' ? this.#limits.freshMs : this.#limits.staleAgeMaxMs
    return Number.isFinite(atAgeMs) ? atAgeMs - ageMs : undefined
  }

  /** The service has confirmed that this policy is current. */
  confirm(): void {
    this.#confirmedMs = this.#nowMs()
    this.#isDoubtful = false
  }

  /** The policy comes from a file: it applies, but is not fresh until the service confirms it. */
  restore(ageMs: number): void {
    this.#confirmedMs = this.#nowMs() - ageMs
    this.#isDoubtful = true
  }

  /** The service has another policy, which was rejected. */
  doubt(): void {
    this.#isDoubtful = true
  }
}

/**
 * The age of something confirmed at a time of day. If the clock was set back since, the age would be negative; it then
 * counts as zero, and increases from there.
 */
export function wallAgeMs(confirmedAt: number, nowMs: number): number {
  return Math.max(0, nowMs - confirmedAt)
}
