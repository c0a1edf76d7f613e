/** The trace context of a call: read from the client's headers, and passed to the next hop. */
import type { IncomingHttpHeaders } from 'node:http'
import {
  formatTraceParent,
  parseTraceContext,
  traceHeaders,
  type PassedContext,
  type TraceContext
} from '../../protocol/trace-context.ts'

/**
 * Reads the client's trace context. Malformed context is dropped, and so is a `tracestate` in which a scan finds
 * anything: it would be exported with every span.
 * @param scrub returns its input unchanged if it finds nothing
 */
export function readTrace(headers: IncomingHttpHeaders, scrub: (text: string) => string): TraceContext | undefined {
  const parent = headers[traceHeaders.parent]
  if (typeof parent !== 'string') return undefined
  const state = headers[traceHeaders.state]
  const context = parseTraceContext(parent, typeof state === 'string' ? state : undefined)
  if (context?.state === undefined || scrub(context.state) === context.state) return context
  const { state: _, ...rest } = context
  return rest
}

/** The headers with which the next hop continues the trace. */
export function continueTrace(
  context: TraceContext,
  passed: PassedContext
): (readonly [name: string, value: string])[] {
  if (passed === 'off') return []
  const parent = [traceHeaders.parent, formatTraceParent(context)] as const
  return passed === 'full' && context.state !== undefined ? [parent, [traceHeaders.state, context.state]] : [parent]
}
