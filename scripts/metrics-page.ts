/** The page of metrics, from their table. */
import { metricTable, type Metric } from '../src/telemetry/metric-table.ts'
import { alertRules } from './alert-rules.ts'
import { row } from './markdown.ts'

/** Markdown without the notice that it is generated. */
export function metricsPage(): string {
  const rows = Object.values<Metric>(metricTable).map(({ name, type, labels, help }) =>
    row([`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help])
  )
  return `# Metrics

\`GET /metrics\` serves the metrics of one instance in the Prometheus text format; \`SERVICE_METRICS=false\` turns it off.

- **Access**: the endpoint needs no token, so protect it like the port, for example with a reverse proxy that passes only \`/api\`.
- **Cardinality**: no label contains a token, a request, a model or a tool.
- **Process metrics**: the usual Node.js metrics (\`process_*\`, \`nodejs_*\`) are included, with the names that Node.js dashboards expect. Three of
  them (\`nodejs_active_handles_total\` and the like) are gauges despite their names, and promtool complains about it.

[Alerts](#what-to-watch) are at the end of this page.

${row(['Metric', 'Type', 'Labels', 'Meaning'])}
${row(['---', '---', '---', '---'])}
${rows.join('\n')}

## What to watch

[deploy/prometheus/alerts.yaml](../deploy/prometheus/alerts.yaml) contains these alerts as rules; list it under \`rule_files\`.

${row(['alert', 'expression', 'for'])}
${row(['---', '---', '---'])}
${alertRules.map(({ summary, expr, for: holds }) => row([summary, `\`${expr}\``, holds])).join('\n')}
`
}
