/**
 * Connections to the upstreams: one undici agent for the process, with time-outs of our own (the library's are none for
 * a connect that hangs in TLS and five minutes for headers and silence, too short for long thinking).
 */
import { Agent, EnvHttpProxyAgent, errors, type Dispatcher } from 'undici'
import type { ConnectionConfig } from '../config/config.ts'
import { connectionFault, isCertificateFault } from '../protocol/connection-fault.ts'
import { NoConnection } from './exchange.ts'

/** The settings of `HTTP(S)_PROXY` count where one of them is set; `NO_PROXY` is honoured. */
function proxied(env: Readonly<Record<string, string | undefined>>): boolean {
  return ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'].some((name) => Boolean(env[name]))
}

/** Makes the dispatcher that all upstream calls of a process share. Close it with `close()` or `destroy()`. */
export function createUpstreamDispatcher(
  config: { readonly upstream: ConnectionConfig },
  env: Readonly<Record<string, string | undefined>> = process.env
): Dispatcher {
  const { connectTimeoutMs, headersTimeoutMs, idleTimeoutMs, connectionsMax } = config.upstream
  const options = {
    connect: { timeout: connectTimeoutMs },
    connections: connectionsMax,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    keepAliveTimeout: 30_000,
    pipelining: 1
  }
  return proxied(env) ? new EnvHttpProxyAgent(options) : new Agent(options)
}

/** Codes of the error catalogue for a call that got no usable answer. */
export type UpstreamFailure =
  | 'upstream_timeout'
  | 'upstream_unreachable'
  | 'upstream_untrusted'
  | 'upstream_failed'
  | 'overloaded'

const timeouts = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError]
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'UND_ERR_SOCKET'
])

/** Tells failures apart. The error itself stays here: its text may hold addresses and never reaches a client. */
export function upstreamFailure(error: unknown): UpstreamFailure {
  if (error instanceof NoConnection) return 'overloaded'
  if (timeouts.some((type) => error instanceof type)) return 'upstream_timeout'
  const code = connectionFault(error)
  if (code === 'ETIMEDOUT') return 'upstream_timeout'
  if (isCertificateFault(code)) return 'upstream_untrusted'
  return code !== undefined && unreachableCodes.has(code) ? 'upstream_unreachable' : 'upstream_failed'
}
