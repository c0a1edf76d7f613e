/**
 * Retention on a timer: data beyond its retention is dropped in whole days, in the background. A failure is reported
 * clearly and never affects traffic; only a store that exceeds its limit, with nothing left to drop, makes the service
 * refuse events.
 */
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { StoreError, type MaintenanceReport, type Store } from '../../store/store.ts'
import { errorName } from '../../telemetry/error-frames.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { Rounds } from './rounds.ts'
import { createSteadyClock, type ClockState, type SteadyClock } from './steady-clock.ts'

const everyMs = 600_000
/** Interval while the store is full or maintenance fails, so that the end of it is noticed soon. */
const troubledEveryMs = 60_000
/** Counts by minute serve plots of the last days; older ones are read by hour. */
export const minuteRollupDays = 8
const dayS = 86_400
/** The key under which the store keeps the last state of the retention clock. */
const clockKey = 'retention_clock'

export interface Maintenance {
  /** Whether the database exceeds its limit and nothing is left that may be dropped. */
  readonly isStoreFull: boolean
  /** The result of the last run; undefined before the first. */
  readonly lastReport: MaintenanceReport | undefined
  /** When it was made, in milliseconds since 1970. */
  readonly lastReportAt: number | undefined
  /** Starts the timer; the first run begins at once. */
  start(): void
  /** Runs now. Never rejects. */
  run(): Promise<void>
  /** Stops the timer and waits for a run in progress. */
  close(): Promise<void>
}

interface MaintenanceOptions {
  readonly store: Pick<Store, 'maintain' | 'getMeta' | 'putMeta'>
  readonly retention: Config['retention']
  readonly log: Logger
  readonly metrics: Metrics
  /** A monotonic clock, with which the time of day is compared. */
  readonly monotonicMs?: () => number
}

/** Creates the maintenance of a process. */
export const createMaintenance = (options: MaintenanceOptions): Maintenance => new TimedMaintenance(options)

class TimedMaintenance implements Maintenance {
  readonly #options: MaintenanceOptions
  readonly #rounds = new Rounds(
    () => this.#round(),
    () => jittered(this.isStoreFull || this.#isFailing ? troubledEveryMs : everyMs)
  )
  #clock: SteadyClock | undefined
  #isFailing = false
  isStoreFull = false
  lastReport: MaintenanceReport | undefined
  lastReportAt: number | undefined

  constructor(options: MaintenanceOptions) {
    this.#options = options
    options.metrics.set('storeBytesMax', options.retention.storeBytesMax)
  }

  start(): void {
    this.#rounds.start()
  }

  run(): Promise<void> {
    return this.#rounds.run()
  }

  close(): Promise<void> {
    return this.#rounds.stop()
  }

  async #round(): Promise<void> {
    const { store, retention, log, metrics } = this.#options
    const { eventDays, auditDays, storeBytesMax: bytesMax } = retention
    const started = performance.now()
    try {
      this.#clock ??= await startClock(this.#options)
      const state = this.#clock.read()
      // Saved before anything is dropped, so that no later start takes a wrong time for a known one.
      await store.putMeta(clockKey, JSON.stringify(state))
      this.#note(await store.maintain({ now: state.at, eventDays, auditDays, minuteRollupDays, bytesMax }))
      this.#isFailing = false
      log.debug({ ms: Math.round(performance.now() - started) }, 'maintenance done')
    } catch (error) {
      this.#isFailing = true
      metrics.add('maintenanceFailures', 1)
      const code = error instanceof StoreError ? error.code : errorName(error)
      log.error({ code }, 'maintenance failed; it will be tried again')
    }
  }

  #note(report: MaintenanceReport): void {
    this.lastReport = report
    this.lastReportAt = Date.now()
    this.#options.metrics.set('maintained', this.lastReportAt / 1000)
    reportDropped(report, this.#options)
    this.isStoreFull = reportFill(report, this.isStoreFull, this.#options)
  }
}

/** Starts the clock of retention from its last state. */
async function startClock(options: MaintenanceOptions): Promise<SteadyClock> {
  const { store, log, monotonicMs = () => performance.now() } = options
  const last = readState(await store.getMeta(clockKey))
  return createSteadyClock(
    { timeMs: () => Date.now(), monotonicMs },
    (byMs) =>
      log.error(
        { byHours: Math.round(byMs / 3_600_000) },
        'the clock is ahead of the time that retention knew; until that has lasted for a day retention goes by the old time'
      ),
    last
  )
}

/** Counts and logs the days that a run dropped. */
function reportDropped({ dropped, oldestEventDay }: MaintenanceReport, { log, metrics }: MaintenanceOptions): void {
  metrics.set('oldestEventDay', (oldestEventDay ?? 0) * dayS)
  for (const { records, day, rows } of dropped) {
    metrics.add('expired', rows, { records })
    log.info({ records, day: new Date(day * dayS * 1000).toISOString().slice(0, 10), rows }, 'a day of records expired')
  }
}

/**
 * Reports how full the store is.
 * @returns whether the database exceeds its limit
 */
function reportFill(
  { bytes }: MaintenanceReport,
  wasFull: boolean,
  { retention: { storeBytesMax: bytesMax }, log, metrics }: MaintenanceOptions
): boolean {
  const isFull = bytesMax > 0 && bytes > bytesMax
  metrics.set('storeBytes', bytes)
  metrics.set('storeFill', bytesMax > 0 ? bytes / bytesMax : 0)
  metrics.set('storeFull', isFull ? 1 : 0)
  if (isFull && !wasFull) {
    log.error({ bytes, bytesMax }, 'the store is full; events of sensors are refused, model calls continue')
  }
  if (!isFull && wasFull) log.warn({ bytes, bytesMax }, 'the store has room again')
  return isFull
}

/** Plus or minus a tenth, so that instances that started together do not stay in step. */
const jittered = (ms: number): number => ms * (0.9 + Math.random() * 0.2)

function readState(text: string | undefined): ClockState | undefined {
  if (text === undefined) return undefined
  const { at, doubtedMs } = JSON.parse(text) as ClockState
  return { at, doubtedMs }
}
