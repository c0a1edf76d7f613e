/**
 * Sends every workspace event to an OTLP collector, at least once. The cursor is in the store and advances when the
 * collector has answered: a slow or dead collector delays nothing else, and a killed process sends at most one batch
 * again. Of several instances, the one that holds the lease works.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import type { Config, EventsOtlpConfig } from '../../config/config.ts'
import { createAgent } from '../../config/agent.ts'
import { StoreError, type Store, type StoredEvent } from '../../store/store.ts'
import { errorName } from '../../telemetry/error-frames.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { resourceOf } from '../../telemetry/otel/resource.ts'
import { fullJitterMs, type BackoffLimits } from '../../timing/backoff.ts'
import { Delivery } from './delivery.ts'
import { createSender } from './send.ts'

export interface ExporterTimings {
  /** How long a lease is valid; after a process was killed, the others wait for that long. */
  readonly leaseMs: number
  /** How often to look for new events if there were none, and whether the lease is free. */
  readonly idleMs: number
  readonly backoff: BackoffLimits
  /** How long a shutdown may take to send what is left. */
  readonly closeMs: number
  /** How often to check what retention has dropped. */
  readonly lossesMs: number
}

const exporterTimings: ExporterTimings = {
  leaseMs: 15_000,
  idleMs: 1000,
  backoff: { backoffMinMs: 500, backoffMaxMs: 60_000 },
  closeMs: 2000,
  lossesMs: 60_000
}

type ExportStore = Pick<
  Store,
  'takeLease' | 'dropLease' | 'exportsPending' | 'moveExportCursors' | 'takeExportLosses' | 'eventsAfter'
>

export interface ExporterOptions {
  readonly config: EventsOtlpConfig
  readonly vocabularies: Config['vocabularies']
  readonly genAi: boolean
  readonly store: ExportStore
  readonly metrics: Pick<Metrics, 'add' | 'set' | 'onScrape'>
  readonly log: Logger
  readonly timings?: ExporterTimings | undefined
}

export interface EventExporter {
  /** Sends what is left within a time limit, releases the lease and ends. Never rejects. */
  close(): Promise<void>
}

/** The name of the lease and the cursors. */
const name = 'events-otlp'
/** Most workspaces returned by one query. */
const workspacesPerLook = 100

export function startEventExporter(options: ExporterOptions): EventExporter {
  const exporter = new Exporter(options)
  const running = exporter.run()
  return { close: () => exporter.close(running) }
}

interface Batch {
  readonly events: StoredEvent[]
  readonly cursors: { readonly workspaceId: string; readonly sequence: number }[]
}

class Exporter {
  readonly #options: ExporterOptions
  readonly #timings: ExporterTimings
  readonly #dispatcher: Dispatcher
  readonly #delivery: Delivery
  readonly #stop = new AbortController()
  /** Aborts work in progress when the lease is lost. */
  #work = new AbortController()
  #heldUntil = -Infinity
  #renewing: Promise<void> | undefined
  /** Workspaces up to this one have had their turn. */
  #turn = ''
  #oldestAt: number | undefined
  #lossesAt = -Infinity
  #failures = 0

  constructor(options: ExporterOptions) {
    const { config, vocabularies, genAi, metrics, log, timings = exporterTimings } = options
    this.#options = options
    this.#timings = timings
    this.#dispatcher = createDispatcher(config)
    this.#delivery = new Delivery({
      sender: createSender(config, this.#dispatcher),
      rules: { resource: resourceOf('sluice'), vocabularies, genAi },
      backoff: timings.backoff,
      metrics,
      log
    })
    metrics.onScrape(() => {
      metrics.set('otlpActive', this.#isHolder ? 1 : 0)
      metrics.set('otlpLag', this.#oldestAt === undefined ? 0 : Math.max(0, Date.now() - this.#oldestAt) / 1000)
    })
  }

  get #isHolder(): boolean {
    return performance.now() < this.#heldUntil
  }

