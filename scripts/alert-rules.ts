/** Alerts: the table in docs/metrics.md, and the same as a Prometheus rule file. */
import { stringify } from 'yaml'

interface AlertRule {
  readonly alert: string
  /** What happened, in a few words. */
  readonly summary: string
  readonly expr: string
  /** How long the condition must hold. Losses are reported at once. */
  readonly for: string
  readonly severity: 'critical' | 'warning'
}

export const alertRulesPath = 'deploy/prometheus/alerts.yaml'

export const alertRules: readonly AlertRule[] = [
  {
    alert: 'SluiceRecordsLost',
    summary: 'records are being lost',
    expr: 'increase(sluice_recording_gaps_total[10m]) + increase(sluice_recording_unrecordable_total[10m]) > 0',
    for: '0m',
    severity: 'critical'
  },
  {
    alert: 'SluiceRecordingFails',
    summary: 'nothing can be recorded',
    expr: 'sluice_recording_failing == 1',
    for: '1m',
    severity: 'critical'
  },
  {
    alert: 'SluiceStoreNearlyFull',
    summary: 'the store is nearly full',
    expr: 'sluice_store_fill_ratio > 0.9 or sluice_store_full == 1',
    for: '10m',
    severity: 'warning'
  },
  {
    alert: 'SluiceRetentionStopped',
    summary: 'retention does not run',
    expr: 'time() - sluice_maintenance_last_success_timestamp_seconds > 3600',
    for: '10m',
    severity: 'warning'
  },
  {
    alert: 'SluiceAuditNotSealed',
    summary: 'the audit is not sealed',
    expr: 'time() - sluice_audit_last_seal_timestamp_seconds > 300',
    for: '5m',
    severity: 'critical'
  },
  {
    alert: 'SluiceInstanceDied',
    summary: 'an instance died',
    expr: 'increase(sluice_audit_writers_lost_total[10m]) > 0',
    for: '0m',
    severity: 'warning'
  },
  {
    alert: 'SluiceFilesNearlyOut',
    summary: 'an instance may soon open no more connections',
    expr: 'process_open_fds / process_max_fds > 0.9 and on (job, instance) sluice_audit_last_seal_timestamp_seconds',
    for: '2m',
    severity: 'warning'
  },
  {
    alert: 'SluiceCertificateExpires',
    summary: 'the TLS certificate expires within a week',
    expr: 'sluice_tls_certificate_expires_timestamp_seconds > 0 and sluice_tls_certificate_expires_timestamp_seconds - time() < 604800',
    for: '10m',
    severity: 'critical'
  },
  {
    alert: 'SluiceUpstreamFails',
    summary: 'the upstream fails',
    expr: 'sum(rate(sluice_ingress_calls_total{outcome="upstream_failed"}[5m])) / sum(rate(sluice_ingress_calls_total[5m])) > 0.05',
    for: '5m',
    severity: 'warning'
  },
  {
    alert: 'SluiceExportLost',
    summary: 'events were lost on the way to the collector',
    expr: 'increase(sluice_events_otlp_dropped_total[10m]) > 0',
    for: '0m',
    severity: 'critical'
  },
  {
    alert: 'SluiceExportLags',
    summary: 'the collector does not keep up',
    expr: 'sluice_events_otlp_lag_seconds > 300',
    for: '5m',
    severity: 'warning'
  },
  {
    alert: 'SluicePolicySoftened',
    summary: 'a policy lets more pass than before',
    expr: 'delta(sluice_policy_softenings[10m]) > 0',
    for: '0m',
    severity: 'warning'
  },
  {
    alert: 'SluiceMaskingSlow',
    summary: 'masking is slow',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(sluice_ingress_added_seconds_bucket[5m]))) > 0.05',
    for: '10m',
    severity: 'warning'
  }
]

/** The rule file. */
export function alertRulesFile(): string {
  const rules = alertRules.map(({ alert, expr, for: holds, severity, summary }) => ({
    alert,
    expr,
    for: holds,
    labels: { severity },
    annotations: { summary: `Sluice: ${summary}` }
  }))
  return stringify({ groups: [{ name: 'sluice', rules }] }, { lineWidth: 0, singleQuote: true })
}
