/**
 * Decides when and how a subscriber tries next, from the outcome of the last attempt. Keeps counts, and has no side
 * effects.
 */
import { aboutMs, atLeastMs, fullJitterMs } from '../timing/backoff.ts'
import type { PollOutcome, RefusedAnswer, StreamOutcome } from './policy-client.ts'
import type { SubscriberProblem, SubscriberTimings, Transport } from './subscriber-options.ts'

/** What to do next. */
export interface Step {
  readonly waitMs: number
  /** Undefined if the attempt succeeded. */
  readonly problem: SubscriberProblem | undefined
  /** The runtime's code for a failed connection. */
  readonly fault?: string | undefined
  /** Whether the full wait is required because the service asked for it. */
  readonly isPatient: boolean
}

const atOnce: Step = { waitMs: 0, problem: undefined, isPatient: false }

/** After this many consecutive silent attempts, a proxy is assumed to hold the stream back, and polling begins. */
const silentTriesMax = 2
/** The greeting may have come through only because of its size; a heartbeat after it shows that everything does. */
const livingMessagesMin = 2
/** The stream's path is blocked somewhere, but the policy's may be open. */
const noStreamStatuses: ReadonlySet<number> = new Set([404, 405, 406, 501])

export class Plan {
  transport: Transport = 'stream'
  /** As set by the service through `retry:`. */
  retryMs: number
  readonly #timings: SubscriberTimings
  readonly #random: () => number
  #failures = 0
  #silentTries = 0
  #streamDueMs = 0

  constructor(timings: SubscriberTimings, random: () => number) {
    this.#timings = timings
    this.#random = random
    this.retryMs = timings.backoffMinMs
  }

  /**
   * @param nowMs by the monotonic clock
   * @param hasPolicy if false, a single silent attempt is enough, since nothing can be served without a policy
   */
  afterStream(outcome: StreamOutcome, nowMs: number, hasPolicy: boolean): Step {
    switch (outcome.kind) {
      case 'stopped':
        return atOnce
      case 'ended':
        this.#worked()
        return { waitMs: atLeastMs(this.retryMs, this.#random), problem: undefined, isPatient: true }
      case 'silent':
        if (outcome.messages >= livingMessagesMin) this.#worked()
        else if (++this.#silentTries >= silentTriesMax || !hasPolicy) return this.#turnToPolling(nowMs)
        return this.#backOff('silent')
      case 'not_a_stream':
        return this.#turnToPolling(nowMs)
      case 'refused':
        if (noStreamStatuses.has(outcome.status)) return this.#turnToPolling(nowMs)
        return this.#refused(outcome)
      case 'too_large':
        return this.#backOff('rejected')
      case 'unreachable':
      case 'untrusted':
        return { ...this.#backOff(outcome.kind), fault: outcome.fault }
    }
  }

  afterPoll(outcome: PollOutcome, nowMs: number): Step {
    switch (outcome.kind) {
      case 'stopped':
        return atOnce
      case 'policy':
      case 'unchanged':
        this.#failures = 0
        if (nowMs >= this.#streamDueMs) {
          this.transport = 'stream'
          // The stream was held back until now: one more silent attempt is enough to continue polling.
          this.#silentTries = silentTriesMax - 1
        }
        return { waitMs: aboutMs(this.#timings.pollMs, this.#random), problem: undefined, isPatient: false }
      case 'refused':
        return this.#refused(outcome)
      case 'too_large':
        return this.#backOff('rejected')
      case 'unreachable':
      case 'untrusted':
        // Not the stream is broken but the connection: when it returns, a stream is as likely to work as a poll.
        this.transport = 'stream'
        this.#silentTries = 0
        return { ...this.#backOff(outcome.kind), fault: outcome.fault }
    }
  }

  #worked(): void {
    this.#failures = 0
    this.#silentTries = 0
  }

  #turnToPolling(nowMs: number): Step {
    this.transport = 'poll'
    this.#streamDueMs = nowMs + aboutMs(this.#timings.streamRetryMs, this.#random)
    return atOnce
  }

  #backOff(problem: SubscriberProblem): Step {
    return { waitMs: fullJitterMs(this.#failures++, this.#timings, this.#random), problem, isPatient: false }
  }

  #refused({ status, retryAfterMs }: RefusedAnswer): Step {
    const problem = problemOf(status)
    if (problem !== 'unavailable') {
      const waitMs = atLeastMs(this.#timings.refusedRetryMs, this.#random)
      return { waitMs, problem, isPatient: true }
    }
    const step = this.#backOff(problem)
    if (retryAfterMs === undefined) return step
    return { waitMs: retryAfterMs + step.waitMs, problem, isPatient: true }
  }
}

function problemOf(status: number): SubscriberProblem {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 405 || status === 410 || (status >= 300 && status < 400)) return 'not_found'
  return 'unavailable'
}
