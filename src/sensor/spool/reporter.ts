/** Takes a sensor's events: validates each at once, stores it, and sends it to the service. */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Dispatcher } from 'undici'
import { serviceBase } from '../../policy-stream/service-base.ts'
import { judgeEvent, type EventRules } from '../../protocol/events/event.ts'
import { lossKind, type eventSchema, type SensorEvent } from '../../protocol/events/event-schema.ts'
import type { Fault } from '../../protocol/problem.ts'
import { Delivery, deliveryDefaults, type DeliveryStats, type DeliveryTimings } from './delivery.ts'
import type { DeliveryProblem } from './delivery.ts'
import { within } from '../../timing/within.ts'
import { openSpool, type DiskProblem, type Kept, type SpoolOptions, type SpoolStats } from './spool.ts'

/** An event as a program supplies it. */
export type EventInput = z.input<typeof eventSchema>

export type { DeliveryProblem, DeliveryTimings } from './delivery.ts'

/** The outcome of a report. */
export type Report =
  | {
      readonly ok: true
      readonly eventId: string
      readonly requestId: string
      /** Full sentences about what was dropped or replaced. */
      readonly warnings: readonly string[]
      /** Resolves once it is known where the event is; never rejects. Nobody has to wait for it. */
      readonly kept: Promise<Kept>
    }
  /** What is wrong with the event, with a JSON pointer for each fault. No fault repeats a value. */
  | { readonly ok: false; readonly faults: readonly Fault[] }

export interface ReporterOptions {
  /** The service's URL; see {@link serviceBase}. */
  readonly target: string
  /** Workspace token with the scope `events:write`. */
  readonly token: string
  readonly spool?: Omit<SpoolOptions, 'stamp' | 'onEvent' | 'onDiskProblem' | 'wallMs'>
  readonly rules: Pick<EventRules, 'vocabularies' | 'scrub'>
  /** Fields of every event, unless the event sets them itself. */
  readonly stamp?: Partial<SensorEvent>
  readonly dispatcher: Dispatcher
  readonly headers?: Readonly<Record<string, string>>
  readonly timings?: Partial<DeliveryTimings>
  /** Called when events begin to be kept in memory instead of on disk, and when that ends (undefined). */
  readonly onDiskProblem?: (problem: DiskProblem | undefined) => void
  /** Called when the service does not accept events, and when it does again (undefined). */
  readonly onDeliveryProblem?: (problem: DeliveryProblem | undefined) => void
  readonly random?: () => number
  readonly wallMs?: () => number
}

export interface ReporterStats extends SpoolStats, Omit<DeliveryStats, 'problem'> {
  /** Valid events that were reported. */
  readonly reported: number
  /** Invalid events that were reported: the caller got the faults. */
  readonly invalid: number
  readonly deliveryProblem: DeliveryProblem | undefined
}

/** How long closing a sensor may take in total. */
export const closeTimeoutMs = 2000
/** The part of that time that is reserved for the disk, after the last request. */
const closeDiskMs = 300

/**
 * Starts a reporter.
 * @throws TypeError if the target is not a service URL, or the stamp is not valid in an event
 */
export function createReporter(options: ReporterOptions): Reporter {
  return new Reporter(options)
}

export class Reporter implements AsyncDisposable {
  readonly #options: ReporterOptions
  readonly #spool: ReturnType<typeof openSpool>
  readonly #delivery: Delivery
  readonly #wallMs: () => number
  #reported = 0
  #invalid = 0
  #closing: Promise<void> | undefined

  constructor(options: ReporterOptions) {
    const { stamp = {}, wallMs = Date.now } = options
    const judged = judgeEvent({ kind: lossKind, ...stamp }, options.rules)
    if (!judged.ok) throw new TypeError(judged.faults.map(({ message }) => message).join(' '))
    const base = serviceBase(options.target)
    this.#options = options
    this.#wallMs = wallMs
    this.#spool = openSpool({
      ...options.spool,
      stamp: judged.event,
      wallMs,
      onEvent: () => this.#delivery?.wake(),
      onDiskProblem: quietly(options.onDiskProblem)
    })
    this.#delivery = new Delivery({
      spool: this.#spool,
      base,
      token: options.token,
      dispatcher: options.dispatcher,
      ...(options.headers && { headers: options.headers }),
      timings: { ...deliveryDefaults, ...options.timings },
      random: options.random ?? Math.random,
      wallMs,
      onProblem: quietly(options.onDeliveryProblem)
    })
  }

  get stats(): ReporterStats {
    const { problem: deliveryProblem, ...delivery } = this.#delivery.stats
    return { ...this.#spool.stats, ...delivery, deliveryProblem, reported: this.#reported, invalid: this.#invalid }
  }

  /** Queues an event. Never throws and never waits: the result is known at once. */
  report(event: EventInput): Report {
    try {
      const judged = judgeEvent({ ...this.#options.stamp, ...event }, this.#options.rules)
      if (!judged.ok) {
        this.#invalid++
        return { ok: false, faults: judged.faults }
      }
      const {
        eventId = randomUUID(),
        requestId = randomUUID(),
        occurredAt = new Date(this.#wallMs()).toISOString()
      } = judged.event
      this.#reported++
      const kept = this.#spool.append({ ...judged.event, eventId, requestId, occurredAt })
      return { ok: true, eventId, requestId, warnings: judged.warnings, kept }
    } catch {
      // A getter or a proxy of the caller can throw; its error may hold anything.
      this.#invalid++
      return { ok: false, faults: [{ path: '', code: 'invalid_body', message: 'The event could not be read.' }] }
    }
  }

  /** The service was just reached by other means. */
  retryNow(): void {
    this.#delivery.retryNow()
  }

  /** Sends what can be sent within two seconds, and leaves the rest on disk for the next start. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const deadline = AbortSignal.timeout(closeTimeoutMs - closeDiskMs)
    const settle = async (): Promise<void> => {
      await this.#spool.flush()
      await this.#delivery.close(deadline)
      await this.#spool.close()
    }
    await within(closeTimeoutMs, settle())
  }
}

/** A failing callback must not stop the events. */
function quietly<Argument>(callback: ((argument: Argument) => void) | undefined): (argument: Argument) => void {
  return (argument) => {
    try {
      callback?.(argument)
    } catch {
      // The only one to tell would be whoever threw.
    }
  }
}
