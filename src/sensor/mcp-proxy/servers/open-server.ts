/** Opens connections to the configured servers. */
import type { Logger } from 'pino'
import type { Dispatcher } from 'undici'
import type { McpProxyConfig } from '../../../config/mcp-proxy.ts'
import type { McpServer } from '../../../config/mcp-servers.ts'
import type { Environment } from '../../../config/reader.ts'
import { variables, type Variable } from '../../../config/variables.ts'
import { ChildDownstream } from './child-downstream.ts'
import type { OpenDownstream } from './downstream.ts'
import type { ServerIdentity } from '../gate-contract.ts'
import { HttpDownstream } from './http-downstream.ts'
import { openMock } from './mock-downstream.ts'

export interface ServerParts {
  readonly config: Pick<McpProxyConfig, 'limits'>
  readonly dispatcher: Dispatcher
  /** The base of a command's environment. */
  readonly env: Environment
  readonly log: Logger
}

/** Returns the function that opens connections to a server. */
export function openerOf(server: McpServer, { config, dispatcher, env, log }: ServerParts): OpenDownstream {
  const { messageBytesMax, requestTimeoutMs } = config.limits
  const bounds = {
    messageBytesMax,
    requestTimeoutMs,
    log: server.name === undefined ? log : log.child({ server: server.name })
  }
  if (server.isMock) return openMock
  if (server.url !== undefined) {
    const options = { url: server.url, headers: server.headers ?? {}, dispatcher, ...bounds }
    return (events) => new HttpDownstream(options, events)
  }
  const [command = '', ...args] = server.command ?? []
  const options = {
    command,
    args,
    env: { ...withoutSecrets(env), ...server.env },
    ...(server.cwd !== undefined && { cwd: server.cwd }),
    ...bounds
  }
  return (events) => new ChildDownstream(options, events)
}

/** A server's identity for the policy. */
export function identityOf({ name, url, command, isMock }: McpServer): ServerIdentity {
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(command !== undefined && { command }),
    ...(isMock && { command: ['mock'] })
  }
}

/**
 * Variables of the proxy that hold secrets, with their forms for files, and the credentials of its collector. A tool
 * server must not get them.
 */
const secretNames = new Set([
  ...['', 'TRACES_', 'METRICS_', 'LOGS_'].map((signal) => `OTEL_EXPORTER_OTLP_${signal}HEADERS`),
  'SERVICE_WORKSPACE_TOKEN',
  'SERVICE_WORKSPACE_TOKEN_FILE',
  ...Object.entries<Variable>(variables).flatMap(([name, { type }]) =>
    type === 'secret' ? [name, `${name}_FILE`] : []
  )
])

function withoutSecrets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secretNames.has(name)))
}
