/** A call of an MCP server over HTTP that failed: one line for the operator, and an error for the client. */
import type { Logger } from 'pino'
import { certificateRemedy, connectionFault, isCertificateFault } from '../../../protocol/connection-fault.ts'
import { errorName } from '../../../telemetry/error-frames.ts'
import { upstreamFailure } from '../../../upstream/client.ts'
import { BodyTooLarge } from '../../../upstream/read-bounded.ts'
import { tooLarge, unreachable, type RelayError } from './json-rpc-error.ts'
import { EventTooLarge } from './sse-reader.ts'

const reasons: Readonly<Record<ReturnType<typeof upstreamFailure>, string>> = {
  upstream_timeout: 'it did not answer in time',
  upstream_unreachable: 'no connection could be made',
  upstream_untrusted: 'its certificate is not trusted here',
  upstream_failed: 'it broke off, or answered what cannot be read',
  overloaded: 'no connection is left'
}

/**
 * Logs why a call failed.
 * @param of.server its URL, of which only the origin is logged
 * @returns the error for the client
 */
export function failedCall(
  error: unknown,
  of: { readonly server: URL; readonly messageBytesMax: number; readonly log: Pick<Logger, 'warn'> }
): RelayError {
  const fault = connectionFault(error)
  of.log.warn({ error: errorName(error), fault, server: of.server.origin }, 'a call of the server failed')
  if (error instanceof EventTooLarge || error instanceof BodyTooLarge) return tooLarge(of.messageBytesMax)
  const remedy = isCertificateFault(fault) ? `: ${certificateRemedy(fault)}` : ''
  return unreachable(reasons[upstreamFailure(error)] + remedy)
}
