/** The page about OpenTelemetry: labels, metrics and variables from their tables, and how to use them. */
import { listVariables } from '../src/config/describe-variables.ts'
import { labelNames } from '../src/protocol/otel-labels.ts'
import { otelMetrics } from '../src/telemetry/otel/instruments.ts'
import { row } from './markdown.ts'

const labelMeanings: Readonly<Record<keyof typeof labelNames, string>> = {
  action: '`mask`, `block`, `allow`; absent if a call ended before there was a decision',
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

Sluice offers two exports, which you can use independently:

- [spans, log records and metrics](#spans-log-records-and-metrics) of every call, as it happens;
- [every workspace event](#every-event-to-a-collector) to a collector, at least once.

Neither ever contains text of a prompt or an answer.

## Spans, log records and metrics

The service and the sidecar export if a standard variable says so. Otherwise no part of the SDK is loaded.

\`\`\`sh
OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start
\`\`\`

| variable | meaning |
|---|---|
| \`OTEL_EXPORTER_OTLP_ENDPOINT\`, \`OTEL_EXPORTER_OTLP_{TRACES,METRICS,LOGS}_ENDPOINT\` | address of the collector; setting one turns its signals on |
| \`OTEL_{TRACES,METRICS,LOGS}_EXPORTER\` | \`otlp\`, \`console\`, \`none\` |
| \`OTEL_EXPORTER_OTLP_PROTOCOL\` (and by signal) | \`http/protobuf\`, \`http/json\`; gRPC is not supported |
| \`OTEL_EXPORTER_OTLP_{HEADERS,TIMEOUT,COMPRESSION,CERTIFICATE,CLIENT_KEY,CLIENT_CERTIFICATE}\` (and by signal) | as in the standard |
| \`OTEL_SERVICE_NAME\`, \`OTEL_RESOURCE_ATTRIBUTES\` | the resource; \`service.name\` is \`sluice\` or \`sluice-sidecar\` by default |
| \`OTEL_TRACES_SAMPLER\`, \`OTEL_TRACES_SAMPLER_ARG\` | \`always_on\`, \`always_off\`, \`traceidratio\`, alone or after \`parentbased_\` |
| \`OTEL_BSP_*\`, \`OTEL_BLRP_*\`, \`OTEL_METRIC_EXPORT_{INTERVAL,TIMEOUT}\` | queue limits, and how often metrics are exported |
| \`OTEL_SDK_DISABLED\` | \`true\` turns all of it off |

An invalid value is ignored, with a warning. A slow or unreachable collector never delays a call: spans and log records beyond the queue
limit are dropped.

A call is a server span (\`POST /v1/chat/completions\`). The call to the upstream is a client span below it (\`chat gpt-5\`), with the GenAI
attributes: operation, provider, models of request and answer, tokens. A sidecar's client span covers its call to the service and has
none of these, so that nothing is counted twice. Each call has one log record, \`service.ingress.call\`.

A tool call through the MCP proxy is a server span (\`tools/call read_file\`) and a log record, \`service.sensor.decision\`. If it was refused,
\`error.type\` is the reason code of its event; if the server failed, it is \`tool_error\` or the code of the JSON-RPC error.

### Labels

Every span and log record of a call carries these:

${row(['Label', 'Values'])}
${row(['---', '---'])}
${labelRows().join('\n')}

If your own runtime exports telemetry, \`labelsFor(decision)\` and \`metricLabelsFor(decision)\` in \`sluice/sensor\` return the same labels.

### Metrics

Metrics carry all labels except the request ID. \`service.entities.masked\` is a number, so each value is a separate series: the SDK keeps
2000 series per metric, and your collector can drop the label. For Prometheus, see [metrics.md](metrics.md).

${row(['Metric', 'Type', 'Unit', 'Meaning'])}
${row(['---', '---', '---', '---'])}
${metricRows().join('\n')}

### One trace from the client to the vendor

The client's \`traceparent\` and \`tracestate\` are continued from client to sidecar, service and upstream. Malformed ones are dropped. If no
SDK is configured, the client's \`traceparent\` is passed on unchanged. A vendor receives only \`traceparent\` unless you set
\`SERVICE_UPSTREAM_TRACE_CONTEXT\`, because \`tracestate\` may contain what the client's tracing systems know about a user. A \`tracestate\`
in which the scanner finds anything is not passed on.

### Finding the record of a call

The trace ID is \`traceId\` in the event's metadata and in the audit row's detail, and \`trace_id\` (with \`span_id\`) in the log lines of the
call. The request ID joins all of them; it is \`service.request.id\` on the span.

\`\`\`sh
curl "$SLUICE_URL/api/events?requestId=$ID" -H "x-service-workspace-token: $SLUICE_TOKEN"
curl "$SLUICE_URL/api/audit?requestId=$ID" -H "x-service-workspace-token: $SLUICE_TOKEN"
\`\`\`

## Every event to a collector

Use this if your fleet produces more events than one database should keep: set a short retention in Sluice, and send all events to your
own log storage.

\`\`\`sh
SERVICE_EVENTS_OTLP_ENDPOINT=https://collector.example:4318 SERVICE_EVENTS_OTLP_HEADERS_FILE=/run/secrets/otlp-headers npm start
\`\`\`

An event becomes a log record. Its kind is the event name, its time the time of the event, its metadata the body. Its attributes are the
labels, \`service.event.{id,kind,origin,sequence}\`, \`service.workspace.id\`, \`service.token.id\` and \`service.policy.revision\`; a model call
also has the GenAI attributes. If the event has a trace ID, the log record has it too.

- **At least once.** The position in the stream of events is stored in the database and advances only when the collector has answered. A
  killed process sends its last batch again; use \`service.event.id\` to remove duplicates.
- **In order** within a workspace. The first export starts with the oldest stored event.
- **Backpressure.** A slow collector delays only this export. Events wait in the database, not in memory. Events that retention drops before
  they are sent are counted and logged: keep events longer than your longest outage.
- **Several instances** on one database send each event once: one instance holds a lease, and another takes over within 15 s if it dies.
- **Errors.** On 429, 5xx or no answer, the same batch is sent again, with jitter and \`Retry-After\`. On 400 and 422, the batch is split
  until the one bad event is left, which is dropped, counted and logged. On 413, the batch is split. Any other status (401, 403, 404, ...)
  is a configuration problem: it is logged as an error, and nothing is lost until you correct it, within the retention.

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

The queues must be on disk, because a collector answers before it has delivered: without \`storage\`, whatever it holds is lost if it stops.

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