  async run(): Promise<void> {
    const { leaseMs, idleMs, backoff } = this.#timings
    const renewal = setInterval(() => void this.#renew(), leaseMs / 3)
    while (!this.#stop.signal.aborted) {
      try {
        if (!this.#isHolder) await this.#renew()
        const worked = this.#isHolder && (await this.#sendBatch())
        this.#failures = 0
        // Waiting for the lease, an instance need not ask more often than the holder renews it.
        const pauseMs = this.#isHolder ? idleMs : Math.max(idleMs, leaseMs / 3)
        if (!worked) await this.#pause(pauseMs * (0.5 + Math.random() / 2))
      } catch (error) {
        this.#complain(error)
        await this.#pause(fullJitterMs(this.#failures++, backoff, Math.random))
      }
    }
    clearInterval(renewal)
  }

  async close(running: Promise<void>): Promise<void> {
    const { closeMs } = this.#timings
    this.#stop.abort()
    // If the collector does not accept the current batch, waiting for it would delay the shutdown in vain.
    const late = setTimeout(() => this.#work.abort(), this.#delivery.isFailing ? 0 : closeMs)
    const until = performance.now() + closeMs
    try {
      await running
      while (this.#isHolder && !this.#work.signal.aborted && performance.now() < until) {
        if (!(await this.#sendBatch())) break
      }
      await this.#renewing
      await this.#options.store.dropLease(name)
    } catch {
      // The store is unreachable; the lease expires by itself, and the cursor is unchanged.
    }
    clearTimeout(late)
    await this.#dispatcher.destroy()
  }

  /**
   * Renews the lease, even while a batch waits for its answer. If the store does not answer in time, the lease is lost.
   */
  #renew(): Promise<void> {
    return (this.#renewing ??= this.#takeLease().finally(() => (this.#renewing = undefined)))
  }

  async #takeLease(): Promise<void> {
    const { store } = this.#options
    const { leaseMs } = this.#timings
    const asked = performance.now()
    const now = Date.now()
    try {
      const isHeld = await store.takeLease({ name, now, expiresAt: now + leaseMs })
      if (!isHeld) return this.#lose()
      this.#heldUntil = asked + leaseMs
      // Here and not with a batch, which a dead collector can delay indefinitely.
      await this.#tellLosses()
    } catch (error) {
      if (!this.#isHolder) this.#lose()
      this.#complain(error)
    }
  }

  #lose(): void {
    this.#heldUntil = -Infinity
    this.#oldestAt = undefined
    this.#work.abort()
    this.#work = new AbortController()
  }

  /** @returns whether there was anything to send or to record */
  async #sendBatch(): Promise<boolean> {
    const batch = await this.#nextBatch()
    if (batch.cursors.length === 0) {
      this.#oldestAt = undefined
      return false
    }
    if (batch.events.length > 0) {
      this.#oldestAt = batch.events.reduce((oldest, { receivedAt }) => Math.min(oldest, receivedAt), Infinity)
      if (!(await this.#delivery.deliver(batch.events, this.#work.signal))) return false
    }
    await this.#options.store.moveExportCursors({ name, cursors: batch.cursors })
    return true
  }

  /** Workspaces take turns, so that none waits for the backlog of another. */
  async #nextBatch(): Promise<Batch> {
    const { store, config } = this.#options
    const batch: Batch = { events: [], cursors: [] }
    const look = (after: string) => store.exportsPending({ name, limit: workspacesPerLook, after })
    let pending = await look(this.#turn)
    if (pending.length === 0 && this.#turn !== '') pending = await look((this.#turn = ''))
    // From here on, events of a workspace that retention drops before they were sent are counted.
    const unknown = pending.filter(({ sequence }) => sequence === 0)
    await store.moveExportCursors({ name, cursors: unknown.map(({ workspaceId }) => ({ workspaceId, sequence: 0 })) })
    for (const { workspaceId, sequence, end } of pending) {
      const limit = config.batchMax - batch.events.length
      const events = await store.eventsAfter({ workspaceId, sequence, limit })
      batch.events.push(...events)
      const last = events.at(-1)?.sequence ?? sequence
      // If fewer events came than requested, there are none up to the end that was known before.
      batch.cursors.push({ workspaceId, sequence: events.length < limit ? Math.max(last, end) : last })
      this.#turn = workspaceId
      if (batch.events.length >= config.batchMax) return batch
    }
    this.#turn = pending.length < workspacesPerLook ? '' : this.#turn
    return batch
  }

  async #tellLosses(): Promise<void> {
    if (performance.now() - this.#lossesAt < this.#timings.lossesMs) return
    const { store, metrics, log } = this.#options
    for (const { workspaceId, rows } of await store.takeExportLosses(name)) {
      metrics.add('otlpDropped', rows, { reason: 'expired' })
      log.error({ workspaceId, rows }, 'retention dropped events before they were sent to the collector')
    }
    this.#lossesAt = performance.now()
  }

  #complain(error: unknown): void {
    if (this.#failures > 0 || this.#stop.signal.aborted) return
    const code = error instanceof StoreError ? error.code : errorName(error)
    this.#options.log.error({ code }, 'events could not be read or marked for the collector; this will be tried again')
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined)
  }
}

const connectTimeoutMs = 10_000

function createDispatcher({ timeoutMs }: EventsOtlpConfig): Dispatcher {
  return createAgent(process.env, { connections: 1, connect: { timeout: Math.min(timeoutMs, connectTimeoutMs) } })
}
