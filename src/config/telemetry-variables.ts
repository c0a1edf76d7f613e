/**
 * The part of the table of variables about OpenTelemetry. What is exported at all is determined by the standard
 * variables, which `otel.ts` reads.
 */
import { passedContexts } from '../protocol/trace-context.ts'

/** The protocol to the collector; the names are those of the standard `OTEL_EXPORTER_OTLP_PROTOCOL`. */
export const otlpProtocols = ['http/protobuf', 'http/json'] as const

const section = 'Telemetry'

export const telemetryVariables = {
  SERVICE_UPSTREAM_TRACE_CONTEXT: {
    type: 'enum',
    values: passedContexts,
    default: 'traceparent',
    section,
    description:
      'How much of a call’s trace context the upstream receives. `traceparent`: random numbers that continue the client’s trace. `full`: also the `tracestate` of the client’s tracing systems. `off`: nothing.'
  },
  SERVICE_OTEL_GENAI: {
    type: 'switch',
    default: 'true',
    section,
    description:
      'Whether spans, log records and metrics carry OpenTelemetry’s GenAI attributes. The standard `OTEL_*` variables decide what is exported at all; see `docs/opentelemetry.md`.'
  },
  SERVICE_EVENTS_OTLP_ENDPOINT: {
    type: 'url',
    default: '',
    section,
    description:
      'Base address of an OTLP collector that receives every workspace event as a log record. `/v1/logs` is appended unless the address ends with it. If unset, no events are sent.'
  },
  SERVICE_EVENTS_OTLP_HEADERS: {
    type: 'secret',
    format: 'headers',
    section,
    description: 'Headers for that collector: `name=value`, comma-separated, values percent-encoded.'
  },
  SERVICE_EVENTS_OTLP_PROTOCOL: {
    type: 'enum',
    values: otlpProtocols,
    default: 'http/protobuf',
    section,
    description: 'Encoding of the events for that collector.'
  },
  SERVICE_EVENTS_OTLP_BATCH_MAX: {
    type: 'integer',
    min: 1,
    max: 1000,
    default: 500,
    section,
    description: 'Most events in one request to that collector.'
  },
  SERVICE_EVENTS_OTLP_TIMEOUT_MS: {
    type: 'integer',
    unit: 'ms',
    min: 1,
    max: 600_000,
    default: 10_000,
    section,
    description: 'How long that collector may take to answer. A request that takes longer is sent again.'
  }
} as const
