/** The page about OpenTelemetry: labels, metrics and variables from their tables, and how to use them. */
import { listVariables } from '../src/config/describe-variables.ts'
import { labelNames } from '../src/protocol/otel-labels.ts'
import { otelMetrics } from '../src/telemetry/otel/instruments.ts'
import { row } from './markdown.ts'

const labelMeanings: Readonly<Record<keyof typeof labelNames, string>> = {
  action: '`mask`, `block`, `allow`; absent where a call ended before there was a decision',
  clientSurface: 'the agent or tool',
  modelProvider: 'the vendor of the model',
  entitiesMasked: 'an integer',
  requestId: 'UUID, the `x-request-id` of the answer; not on metrics'
}

const labelRows = (): string[] =>
  Object.entries(labelNames).map(([key, name]) => row([`\`${name}\``, labelMeanings[key as keyof typeof labelNames]]))

const metricRows = (): string[] =>
  Object.values(otelMetrics).map(({ name, type, unit, description }) =>
    row([`\`${name}\``, type, `\`${unit}\``, description])
  )

const variableRows = (): string[] =>
  listVariables()
    .filter(({ section }) => section === 'Telemetry')
    .map(({ name, default: value, description, fileForm }) =>
      row([`\`${name}\`${fileForm ? ` or \`${fileForm}\`` : ''}`, value === '' ? '' : `\`${value}\``, description])
    )

