/** Converts between our trace context and that of the OpenTelemetry API. */
import { createTraceState, ROOT_CONTEXT, trace, TraceFlags, type Context, type SpanContext } from '@opentelemetry/api'
import type { TraceContext } from '../tracing.ts'

/** The context in which a span starts: below `parent`, or at the root. */
export function contextBelow(parent: TraceContext | undefined): Context {
  if (parent === undefined) return ROOT_CONTEXT
  const { traceId, spanId, isSampled, state } = parent
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: createTraceState(state) })
  })
}

export function toTraceContext({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const state = traceState?.serialize()
  return {
    traceId,
    spanId,
    isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
    ...(state ? { state } : {})
  }
}
