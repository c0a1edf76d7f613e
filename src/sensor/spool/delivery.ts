/** Sends a spool's events to the service: one request at a time, retried until each event is settled. */
import type { Dispatcher } from 'undici'
import { atLeastMs, retryMs } from '../../timing/backoff.ts'
import { Wait } from '../../timing/wait.ts'
import { postBatch, type PostOutcome } from './post-batch.ts'
import type { Spool } from './spool.ts'

export interface DeliveryTimings {
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
  /** After 401, 403 or a URL that is not the service's. */
  readonly refusedRetryMs: number
  /** Timeout of one request. */
  readonly requestTimeoutMs: number
  /** How long an event waits for others to share its request. */
  readonly lingerMs: number
}

export const deliveryDefaults: DeliveryTimings = {
  backoffMinMs: 1000,
  backoffMaxMs: 60_000,
  refusedRetryMs: 60_000,
  requestTimeoutMs: 15_000,
  lingerMs: 100
}

/** Within the service's defaults: 1000 events and 1 MiB, before and after compression. */
const eventsMaxDefault = 500
const batchBytesMax = 512 * 1024

/**
 * Why events do not arrive. `unauthorized`: 401. `forbidden`: 403. `not_found`: the target is not this service.
 * `unavailable`: the service is overloaded, stopping or failing. `unreachable`: no connection, or no answer in time.
 * `untrusted`: its certificate is not trusted here. `garbage`: something that is not this service answers.
 */
export type DeliveryProblem =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unavailable'
  | 'unreachable'
  | 'untrusted'
  | 'garbage'

export interface DeliveryOptions {
  readonly spool: Spool
  /** The service's URL without a trailing slash. */
  readonly base: string
  readonly token: string
  readonly dispatcher: Dispatcher
  readonly headers?: Readonly<Record<string, string>>
  readonly timings: DeliveryTimings
  readonly onProblem?: (problem: DeliveryProblem | undefined) => void
  /** Uniform in [0, 1), for jitter. */
  readonly random: () => number
  readonly wallMs: () => number
}

export interface DeliveryStats {
  /** Events that the service has accepted. */
  readonly delivered: number
  /** Events that it will never accept. */
  readonly rejected: number
  readonly problem: DeliveryProblem | undefined
}

export class Delivery {
  readonly #options: DeliveryOptions
  readonly #wait = new Wait()
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  #problem: DeliveryProblem | undefined
  #delivered = 0
  #rejected = 0
  #failures = 0
  #eventsMax = eventsMaxDefault
  #isCompressed = true
  #isClosing = false
  #hasMore = false
  #idle: (() => void) | undefined

  constructor(options: DeliveryOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  get stats(): DeliveryStats {
    return { delivered: this.#delivered, rejected: this.#rejected, problem: this.#problem }
  }

  /** There is something to send. */
  wake(): void {
    this.#hasMore = true
    this.#idle?.()
  }

  /**
   * The service was just reached by other means: shortens a wait after a failure, unless the service asked for the
   * wait.
   */
  retryNow(): void {
    this.#wait.cut()
  }

  /** Sends what is left while that succeeds, and stops at the signal at the latest. */
  async close(deadline: AbortSignal): Promise<void> {
    this.#isClosing = true
    deadline.addEventListener('abort', () => this.#stop.abort())
    if (deadline.aborted) this.#stop.abort()
    this.#wait.end()
    this.#idle?.()
    await this.#running
  }

  async #run(): Promise<void> {
    const { spool, timings } = this.#options
    while (!this.#stop.signal.aborted) {
      this.#hasMore = false
      const batch = await spool.next({ eventsMax: this.#eventsMax, bytesMax: batchBytesMax })
      if (batch === undefined) {
        if (this.#isClosing) return
        await this.#untilWoken()
        await this.#wait.for(timings.lingerMs, true)
        continue
      }
      const outcome = await postBatch(batch.events, {
        ...this.#options,
        timeoutMs: timings.requestTimeoutMs,
        signal: this.#stop.signal,
        isCompressed: this.#isCompressed
      })
      const rejected = this.#rejectedBy(outcome, batch.events.length)
      if (rejected === undefined) spool.abandon(batch)
      else await this.#settle(batch, rejected)
      if (this.#isClosing && rejected === undefined && !this.#isMended(outcome, batch.events.length)) return
      const { waitMs, isPatient } = this.#after(outcome, rejected !== undefined, batch.events.length)
      if (waitMs > 0) await this.#wait.for(waitMs, isPatient)
      // More has arrived: for a steady flow, a request per event would cost both sides more than the events themselves.
      else if (this.#hasMore && rejected !== undefined && batch.events.length < this.#eventsMax)
        await this.#wait.for(timings.lingerMs, true)
    }
  }

  async #settle(batch: Parameters<Spool['acknowledge']>[0], rejected: readonly number[]): Promise<void> {
    this.#delivered += batch.events.length - rejected.length
    this.#rejected += rejected.length
    await this.#options.spool.acknowledge(batch, rejected)
  }

  /** Indexes of the events that will never be accepted; undefined if the batch is not settled. */
  #rejectedBy(outcome: PostOutcome, count: number): readonly number[] | undefined {
    if (outcome.kind === 'taken') return outcome.rejected
    // On its own and still too large for the service itself: it always would be.
    return outcome.kind === 'too_large' && outcome.isOwn && count === 1 ? [0] : undefined
  }

  /** Whether the same events are sent again at once, in another form. */
  #isMended({ kind }: PostOutcome, count: number): boolean {
    return (kind === 'too_large' && count > 1) || (kind === 'not_compressed' && this.#isCompressed)
  }

  #after(
    outcome: PostOutcome,
    isSettled: boolean,
    count: number
  ): { readonly waitMs: number; readonly isPatient: boolean } {
    const { timings, random } = this.#options
    if (isSettled) {
      this.#failures = 0
      this.#eventsMax = Math.min(eventsMaxDefault, this.#eventsMax * 2)
      this.#tell(undefined)
      return { waitMs: 0, isPatient: false }
    }
    if (this.#isMended(outcome, count)) {
      if (outcome.kind === 'not_compressed') this.#isCompressed = false
      else this.#eventsMax = count >> 1
      return { waitMs: 0, isPatient: false }
    }
    this.#tell(problemOf(outcome))
    if (outcome.kind === 'refused' || outcome.kind === 'not_found') {
      return { waitMs: atLeastMs(timings.refusedRetryMs, random), isPatient: true }
    }
    const askedMs = outcome.kind === 'later' ? outcome.retryAfterMs : undefined
    return { waitMs: retryMs(this.#failures++, timings, askedMs, random), isPatient: askedMs !== undefined }
  }

  async #untilWoken(): Promise<void> {
    if (this.#hasMore || this.#isClosing) return
    await new Promise<void>((resolve) => {
      this.#idle = resolve
    })
    this.#idle = undefined
  }

  #tell(problem: DeliveryProblem | undefined): void {
    if (problem === this.#problem) return
    this.#problem = problem
    this.#options.onProblem?.(problem)
  }
}

function problemOf(outcome: PostOutcome): DeliveryProblem {
  switch (outcome.kind) {
    case 'refused':
      return outcome.status === 401 ? 'unauthorized' : 'forbidden'
    case 'not_found':
    case 'garbage':
    case 'untrusted':
      return outcome.kind
    case 'unreachable':
    case 'stopped':
      return 'unreachable'
    default:
      return 'unavailable'
  }
}
