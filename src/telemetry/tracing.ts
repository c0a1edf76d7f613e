/**
 * What the program says to OpenTelemetry, as an interface that knows no package: where nothing is configured there is
 * no implementation, and a call costs one look at an absent field. The implementation stands in `otel/`.
 */
import type { LabelledDecision } from '../protocol/otel-labels.ts'
import type { TraceContext } from '../protocol/trace-context.ts'
import type { CallRecord } from './report.ts'

export type { TraceContext } from '../protocol/trace-context.ts'

export interface CallBeginning {
  readonly method: string
  /** Of our table of routes. */
  readonly route: string
  readonly requestId: string
  /** What the client's headers say. */
  readonly parent?: TraceContext | undefined
}

export interface UpstreamBeginning {
  /** Scheme, host and port. */
  readonly origin: string
  readonly method: string
  /** Whether the next hop is the service, as for a sidecar; it knows more of the model than we do. */
  readonly isService: boolean
}

/** One call under way. Nothing here throws. */
export interface CallTrace {
  /** Of the call's own span. */
  readonly context: TraceContext
  /** Begins the span of the call to the upstream. @returns its context, which the upstream continues */
  beginUpstream(to: UpstreamBeginning): TraceContext
  /**
   * Ends the spans and tells of the call in a log record and in metrics.
   * @param record absent where the caller was never known
   * @param status of the answer
   */
  end(record: CallRecord | undefined, status: number): void
}

/** A decision of a sensor that is no model call, above all about a call of a tool. */
export interface ToldDecision extends LabelledDecision {
  /** The tool, bounded and scrubbed as in the event. */
  readonly mcpToolName?: string | undefined
  /** Milliseconds since 1970 at which the call of the tool began. */
  readonly startedAt: number
  readonly durationMs: number
  /** Of the call that the tool is called in, where it says so (`_meta.traceparent` in MCP). */
  readonly parent?: TraceContext | undefined
  /** Code of what went wrong, where something did. */
  readonly errorCode?: string | undefined
}

export interface Telemetry {
  beginCall(beginning: CallBeginning): CallTrace
  /** Tells of a decision in a span, a log record and metrics. @returns the span's context, for the event and the next hop */
  tellDecision(decision: ToldDecision): TraceContext
  /** Sends what is left, within a bound, and ends. Never rejects. */
  close(): Promise<void>
}
