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

export interface MaintenanceOptions {
  readonly store: Pick<Store, 'maintain' | 'getMeta' | 'putMeta'>
  readonly retention: Config['retention']
  readonly log: Logger
  readonly metrics: Metrics
  /** A monotonic clock, with which the time of day is compared. */
  readonly monotonicMs?: () => number
}

/** Creates the maintenance of a process. */
export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { store, retention, log, metrics } = options
  const { eventDays, auditDays, storeBytesMax: bytesMax } = retention
  let isStoreFull = false
  let lastReport: MaintenanceReport | undefined
  let lastReportAt: number | undefined
  let isFailing = false
  let isClosed = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  metrics.set('storeBytesMax', bytesMax)
  let clock: SteadyClock | undefined

  function note(report: MaintenanceReport): void {
    lastReport = report
    lastReportAt = Date.now()
    metrics.set('maintained', lastReportAt / 1000)
    reportDropped(report, options)
    isStoreFull = reportFill(report, isStoreFull, options)
  }

  async function work(): Promise<void> {
    const started = performance.now()
    try {
      clock ??= await startClock(options)
      const state = clock.read()
      // Saved before anything is dropped, so that no later start takes a wrong time for a known one.
      await store.putMeta(clockKey, JSON.stringify(state))
      note(await store.maintain({ now: state.at, eventDays, auditDays, minuteRollupDays, bytesMax }))
      isFailing = false
      log.debug({ ms: Math.round(performance.now() - started) }, 'maintenance done')
    } catch (error) {
      isFailing = true
      metrics.add('maintenanceFailures', 1)
      const code = error instanceof StoreError ? error.code : errorName(error)
      log.error({ code }, 'maintenance failed; it will be tried again')
    }
  }

  function run(): Promise<void> {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      void run().then(() => isClosed || schedule(jittered(isStoreFull || isFailing ? troubledEveryMs : everyMs)))
    }, delayMs).unref()
  }

  return {
    get isStoreFull() {
      return isStoreFull
    },
    get lastReportAt() {
      return lastReportAt
    },
    get lastReport() {
      return lastReport
    },
    start: () => schedule(0),
    run,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await running
    }
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
