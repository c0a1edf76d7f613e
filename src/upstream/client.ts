/**
 * Connections to upstreams: one undici agent per process, with our own timeouts. The library has none for a connect
 * that hangs in TLS, and its five minutes for headers and for silence are too short for a model that thinks long.
 */
import { errors, type Dispatcher } from 'undici'
import type { ConnectionConfig } from '../config/config.ts'
import { connectionFault, isCertificateFault } from '../protocol/connection-fault.ts'
import { createAgent } from '../config/agent.ts'
import { NoConnection } from './exchange.ts'
import { readPastContinue } from './unasked-continue.ts'

/** Creates the dispatcher that all upstream calls of a process share. Close it with `close()` or `destroy()`. */
export function createUpstreamDispatcher(config: { readonly upstream: ConnectionConfig }): Dispatcher {
  readPastContinue()
  const { connectTimeoutMs, headersTimeoutMs, idleTimeoutMs, connectionsMax } = config.upstream
  return createAgent(process.env, {
    connect: { timeout: connectTimeoutMs },
    connections: connectionsMax,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    keepAliveTimeout: 30_000,
    pipelining: 1
  })
}

/** Codes of the error catalogue for a call without a usable answer. */
export type UpstreamFailure =
  | 'upstream_timeout'
  | 'upstream_unreachable'
  | 'upstream_untrusted'
  | 'upstream_failed'
  | 'overloaded'

const timeouts = [errors.HeadersTimeoutError, errors.BodyTimeoutError]
/**
 * Nobody was there, or a firewall drops what is sent to it: waiting longer for an answer would not help. A connection
 * that was there and broke off (`ECONNRESET`, `UND_ERR_SOCKET`) is another failure.
 */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT'
])

/**
 * Maps an error to its code. The error itself goes no further: its message may hold addresses, which must not reach a
 * client.
 */
export function upstreamFailure(error: unknown): UpstreamFailure {
  if (error instanceof NoConnection) return 'overloaded'
  if (timeouts.some((type) => error instanceof type)) return 'upstream_timeout'
  const code = connectionFault(error)
  // Not the upstream's fault: this process cannot open more files until other calls end.
  if (code === 'EMFILE' || code === 'ENFILE') return 'overloaded'
  if (code === 'ETIMEDOUT' && wasConnected(error as NodeJS.ErrnoException)) return 'upstream_timeout'
  if (isCertificateFault(code)) return 'upstream_untrusted'
  return code !== undefined && unreachableCodes.has(code) ? 'upstream_unreachable' : 'upstream_failed'
}

const wasConnected = ({ syscall }: NodeJS.ErrnoException): boolean => syscall === 'read' || syscall === 'write'
