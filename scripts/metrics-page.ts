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

\`GET /metrics\` serves the numbers of one instance in the text format of Prometheus; \`SERVICE_METRICS=false\` turns it off.
It takes no token, so keep it from strangers as you keep the port (a reverse proxy that passes \`/api\` alone will do). No
label names a token, a request, a model or a tool. The numbers of the process that every Node.js program has
(\`process_*\`, \`nodejs_*\`) come with them, by the names that dashboards for Node.js know; three of these
(\`nodejs_active_handles_total\` and its like) are gauges for all that, and promtool says so.

${row(['Metric', 'Type', 'Labels', 'Meaning'])}
${row(['---', '---', '---', '---'])}
${rows.join('\n')}

## What to watch

[deploy/prometheus/alerts.yaml](../deploy/prometheus/alerts.yaml) holds these as rules; name it under \`rule_files\`.

${row(['alert', 'expression', 'for'])}
${row(['---', '---', '---'])}
${alertRules.map(({ summary, expr, for: holds }) => row([summary, `\`${expr}\``, holds])).join('\n')}
`
}
