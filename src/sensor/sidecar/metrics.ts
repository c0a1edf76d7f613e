/** `/metrics` of a sidecar: a few series in Prometheus' text format, whose number does not depend on the traffic. */
import type { SubscriberStatus } from '../../policy-stream/subscriber.ts'
import { policyStates } from '../../protocol/events/event-schema.ts'
import type { CallOutcome, CallRecord } from '../../telemetry/report.ts'
import type { ReporterStats } from '../spool/reporter.ts'

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

const outcomes: readonly CallOutcome[] = ['forwarded', 'blocked', 'refused', 'upstream_failed', 'abandoned']

export interface MetricsFacts {
  readonly version: string
  readonly state: (typeof policyStates)[number]
  readonly ageMs: SubscriberStatus['ageMs']
  readonly events: Pick<ReporterStats, 'onDisk' | 'inMemory' | 'delivered' | 'lost' | 'rejected'>
  readonly heldBytes: number
}

export class SidecarMetrics {
  readonly #calls = new Map<CallOutcome, number>(outcomes.map((outcome) => [outcome, 0]))
  #entitiesMasked = 0

  count({ outcome, entitiesMasked }: Pick<CallRecord, 'outcome' | 'entitiesMasked'>): void {
    this.#calls.set(outcome, (this.#calls.get(outcome) ?? 0) + 1)
    this.#entitiesMasked += entitiesMasked
  }

  /** The page for a scraper. */
  page({ version, state, ageMs, events, heldBytes }: MetricsFacts): string {
    const { onDisk, inMemory, delivered, lost, rejected } = events
    const calls = [...this.#calls].map(([outcome, value]) => [`{outcome="${outcome}"}`, value] as const)
    const states = policyStates.map((one) => [`{state="${one}"}`, Number(one === state)] as const)
    return [
      family('sluice_build_info', 'gauge', 'Version of the program.', [[`{version="${version}"}`, 1]]),
      family('sluice_sidecar_calls_total', 'counter', 'Model calls by how they ended.', calls),
      single('sluice_sidecar_entities_masked_total', 'counter', 'Entities masked here.', this.#entitiesMasked),
      family('sluice_sidecar_policy_state', 'gauge', '1 for how the sidecar stands to the policy.', states),
      ageMs === undefined
        ? ''
        : single('sluice_sidecar_policy_age_seconds', 'gauge', 'Since the policy was confirmed.', ageMs / 1000),
      single('sluice_sidecar_events_waiting', 'gauge', 'Events that the service has not taken yet.', onDisk + inMemory),
      single('sluice_sidecar_events_delivered_total', 'counter', 'Events that the service has.', delivered),
      single('sluice_sidecar_events_dropped_total', 'counter', 'Events that were given up.', lost + rejected),
      single('sluice_sidecar_held_bytes', 'gauge', 'Bytes of request bodies held in memory.', heldBytes),
      single('process_resident_memory_bytes', 'gauge', 'Resident memory.', process.memoryUsage.rss())
    ].join('')
  }
}

type Sample = readonly [labels: string, value: number]

const single = (name: string, type: string, help: string, value: number): string =>
  family(name, type, help, [['', value]])

const family = (name: string, type: string, help: string, samples: readonly Sample[]): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map(([labels, value]) => `${name}${labels} ${value}`)]
    .map((line) => `${line}\n`)
    .join('')
