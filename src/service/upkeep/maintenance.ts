/**
 * Retention on a clock: what is past its time is dropped in whole days, in the background. A failure is loud and never
 * touches traffic; only a store that is over its cap, with nothing left to drop, makes the service refuse events.
 */
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { StoreError, type MaintenanceReport, type Store } from '../../store/store.ts'
import { errorName } from '../../telemetry/error-frames.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { createSteadyClock, type ClockState, type SteadyClock } from './steady-clock.ts'

const everyMs = 600_000
/** While the store is full or maintenance fails, so that the end of it is felt soon. */
const troubledEveryMs = 60_000
/** Counts by the minute serve plots of the last days; older ones are read by the hour. */
export const minuteRollupDays = 8
const dayS = 86_400
/** Under which the store keeps what the clock of retention said last. */
const clockKey = 'retention_clock'

export interface Maintenance {
  /** Whether the database is over its cap and nothing is left that may go. */
  readonly isStoreFull: boolean
  /** What the last run found; undefined before the first. */
  readonly lastReport: MaintenanceReport | undefined
  /** When it was made, in milliseconds since 1970. */
  readonly lastReportAt: number | undefined
  /** Starts the clock; the first run begins at once. */
  start(): void
  /** Runs now. Never rejects. */
  run(): Promise<void>
  /** Stops the clock and waits for a run under way. */
  close(): Promise<void>
}

export interface MaintenanceOptions {
  readonly store: Pick<Store, 'maintain' | 'getMeta' | 'putMeta'>
  readonly retention: Config['retention']
  readonly log: Logger
  readonly metrics: Metrics
  /** Milliseconds of a clock that is never set, against which the time of day is held. */
  readonly monotonicMs?: () => number
}

/** Makes the maintenance of a process. */
export function createMaintenance(options: MaintenanceOptions): Maintenance {
  const { store, retention, log, metrics, monotonicMs = () => performance.now() } = options
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

  async function startClock(): Promise<SteadyClock> {
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

  function note(report: MaintenanceReport): void {
    const { bytes, oldestEventDay } = report
    lastReport = report
    lastReportAt = Date.now()
    metrics.set('storeBytes', bytes)
    metrics.set('storeFill', bytesMax > 0 ? bytes / bytesMax : 0)
    metrics.set('oldestEventDay', (oldestEventDay ?? 0) * dayS)
    metrics.set('maintained', lastReportAt / 1000)
    for (const { records, day, rows } of report.dropped) {
      metrics.add('expired', rows, { records })
      log.info(
        { records, day: new Date(day * dayS * 1000).toISOString().slice(0, 10), rows },
        'a day of records expired'
      )
    }
    const isFull = bytesMax > 0 && bytes > bytesMax
    if (isFull && !isStoreFull) {
      log.error({ bytes, bytesMax }, 'the store is full; events of sensors are refused, model calls go on')
    }
    if (!isFull && isStoreFull) log.warn({ bytes, bytesMax }, 'the store has room again')
    isStoreFull = isFull
    metrics.set('storeFull', isFull ? 1 : 0)
  }

  async function work(): Promise<void> {
    const started = performance.now()
    try {
      clock ??= await startClock()
      const state = clock.read()
      // Kept before anything is dropped, so that no start after this one takes a wrong time for one that is known.
      await store.putMeta(clockKey, JSON.stringify(state))
      note(await store.maintain({ now: state.at, eventDays, auditDays, minuteRollupDays, bytesMax }))
      isFailing = false
      log.debug({ ms: Math.round(performance.now() - started) }, 'maintenance done')
    } catch (error) {
      isFailing = true
      metrics.add('maintenanceFailures', 1)
      const code = error instanceof StoreError ? error.code : errorName(error)
      log.error({ code }, 'maintenance failed; it is tried again')
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

/** Up to a tenth more or less, so that instances that started together do not ask together for ever. */
const jittered = (ms: number): number => ms * (0.9 + Math.random() * 0.2)

function readState(text: string | undefined): ClockState | undefined {
  if (text === undefined) return undefined
  const { at, doubtedMs } = JSON.parse(text) as ClockState
  return { at, doubtedMs }
}