/** Markdown without the notice that it is generated. */
export function openTelemetryPage(): string {
  return `# OpenTelemetry

Two things, each on its own: telemetry of every call as it happens (spans, log records, metrics), and every workspace event
sent on to a collector, at least once. Neither ever carries a text of a prompt or an answer.

## Spans, log records and metrics

The service and the sidecar export where a standard variable says so; otherwise nothing of the SDK is loaded.

\`\`\`sh
OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start
\`\`\`

| read | meaning |
|---|---|
| \`OTEL_EXPORTER_OTLP_ENDPOINT\`, \`OTEL_EXPORTER_OTLP_{TRACES,METRICS,LOGS}_ENDPOINT\` | where to; setting one turns its signals on |
| \`OTEL_{TRACES,METRICS,LOGS}_EXPORTER\` | \`otlp\`, \`console\`, \`none\` |
| \`OTEL_EXPORTER_OTLP_PROTOCOL\` (and by signal) | \`http/protobuf\`, \`http/json\`; gRPC is not served |
| \`OTEL_EXPORTER_OTLP_{HEADERS,TIMEOUT,COMPRESSION,CERTIFICATE,CLIENT_KEY,CLIENT_CERTIFICATE}\` (and by signal) | as in the standard |
| \`OTEL_SERVICE_NAME\`, \`OTEL_RESOURCE_ATTRIBUTES\` | the resource; \`service.name\` is \`sluice\` or \`sluice-sidecar\` by default |
| \`OTEL_TRACES_SAMPLER\`, \`OTEL_TRACES_SAMPLER_ARG\` | \`always_on\`, \`always_off\`, \`traceidratio\`, alone or behind \`parentbased_\` |
| \`OTEL_BSP_*\`, \`OTEL_BLRP_*\`, \`OTEL_METRIC_EXPORT_{INTERVAL,TIMEOUT}\` | bounds of queues, and how often metrics go |
| \`OTEL_SDK_DISABLED\` | \`true\` turns all of it off |

A value that is not understood is warned about and ignored. A collector that is slow or away costs a call nothing: spans and
log records beyond the bound of the queue are dropped.

A call is a server span (\`POST /v1/chat/completions\`); the call to the upstream is a client span below it (\`chat gpt-5\`), with
the GenAI attributes: operation, provider, models of request and answer, tokens. A sidecar's client span goes to the service
and has none of these, so that nothing is counted twice. Log records: \`service.ingress.call\`, one a call.

### Labels

On every span and log record of a call, by these names:

${row(['Label', 'Values'])}
${row(['---', '---'])}
${labelRows().join('\n')}

Runtimes that export by themselves get the same from \`labelsFor(decision)\` and \`metricLabelsFor(decision)\` of \`sluice/sensor\`.

### Metrics

All carry the labels but the request id. \`service.entities.masked\` is a number, so each value is a series of its own: the SDK
keeps 2000 series a metric, and a collector can drop the label. Prometheus has [numbers of its own](metrics.md).

${row(['Metric', 'Type', 'Unit', 'Meaning'])}
${row(['---', '---', '---', '---'])}
${metricRows().join('\n')}

### One trace from the client to the vendor

\`traceparent\` and \`tracestate\` of a client are continued: client, sidecar, service, upstream. What is malformed is dropped.
Without an SDK the client's own \`traceparent\` goes on as it came. A vendor is told \`traceparent\` alone unless
\`SERVICE_UPSTREAM_TRACE_CONTEXT\` says otherwise; \`tracestate\` may hold what the client's tracing systems know of a user. A
\`tracestate\` in which the scanner finds anything goes nowhere.

### Finding the record of a call

The trace id stands as \`traceId\` in the metadata of the event and in the detail of the audit row, and as \`trace_id\` (with \`span_id\`) in
the log lines of the call. The request id joins all of them: take \`service.request.id\` from the span.

\`\`\`sh
curl "$SLUICE_URL/api/events?requestId=$ID" -H "x-service-workspace-token: $SLUICE_TOKEN"
curl "$SLUICE_URL/api/audit?requestId=$ID" -H "x-service-workspace-token: $SLUICE_TOKEN"
\`\`\`

## Every event to a collector

For a fleet whose events are more than one database should keep: a short retention here, and all of them where you already
keep such things.

\`\`\`sh
SERVICE_EVENTS_OTLP_ENDPOINT=https://collector.example:4318 SERVICE_EVENTS_OTLP_HEADERS_FILE=/run/secrets/otlp-headers npm start
\`\`\`

An event is a log record: its kind is the event name, its time the time of the event, its metadata the body, and its attributes
are the labels, \`service.event.{id,kind,origin,sequence}\`, \`service.workspace.id\`, \`service.token.id\` and
\`service.policy.revision\`; a model call has the GenAI attributes as well. It carries the trace id where the event does.

- **At least once.** How far it came stands in the database and moves when the collector has answered. A killed process
  sends its last batch again: \`service.event.id\` tells the copies.
- **In order** within a workspace. The first time, it begins with the oldest event that is kept.
- **A slow collector slows only this.** Events wait in the database, not in memory. What retention drops before it was sent is
  counted and logged: keep events longer than your longest outage.
- **Several instances** on one database send once: one holds a lease; another takes over within 15 s when it dies.
- **Answers.** 429, 5xx and silence: the same again, with jitter and \`Retry-After\`. 400 and 422: the batch is taken apart until
  the one bad event is left, which is dropped, counted and logged. 413: in parts. Any other status (401, 403, 404, ...) is a
  matter of settings: it is logged as an error, and nothing is lost while somebody mends it.

Watch \`sluice_events_otlp_dropped_total\` (any increase is a loss), \`sluice_events_otlp_failures_total\` and
\`sluice_events_otlp_lag_seconds\`; see [metrics.md](metrics.md).

### A collector that writes to ClickHouse and Kafka

\`\`\`yaml
extensions:
  file_storage:
    directory: /var/lib/otelcol
receivers:
  otlp:
    protocols:
      http:
        endpoint: 0.0.0.0:4318
exporters:
  clickhouse:
    endpoint: tcp://clickhouse:9000
    database: otel
    logs_table_name: sluice_events
    sending_queue:
      storage: file_storage
      batch:
        min_size: 5000
        flush_timeout: 5s
  kafka:
    brokers: ["kafka:9092"]
    logs:
      topic: sluice-events
      encoding: otlp_json
    sending_queue:
      storage: file_storage
service:
  extensions: [file_storage]
  pipelines:
    logs:
      receivers: [otlp]
      exporters: [clickhouse, kafka]
\`\`\`

The queues are on disk because a collector answers before it has delivered: without \`storage\`, what it held is lost with it.

\`\`\`sql
SELECT Timestamp, TraceId, LogAttributes['service.event.kind'] AS kind, JSONExtractString(Body, 'outcome') AS outcome
FROM otel.sluice_events
WHERE LogAttributes['service.request.id'] = '0b8f7a52-3c1d-4e5f-9a6b-7c8d9e0f1a2b'
LIMIT 1 BY LogAttributes['service.event.id']
\`\`\`

## Variables

${row(['Variable', 'Default', 'Meaning'])}
${row(['---', '---', '---'])}
${variableRows().join('\n')}
`
}
