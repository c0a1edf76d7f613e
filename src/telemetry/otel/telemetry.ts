/** Reports to the OpenTelemetry API. The providers that are passed in decide where it goes. */
import {
  SeverityNumber,
  SpanKind,
  SpanStatusCode,
  trace,
  type LoggerProvider,
  type MeterProvider,
  type TracerProvider
} from '@opentelemetry/api'
import { version } from '../../config/version.ts'
import { genAiToolAttributes } from '../../protocol/gen-ai.ts'
import { callLabels, callMetricLabels } from '../../protocol/otel-labels.ts'
import type { Vocabularies } from '../../protocol/vocabularies.ts'
import type { Telemetry, ToldDecision, TraceContext } from '../tracing.ts'
import { OtelCallTrace } from './call-trace.ts'
import { createInstruments } from './instruments.ts'
import type { TelemetryParts } from './parts.ts'
import { contextBelow, toTraceContext } from './span-context.ts'

export interface TelemetryProviders {
  readonly tracerProvider: TracerProvider
  readonly meterProvider: MeterProvider
  readonly loggerProvider: LoggerProvider
  /** Sends what is left. Never rejects. */
  close(): Promise<void>
}

interface TelemetryOptions {
  readonly vocabularies: Vocabularies
  /** See {@link TelemetryParts.genAi}. */
  readonly genAi: boolean
}

const scope = 'sluice'

export function createTelemetry(providers: TelemetryProviders, options: TelemetryOptions): Telemetry {
  const parts: TelemetryParts = {
    ...options,
    tracer: providers.tracerProvider.getTracer(scope, version()),
    logger: providers.loggerProvider.getLogger(scope, version()),
    instruments: createInstruments(providers.meterProvider.getMeter(scope, version()))
  }
  return {
    beginCall: (beginning) => new OtelCallTrace(beginning, parts),
    tellDecision: (decision) => tellDecision(decision, parts),
    close: () => providers.close()
  }
}

function tellDecision(decision: ToldDecision, parts: TelemetryParts): TraceContext {
  const { tracer, logger, instruments, vocabularies, genAi } = parts
  const { mcpToolName, startedAt, durationMs, parent, errorCode, action } = decision
  const below = contextBelow(parent)
  const attributes = {
    ...callLabels(decision, vocabularies),
    ...(genAi ? genAiToolAttributes(mcpToolName) : {}),
    ...(errorCode === undefined ? {} : { 'error.type': errorCode })
  }
  const name = mcpToolName === undefined ? 'tools/call' : `tools/call ${mcpToolName}`
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, startTime: startedAt, attributes }, below)
  if (errorCode !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(startedAt + durationMs)
  const severityNumber = action === 'block' ? SeverityNumber.WARN : SeverityNumber.INFO
  logger.emit({
    eventName: 'service.sensor.decision',
    severityNumber,
    severityText: SeverityNumber[severityNumber],
    body: 'tool call decision',
    context: trace.setSpan(below, span),
    attributes
  })
  const labels = callMetricLabels(decision, vocabularies)
  instruments.decisions.add(1, labels)
  instruments.decisionDuration.record(durationMs / 1000, labels)
  return toTraceContext(span.spanContext())
}
