/** The page of metrics, from their table. */
import { metricTable, type Metric } from '../src/telemetry/metric-table.ts'
import { row } from './markdown.ts'

/** Markdown without the notice that it is generated. */
export function metricsPage(): string {
  const rows = Object.values<Metric>(metricTable).map(({ name, type, labels, help }) =>
    row([`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help])
  )
  return `# Metrics

\`GET /metrics\` serves the numbers of one instance in the text format of Prometheus; \`SERVICE_METRICS=false\` turns it off.
It takes no token, so keep it from strangers as you keep the port (a reverse proxy that passes \`/api\` alone will do). No
label names a token, a request, a model or a tool. The numbers of the process that every Node.js program has
(\`process_*\`, \`nodejs_*\`) come with them.

${row(['Metric', 'Type', 'Labels', 'Meaning'])}
${row(['---', '---', '---', '---'])}
${rows.join('\n')}

## What to watch

| alert | expression |
|---|---|
| records are being lost | \`increase(sluice_recording_gaps_total[10m]) + increase(sluice_recording_unrecordable_total[10m]) > 0\` |
| nothing can be recorded | \`sluice_recording_failing == 1\` |
| the store is nearly full | \`sluice_store_fill_ratio > 0.9 or sluice_store_full == 1\` |
| retention does not run | \`time() - sluice_maintenance_last_success_timestamp_seconds > 3600\` |
| the audit is not sealed | \`time() - sluice_audit_last_seal_timestamp_seconds > 300\` |
| an instance died | \`increase(sluice_audit_writers_lost_total[10m]) > 0\` |
| the upstream fails | \`sum(rate(sluice_ingress_calls_total{outcome="upstream_failed"}[5m])) / sum(rate(sluice_ingress_calls_total[5m])) > 0.05\` |
| events were lost on the way to the collector | \`increase(sluice_events_otlp_dropped_total[10m]) > 0\` |
| the collector does not keep up | \`sluice_events_otlp_lag_seconds > 300\` |
| masking is slow | \`histogram_quantile(0.99, sum by (le) (rate(sluice_ingress_added_seconds_bucket[5m]))) > 0.05\` |
`
}
