/** The spans of one model call: its own, and the one of the upstream call below it. */
import { SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span } from '@opentelemetry/api'
import { genAiAttributes, genAiSpanName } from '../../protocol/gen-ai.ts'
import { callLabels, labelNames } from '../../protocol/otel-labels.ts'
import type { CallRecord } from '../report.ts'
import type { CallBeginning, CallTrace, TraceContext, UpstreamBeginning } from '../tracing.ts'
import { genAiCall, type TelemetryParts } from './parts.ts'
import { contextBelow, toTraceContext } from './span-context.ts'
import { reportCall } from './report-call.ts'

/** The lowest status that is a server error, and therefore an error of a server span. */
const serverErrorMin = 500
const clientErrorMin = 400

export class OtelCallTrace implements CallTrace {
  readonly context: TraceContext
  readonly #parts: TelemetryParts
  readonly #beginning: CallBeginning
  readonly #span: Span
  readonly #context: Context
  #upstream: { readonly span: Span; readonly to: UpstreamBeginning; readonly startedAt: number } | undefined

  constructor(beginning: CallBeginning, parts: TelemetryParts) {
    const { method, route, parent } = beginning
    const attributes = { 'http.request.method': method, 'http.route': route }
    const below = contextBelow(parent)
    this.#parts = parts
    this.#beginning = beginning
    this.#span = parts.tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, below)
    this.#context = trace.setSpan(below, this.#span)
    this.context = toTraceContext(this.#span.spanContext())
  }

  beginUpstream(to: UpstreamBeginning): TraceContext {
    const { hostname, port, protocol } = new URL(to.origin)
    const attributes = {
      'http.request.method': to.method,
      'server.address': hostname,
      'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
    }
    const span = this.#parts.tracer.startSpan(to.method, { kind: SpanKind.CLIENT, attributes }, this.#context)
    this.#upstream = { span, to, startedAt: performance.now() }
    return toTraceContext(span.spanContext())
  }

  end(record: CallRecord | undefined, status: number): void {
    const labels = record ? this.#labels(record) : { [labelNames.requestId]: this.#beginning.requestId }
    if (record) this.#endUpstream(record, labels)
    if (this.#span.isRecording()) {
      const error = record?.errorCode
      this.#span.setAttributes({
        ...labels,
        'http.response.status_code': status,
        ...(record === undefined ? {} : { 'service.ingress.outcome': record.outcome }),
        ...(error === undefined ? {} : { 'error.type': error })
      })
      if (status >= serverErrorMin || record?.outcome === 'upstream_failed')
        this.#span.setStatus({ code: SpanStatusCode.ERROR })
    }
    if (record) reportCall(record, { labels, modelMs: this.#modelMs(), context: this.#context }, this.#parts)
    this.#span.end()
  }

  #labels(record: CallRecord): Attributes {
    return callLabels(record, this.#parts.vocabularies)
  }

  /** Duration of the model call; for a call to the service, the service reports it. */
  #modelMs(): number | undefined {
    if (!this.#parts.genAi || this.#upstream === undefined || this.#upstream.to.isService) return undefined
    return performance.now() - this.#upstream.startedAt
  }

  #endUpstream(record: CallRecord, labels: Attributes): void {
    if (!this.#upstream) return
    const { span, to } = this.#upstream
    if (span.isRecording()) {
      const { upstreamStatus: status } = record
      span.setAttributes(labels)
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      if (this.#parts.genAi && !to.isService) {
        const call = genAiCall(record)
        span.updateName(genAiSpanName(call) ?? to.method)
        span.setAttributes(genAiAttributes(call))
      }
      const error = status !== undefined && status >= clientErrorMin ? String(status) : record.errorCode
      if (error !== undefined) {
        span.setAttribute('error.type', error)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
    }
    span.end()
  }
}
