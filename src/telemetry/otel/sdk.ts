/**
 * The OpenTelemetry SDK, configured by the standard variables. Only this file knows the SDK, and it is loaded only if
 * something is to be exported.
 */
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  BatchLogRecordProcessor,
  ConsoleLogRecordExporter,
  LoggerProvider,
  type LogRecordExporter
} from '@opentelemetry/sdk-logs'
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter
} from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { OtelConfig, OtelSignal } from '../../config/otel.ts'
import type { Environment } from '../../config/reader.ts'
import { within } from '../../timing/within.ts'
import { createDiagLogger } from './diag-logger.ts'
import { resourceOf } from './resource.ts'
import type { TelemetryProviders } from './telemetry.ts'

/** A collector that does not answer must not delay shutdown. */
const closeTimeoutMs = 3000

interface SdkOptions {
  /** `service.name`, unless the variables set it. */
  readonly serviceName: string
  /** What the library reads endpoints and headers from. */
  readonly env: Environment
  readonly log: Logger
}

/** Starts the SDK. Registers nothing globally: only whoever gets the providers exports anything. */
export function startSdk(otel: OtelConfig, { serviceName, env, log }: SdkOptions): TelemetryProviders {
  diag.setLogger(createDiagLogger(log, env), DiagLogLevel.WARN)
  const resource = resourceOf(serviceName)
  const tracerProvider = new TracerProvider({
    resource,
    sampler: samplerOf(otel.sampler),
    spanProcessors: exportersOf<SpanExporter>(
      otel.TRACES,
      OTLPTraceExporter,
      JsonTraceExporter,
      ConsoleSpanExporter
    ).map((exporter) => new BatchSpanProcessor({ exporter, ...otel.spanBatch }))
  })
  const loggerProvider = new LoggerProvider({
    resource,
    processors: exportersOf<LogRecordExporter>(
      otel.LOGS,
      OTLPLogExporter,
      JsonLogExporter,
      ConsoleLogRecordExporter
    ).map((exporter) => new BatchLogRecordProcessor({ exporter, ...otel.logBatch }))
  })
  const { metricIntervalMs: exportIntervalMillis, metricTimeoutMs: exportTimeoutMillis } = otel
  const meterProvider = new MeterProvider({
    resource,
    readers: exportersOf<PushMetricExporter>(
      otel.METRICS,
      OTLPMetricExporter,
      JsonMetricExporter,
      ConsoleMetricExporter
    ).map((exporter) => new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis }))
  })
  const close = async (): Promise<void> => {
    const providers = [tracerProvider, loggerProvider, meterProvider]
    await within(closeTimeoutMs, Promise.allSettled(providers.map((provider) => provider.shutdown())))
  }
  return { tracerProvider, meterProvider, loggerProvider, close }
}

type Make<Exporter> = new () => Exporter

function exportersOf<Exporter>(
  signal: OtelSignal | undefined,
  Protobuf: Make<Exporter>,
  Json: Make<Exporter>,
  Console: Make<Exporter>
): Exporter[] {
  return (signal?.exporters ?? []).map((exporter) => {
    if (exporter === 'console') return new Console()
    return signal?.protocol === 'http/json' ? new Json() : new Protobuf()
  })
}

function samplerOf({ root, ratio, isParentBased }: OtelConfig['sampler']): Sampler {
  const samplers = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio)
  } as const
  const sampler = samplers[root]()
  return isParentBased ? new ParentBasedSampler({ root: sampler }) : sampler
}
