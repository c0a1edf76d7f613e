/** Delivers a batch reliably: waits, retries, and splits what is too large or contains bad data. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { StoredEvent } from '../../store/store.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { retryMs, type BackoffLimits } from '../../timing/backoff.ts'
import { toLogRecord, type RecordRules } from './log-record.ts'
import type { Postponed, Sender } from './send.ts'

export interface DeliveryOptions {
  readonly sender: Sender
  readonly rules: RecordRules
  readonly backoff: BackoffLimits
  readonly metrics: Pick<Metrics, 'add'>
  readonly log: Logger
}

const complaintsEveryMs = 60_000

export class Delivery {
  readonly #options: DeliveryOptions
  #attempt = 0
  #complainedAt = -Infinity
  #isFailing = false

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Whether the collector did not accept the last request. */
  get isFailing(): boolean {
    return this.#isFailing
  }

  /**
   * @param signal ends waiting, and a request in progress
   * @returns true once nothing of the batch is left to be sent; false if it was aborted before
   */
  async deliver(events: readonly StoredEvent[], signal: AbortSignal): Promise<boolean> {
    const { sender, rules, metrics } = this.#options
    while (!signal.aborted) {
      const outcome = await sender.send(
        events.map((event) => toLogRecord(event, rules)),
        signal
      )
      if (signal.aborted && outcome.kind !== 'taken') return false
      if (outcome.kind === 'taken') {
        this.#succeeded(events.length, outcome.rejected)
        return true
      }
      metrics.add('otlpFailures', 1, { kind: outcome.kind })
      if (outcome.kind === 'later' || outcome.kind === 'refused') await this.#wait(outcome, signal)
      else return await this.#inParts(events, signal)
    }
    return false
  }

  /**
   * Splits the batch down to the single event that the collector will never accept; the standard forbids sending that
   * one again.
   */
  async #inParts(events: readonly StoredEvent[], signal: AbortSignal): Promise<boolean> {
    const middle = Math.ceil(events.length / 2)
    if (events.length > 1) {
      return (await this.deliver(events.slice(0, middle), signal)) && (await this.deliver(events.slice(middle), signal))
    }
    this.#dropped(1)
    return true
  }

  #succeeded(count: number, rejected: number): void {
    const { metrics, log } = this.#options
    metrics.add('otlpSent', count - Math.min(rejected, count))
    if (rejected > 0) this.#dropped(Math.min(rejected, count))
    this.#attempt = 0
    if (this.#isFailing) log.info('the collector accepts events again')
    this.#isFailing = false
  }

  #dropped(count: number): void {
    this.#options.metrics.add('otlpDropped', count, { reason: 'rejected' })
    this.#options.log.error({ count }, 'the collector rejected events as bad data; they are not sent again')
  }

  async #wait(outcome: Postponed, signal: AbortSignal): Promise<void> {
    this.#complain(outcome)
    const delayMs = retryMs(this.#attempt++, this.#options.backoff, outcome.waitMs, Math.random)
    await sleep(delayMs, undefined, { signal }).catch(() => undefined)
  }

  #complain({ kind, reason }: Postponed): void {
    this.#isFailing = true
    if (performance.now() - this.#complainedAt < complaintsEveryMs) return
    this.#complainedAt = performance.now()
    const { log } = this.#options
    if (kind === 'refused') log.error({ reason }, 'the collector refuses events until its settings or ours are mended')
    else log.warn({ reason }, 'the collector does not accept events; they wait in the store')
  }
}
