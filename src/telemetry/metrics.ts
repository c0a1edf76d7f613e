/**
 * The metrics of a service for a Prometheus scraper. Everything here is plain functions on memory: nothing waits or
 * throws, and what costs more than a lookup happens during a scrape.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Tier } from '../detection/findings.ts'
import {
  metricTable,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  type Metric
} from './metric-table.ts'
import type { CallRecord } from './report.ts'

/** Metrics without labels take no argument for them. */
type Labels<Name extends CounterName | GaugeName> = [keyof LabelsOf<Name>] extends [never] ? [] : [LabelsOf<Name>]

export interface Metrics {
  /** Counts one model call. */
  ingressCall(record: CallRecord): void
  add<Name extends CounterName>(name: Name, count: number, ...labels: Labels<Name>): void
  /** Raises a counter without labels to a total that is counted elsewhere. */
  raiseTo(name: CounterName, total: number): void
  set<Name extends GaugeName>(name: Name, value: number, ...labels: Labels<Name>): void
  /** Clears the values of a gauge whose label values come and go. */
  clear(name: GaugeName): void
  /** Calls `gather` before each scrape, to set values that are only worth computing then. Its errors are dropped. */
  onScrape(gather: () => void | Promise<void>): void
  /** All metrics, in the format named by {@link Metrics.contentType}. */
  render(): Promise<string>
  readonly contentType: string
}

/** Process metrics exist once, however many services run in the process; created on first use. */
let ofProcess: Registry | undefined

function processRegistry(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

/**
 * Creates the metrics of a service.
 * @param tierOf risk tier of an entity kind; undefined if the kind is unknown
 */
export function createMetrics(tierOf: (kind: string) => Tier | undefined): Metrics {
  const registry = new Registry()
  const { counters, gauges, histograms } = register(registry)
  const totals = new Map<CounterName, number>()
  const gatherers: (() => void | Promise<void>)[] = []

  const metrics: Metrics = {
    ingressCall(record) {
      const { dialect, outcome, clientSurface: surface, modelProvider: provider, action = 'none' } = record
      counters.calls.inc({ outcome, action, dialect, surface, provider })
      if (action === 'mask') {
        for (const [kind, count] of Object.entries(record.entityCounts)) {
          counters.entitiesMasked.inc({ tier: tierOf(kind) ?? 'unknown' }, count)
        }
      }
      if (record.unknownBlocks) counters.unknownBlocks.inc({ dialect }, record.unknownBlocks)
      if (record.knownBytes) counters.knownBytes.inc({ dialect }, record.knownBytes)
      if (record.scanMs !== undefined) histograms.added.observe({ dialect }, record.scanMs / 1000)
      if (record.upstreamMs !== undefined) histograms.upstream.observe({ dialect }, record.upstreamMs / 1000)
    },
    add: (name, count, ...[labels]) => counters[name].inc(labels ?? {}, count),
    raiseTo(name, total) {
      counters[name].inc(Math.max(0, total - (totals.get(name) ?? 0)))
      totals.set(name, total)
    },
    set: (name, value, ...[labels]) => gauges[name].set(labels ?? {}, value),
    clear: (name) => gauges[name].reset(),
    onScrape: (gather) => void gatherers.push(gather),
    async render() {
      await Promise.all(gatherers.map(quietly))
      return `${await registry.metrics()}${await processRegistry().metrics()}`
    },
    contentType: registry.contentType
  }
  processRegistry()
  return metrics
}

/** A failing source must not hide the metrics of the others. */
async function quietly(gather: () => void | Promise<void>): Promise<void> {
  try {
    await gather()
  } catch {
    // Its metrics keep their values from the last scrape.
  }
}

interface Registered {
  readonly counters: Readonly<Record<CounterName, Counter>>
  readonly gauges: Readonly<Record<GaugeName, Gauge>>
  readonly histograms: Readonly<Record<HistogramName, Histogram>>
}

function register(registry: Registry): Registered {
  const made: Record<'counter' | 'gauge' | 'histogram', Record<string, unknown>> = {
    counter: {},
    gauge: {},
    histogram: {}
  }
  for (const [key, metric] of Object.entries<Metric>(metricTable)) {
    const { name, help, labels: labelNames } = metric
    const options = { name, help, labelNames, registers: [registry] }
    if (metric.type === 'histogram') made.histogram[key] = new Histogram({ ...options, buckets: [...metric.buckets] })
    else made[metric.type][key] = metric.type === 'counter' ? new Counter(options) : new Gauge(options)
  }
  const { counter: counters, gauge: gauges, histogram: histograms } = made
  return { counters, gauges, histograms } as unknown as Registered
}
