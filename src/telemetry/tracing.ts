/**
 * What Sluice reports to OpenTelemetry, as an interface without any package: if nothing is configured there is no
 * implementation, and a call costs one check of an absent field. The implementation is in `otel/`.
 */
import type { LabelledDecision } from '../protocol/otel-labels.ts'
import type { TraceContext } from '../protocol/trace-context.ts'
import type { CallRecord } from './report.ts'

export type { TraceContext } from '../protocol/trace-context.ts'

export interface CallBeginning {
  readonly method: string
  /** From our table of routes. */
  readonly route: string
  readonly requestId: string
  /** From the client's headers. */
  readonly parent?: TraceContext | undefined
}

export interface UpstreamBeginning {
  /** Scheme, host and port. */
  readonly origin: string
  readonly method: string
  /** Whether the next hop is the service, as for a sidecar; it knows more about the model. */
  readonly isService: boolean
}

/** A call in progress. Nothing here throws. */
export interface CallTrace {
  /** Of the call's own span. */
  readonly context: TraceContext
  /** Starts the span of the upstream call. @returns its context, which the upstream continues */
  beginUpstream(to: UpstreamBeginning): TraceContext
  /**
   * Ends the spans and reports the call in a log record and in metrics.
   * @param record absent if the caller was never identified
   * @param status of the answer
   */
  end(record: CallRecord | undefined, status: number): void
}

/** A sensor's decision other than about a model call, usually about a tool call. */
export interface ToldDecision extends LabelledDecision {
  /** The tool, limited in length and scrubbed as in the event. */
  readonly mcpToolName?: string | undefined
  /** When the tool call began, in milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** Trace context of the caller, if sent (`_meta.traceparent` in MCP). */
  readonly parent?: TraceContext | undefined
  /** Code of the error, if there was one. */
  readonly errorCode?: string | undefined
}

export interface Telemetry {
  beginCall(beginning: CallBeginning): CallTrace
  /**
   * Reports a decision in a span, a log record and metrics. @returns the span's context, for the event and the next hop
   */
  tellDecision(decision: ToldDecision): TraceContext
  /** Sends what is left, within a time limit, and ends. Never rejects. */
  close(): Promise<void>
}
