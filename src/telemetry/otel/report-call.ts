/** The log record and the metrics of one model call. */
import { SeverityNumber, type Attributes, type Context } from '@opentelemetry/api'
import { genAiAttributes, genAiIdentity } from '../../protocol/gen-ai.ts'
import { labelNames } from '../../protocol/otel-labels.ts'
import type { CallOutcome, CallRecord } from '../report.ts'
import { genAiCall, type TelemetryParts } from './parts.ts'

const severities: Readonly<Record<CallOutcome, SeverityNumber>> = {
  forwarded: SeverityNumber.INFO,
  abandoned: SeverityNumber.INFO,
  refused: SeverityNumber.WARN,
  blocked: SeverityNumber.WARN,
  upstream_failed: SeverityNumber.ERROR
}

/** What is reported about a call besides its record. */
interface CallContext {
  /** Labels of the call, including the request ID. */
  readonly labels: Attributes
  /** Duration of the model call; undefined if there was none, or it is not to be reported. */
  readonly modelMs: number | undefined
  /** Context of the call's span. */
  readonly context: Context
}

/** Emits the log record of a call and counts it. */
export function reportCall(record: CallRecord, around: CallContext, parts: TelemetryParts): void {
  const { outcome, errorCode, route } = record
  const severityNumber = severities[outcome]
  parts.logger.emit({
    eventName: 'service.ingress.call',
    severityNumber,
    severityText: SeverityNumber[severityNumber],
    body: 'ingress call',
    context: around.context,
    attributes: {
      ...around.labels,
      'service.ingress.outcome': outcome,
      'http.route': route,
      ...(errorCode === undefined ? {} : { 'error.type': errorCode }),
      ...(around.modelMs === undefined ? {} : genAiAttributes(genAiCall(record)))
    }
  })
  count(record, around, parts)
}

function count(record: CallRecord, { labels, modelMs }: CallContext, { instruments }: TelemetryParts): void {
  const { [labelNames.requestId]: _requestId, ...metricLabels } = labels
  const { durationMs, scanMs, usage, errorCode } = record
  instruments.calls.add(1, { ...metricLabels, 'service.ingress.outcome': record.outcome })
  if (durationMs !== undefined) instruments.duration.record(durationMs / 1000, metricLabels)
  if (scanMs !== undefined) instruments.added.record(scanMs / 1000, metricLabels)
  const identity = genAiIdentity(genAiCall(record))
  if (modelMs === undefined || Object.keys(identity).length === 0) return
  const modelLabels = { ...identity, ...metricLabels }
  const failed = errorCode === undefined ? {} : { 'error.type': errorCode }
  instruments.genAiDuration.record(modelMs / 1000, { ...modelLabels, ...failed })
  for (const [type, tokens] of [
    ['input', usage?.inputTokens],
    ['output', usage?.outputTokens]
  ] as const) {
    if (tokens !== undefined) instruments.genAiTokens.record(tokens, { ...modelLabels, 'gen_ai.token.type': type })
  }
}
