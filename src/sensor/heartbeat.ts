/** A sensor's heartbeat: a small event at intervals that reports its state. The service keeps only the latest. */
import type { Dispatcher } from 'undici'
import type { SubscriberStatus } from '../policy-stream/subscriber.ts'
import { serviceBase } from '../policy-stream/service-base.ts'
import { sensorHeartbeatKind, sensorHeartbeatMs, type SensorEvent } from '../protocol/events/event-schema.ts'
import { postBatch } from './spool/post-batch.ts'
import type { ReporterStats } from './spool/reporter.ts'

export interface HeartbeatTimings {
  /** Average time between two heartbeats. */
  readonly intervalMs: number
  /** Delay from a notable change to its heartbeat; changes within it share one. */
  readonly soonMs: number
}

const heartbeatDefaults: HeartbeatTimings = { intervalMs: sensorHeartbeatMs, soonMs: 1000 }

interface HeartbeatOptions {
  /** The service's URL; see {@link serviceBase}. */
  readonly target: string
  readonly token: string
  readonly dispatcher: Dispatcher
  /** Identifies the sensor. */
  readonly stamp: Partial<SensorEvent>
  /** Its state, read for each heartbeat. */
  readonly facts: () => SensorFacts
  readonly timings?: Partial<HeartbeatTimings>
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number
  readonly wallMs?: () => number
}

/** What a heartbeat says about the sensor's state. */
export type SensorFacts = Pick<
  SensorEvent,
  'policyState' | 'policyRevision' | 'policyAgeMs' | 'spooled' | 'spoolProblem' | 'dropped'
>

/** Prevents a fleet that started together from staying in step. */
const jitter = 0.4
/** Nobody waits for the answer, and a late heartbeat is useless. */
const requestTimeoutMs = 10_000
const countMax = 1_000_000_000

/** The facts that every sensor reports. */
export function factsOf(
  {
    state,
    revision,
    ageMs
  }: Pick<SubscriberStatus, 'revision' | 'ageMs'> & {
    readonly state: NonNullable<SensorEvent['policyState']>
  },
  {
    onDisk,
    inMemory,
    problem,
    lost,
    rejected
  }: Pick<ReporterStats, 'onDisk' | 'inMemory' | 'problem' | 'lost' | 'rejected'>
): SensorFacts {
  return {
    policyState: state,
    ...(revision === undefined ? {} : { policyRevision: revision }),
    ...(ageMs === undefined ? {} : { policyAgeMs: Math.round(ageMs) }),
    spooled: Math.min(onDisk + inMemory, countMax),
    ...(problem === undefined ? {} : { spoolProblem: problem }),
    dropped: Math.min(lost + rejected, countMax)
  }
}

/** Starts at once. A lost heartbeat is not sent again: the next one is more recent. */
export class Heartbeat implements AsyncDisposable {
  readonly #options: HeartbeatOptions
  readonly #timings: HeartbeatTimings
  readonly #base: string
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #dueMs = Infinity
  #sending: Promise<unknown> | undefined

  /** @throws TypeError if the target is not a service URL */
  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#timings = { ...heartbeatDefaults, ...options.timings }
    this.#base = serviceBase(options.target)
    this.soon()
  }

  /** Sends a heartbeat ahead of time, because something notable changed. */
  soon(): void {
    this.#sendIn(this.#timings.soonMs)
  }

  async close(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#sending
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #sendIn(waitMs: number): void {
    const dueMs = performance.now() + waitMs
    if (this.#stop.signal.aborted || dueMs >= this.#dueMs) return
    clearTimeout(this.#timer)
    this.#dueMs = dueMs
    this.#timer = setTimeout(() => this.#send(), waitMs).unref()
  }

  #send(): void {
    const { stamp, facts, random = Math.random, wallMs = Date.now } = this.#options
    this.#dueMs = Infinity
    // One still being sent may report an older state, and must not arrive after this one.
    if (this.#sending !== undefined) return this.soon()
    this.#sendIn(this.#timings.intervalMs * (1 - jitter / 2 + random() * jitter))
    const occurredAt = new Date(wallMs()).toISOString()
    const event: SensorEvent = { ...stamp, ...facts(), kind: sensorHeartbeatKind, occurredAt }
    const options = { ...this.#options, base: this.#base, wallMs, timeoutMs: requestTimeoutMs }
    this.#sending = postBatch([JSON.stringify(event)], {
      ...options,
      signal: this.#stop.signal,
      isCompressed: false
    }).finally(() => (this.#sending = undefined))
  }
}
