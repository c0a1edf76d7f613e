/**
 * The table of metrics; `docs/metrics.md` is derived from it. The values of a label come from a limited list of our
 * own: a token, request, model or tool is never a label.
 */
import { addedMsBounds } from '../store/store.ts'

interface Described {
  /** As a scraper sees it; units last, counters end in `_total`. */
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

export type Metric =
  | (Described & { readonly type: 'counter' | 'gauge' })
  | (Described & { readonly type: 'histogram'; readonly buckets: readonly number[] })

const counter = <const Labels extends readonly string[]>(name: string, help: string, labels: Labels) =>
  ({ type: 'counter', name, help, labels }) as const

const gauge = <const Labels extends readonly string[]>(name: string, help: string, labels: Labels) =>
  ({ type: 'gauge', name, help, labels }) as const

const seconds = <const Labels extends readonly string[]>(
  name: string,
  help: string,
  labels: Labels,
  buckets: readonly number[]
) => ({ type: 'histogram', name, help, labels, buckets }) as const

export const metricTable = {
  calls: counter(
    'sluice_ingress_calls_total',
    'Authenticated model calls by how they ended. `action` is the decision of the scan, `none` if there was none.',
    ['outcome', 'action', 'dialect', 'surface', 'provider']
  ),
  entitiesMasked: counter('sluice_ingress_entities_masked_total', 'Entities masked in model calls, by risk tier.', [
    'tier'
  ]),
  unknownBlocks: counter(
    'sluice_ingress_unknown_blocks_total',
    'Content blocks and items of a type unknown to this version. They are scanned as text.',
    ['dialect']
  ),
  knownBytes: counter(
    'sluice_ingress_known_bytes_total',
    'Bytes of model calls that were not scanned again, because an earlier call of the same token found nothing to act on in them.',
    ['dialect']
  ),

  added: seconds(
    'sluice_ingress_added_seconds',
    'Time that scanning and masking added to a model call.',
    ['dialect'],
    addedMsBounds.map((ms) => ms / 1000)
  ),
  upstream: seconds(
    'sluice_ingress_upstream_seconds',
    'Time from sending a model call to the headers of the upstream’s answer.',
    ['dialect'],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
  ),
  bytesInFlight: gauge('sluice_ingress_held_bytes', 'Bytes of request bodies held in memory.', []),
  inFlight: gauge('sluice_requests_in_flight', 'Requests in flight, not counting streams.', []),
  streams: gauge('sluice_streams_open', 'Open streams: `policy` to sensors, `tail` of events.', ['kind']),
  signIns: counter(
    'sluice_sign_ins_total',
    'Sign-in attempts, by `password` or `provider`, and their outcome: `signed_in`, an error code, or what the sign-in page says about a provider (`oidc_refused`, `oidc_no_role`, `oidc_expired`, `oidc_unreachable`, ...).',
    ['method', 'outcome']
  ),
  events: counter('sluice_events_total', 'Events received from sensors, by outcome.', ['outcome']),
  recorded: counter('sluice_recording_records_total', 'Records of calls and events written to disk.', []),
  duplicates: counter('sluice_recording_duplicates_total', 'Events that were already on disk.', []),
  queued: gauge('sluice_recording_queue_records', 'Records waiting to be written.', []),
  queueMax: gauge('sluice_recording_queue_max_records', 'Size of that queue; records beyond it become a gap.', []),
  commitFailures: counter('sluice_recording_failures_total', 'Commits that failed.', []),
  recordingFailing: gauge('sluice_recording_failing', '1 while nothing can be recorded, otherwise 0.', []),
  gaps: counter('sluice_recording_gaps_total', 'Lost records that are noted as a gap in the audit.', []),
  gapsPending: gauge('sluice_recording_gaps_pending', 'Lost records that are not yet noted in the audit.', []),
  unrecordable: counter('sluice_recording_unrecordable_total', 'Lost records that are not even noted as a gap.', []),
  storeBytes: gauge('sluice_store_bytes', 'Size of the database, as of the last maintenance.', []),
  storeBytesMax: gauge('sluice_store_max_bytes', 'Cap on that size (`SERVICE_STORE_BYTES_MAX`); 0 for none.', []),
  storeFill: gauge('sluice_store_fill_ratio', 'Size of the database divided by its cap; 0 without a cap.', []),
  storeFull: gauge(
    'sluice_store_full',
    '1 while the database is over its cap and events from sensors are refused, otherwise 0.',
    []
  ),
  oldestEventDay: gauge(
    'sluice_store_oldest_event_day_timestamp_seconds',
    'Start of the oldest day of raw events.',
    []
  ),
  expired: counter('sluice_store_expired_rows_total', 'Rows that retention dropped through this instance.', [
    'records'
  ]),
  maintained: gauge('sluice_maintenance_last_success_timestamp_seconds', 'When maintenance last succeeded.', []),
  maintenanceFailures: counter('sluice_maintenance_failures_total', 'Runs of maintenance that failed.', []),
  sealed: gauge('sluice_audit_last_seal_timestamp_seconds', 'When the audit of all workspaces was last sealed.', []),
  roots: counter('sluice_audit_roots_total', 'Roots that this instance signed.', []),
  sealFailures: counter('sluice_audit_seal_failures_total', 'Attempts to seal that failed.', []),
  unsealed: gauge(
    'sluice_audit_unsealed_seconds',
    'Age of the oldest audit row that is in no root, if it is over an hour, otherwise 0.',
    []
  ),
  rootsMissing: gauge('sluice_audit_roots_missing', 'Sealed roots that are missing, as of the last round.', []),
  writersLost: counter('sluice_audit_writers_lost_total', 'Audit writers that this instance found dead.', []),
  otlpSent: counter('sluice_events_otlp_sent_total', 'Events that the collector accepted.', []),
  otlpDropped: counter(
    'sluice_events_otlp_dropped_total',
    'Events that will never reach the collector: `rejected` by it as bad data, or `expired` by retention before they were sent. Anything but 0 is a loss.',
    ['reason']
  ),
  otlpFailures: counter(
    'sluice_events_otlp_failures_total',
    'Requests that the collector did not accept: `later` are sent again soon, `refused` wait until its address, headers or settings are corrected, `bad_data` and `too_large` are sent again in parts.',
    ['kind']
  ),
  otlpLag: gauge(
    'sluice_events_otlp_lag_seconds',
    'Age of the oldest event that is being sent; 0 if none is waiting.',
    []
  ),
  otlpActive: gauge(
    'sluice_events_otlp_active',
    '1 in the instance that sends events to the collector, otherwise 0.',
    []
  ),
  tlsExpires: gauge(
    'sluice_tls_certificate_expires_timestamp_seconds',
    'When the certificate of `SERVICE_TLS_CERT_FILE` expires; 0 if there is none.',
    []
  ),
  workspaces: gauge('sluice_workspaces', 'Workspaces of the installation.', []),
  policySequence: gauge('sluice_policy_sequence', 'Sequence of the current policy, of the first 20 workspaces by ID.', [
    'workspace'
  ]),
  policySoftenings: gauge(
    'sluice_policy_softenings',
    'Settings that let more pass than the defaults in these policies, `SERVICE_INGRESS_BLOCK_HIGH_RISK` included.',
    ['workspace']
  ),
  build: gauge('sluice_build_info', 'Always 1; the version is in the label.', ['version'])
} as const satisfies Record<string, Metric>

type MetricTable = typeof metricTable

type NamesOf<Type extends Metric['type']> = {
  [Name in keyof MetricTable]: MetricTable[Name]['type'] extends Type ? Name : never
}[keyof MetricTable]

export type CounterName = NamesOf<'counter'>
export type GaugeName = NamesOf<'gauge'>
export type HistogramName = NamesOf<'histogram'>

/** The labels of a metric. */
export type LabelsOf<Name extends keyof MetricTable> = Readonly<Record<MetricTable[Name]['labels'][number], string>>
