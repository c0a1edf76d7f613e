/** The configuration of `sluice mcp-proxy`, or all of its faults. */
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { resolveLabel, unknownLabel, type Vocabularies } from '../protocol/vocabularies.ts'
import type { ConnectionConfig } from './config.ts'
import { mcpProxyVariables, type McpProxyVariable } from './mcp-proxy-variables.ts'
import { readMcpServers, type McpProxyWords, type McpServer } from './mcp-servers.ts'
import { misspellings } from './misspellings.ts'
import { createReader, type ConfigFault, type Environment, type Reader } from './reader.ts'
import type { Secret } from './secret.ts'
import { sensorCredentials } from './sensor-credentials.ts'
import { serviceSettings, type ServiceSettings } from './sensor-settings.ts'
import { serverCredentials } from './server-credentials.ts'
import { bothLoopbacks } from './sidecar-variables.ts'
import { isLoopback, isLoopbackHost } from './values.ts'
import { readVocabularies } from './vocabularies.ts'
import { proxyFaults } from './web-proxy.ts'

export interface McpProxyConfig extends ServiceSettings {
  /** Absolute path of the proxy's own directory. */
  readonly dataDir: string
  /** Its sensor id, without the number that tells the proxies of one directory apart. */
  readonly sensorId: string
  readonly logLevel: string
  readonly drainTimeoutMs: number
  /** The servers that are proxied, in order; a single one if the client is on stdio. */
  readonly servers: readonly McpServer[]
  /** Absent if the client is on standard input and output. */
  readonly listen?: { readonly hosts: readonly string[]; readonly port: number; readonly knownHosts: readonly string[] }
  readonly upstream: ConnectionConfig
  readonly limits: McpProxyLimits
  /** Field of every event: `SERVICE_DOWNSTREAM_SERVER` as known to the vocabulary, or `mock`. */
  readonly downstreamServer: string
  /** The surface of calls whose client names none. */
  readonly surface?: string
  readonly vocabularies: Vocabularies
  /** What may hold credentials of the proxy and of its servers: no text that passes may. */
  readonly credentials: readonly Secret[]
  /** Full sentences about settings that are allowed but probably not intended. */
  readonly warnings: readonly string[]
}

interface McpProxyLimits {
  readonly messageBytesMax: number
  readonly bytesInFlightMax: number
  readonly requestTimeoutMs: number
  readonly sessionsMax: number
  readonly sessionIdleMs: number
}

type McpProxyConfigResult =
  | { readonly ok: true; readonly config: McpProxyConfig }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] }

/**
 * Reads the configuration of an MCP proxy.
 * @param env the environment; an empty value counts as unset
 * @param options.cwd base of relative paths
 */
export function loadMcpProxyConfig(
  env: Environment,
  words: McpProxyWords,
  options: { readonly cwd: string }
): McpProxyConfigResult {
  const faults: ConfigFault[] = []
  const read = createReader(mcpProxyVariables, env, options.cwd, faults)
  const isMock = env['SERVICE_MCP_PROXY_MOCK'] === '1'
  const servers = readMcpServers(words, { env, cwd: options.cwd, isMock, faults })
  const config = assemble(read, words, servers, options.cwd, faults)
  faults.push(...proxyFaults(env))
  if (words.listen === undefined && servers.length > 1)
    faults.push({
      name: '--config',
      rule: 'contains several servers: choose one with --server, or serve them all with --listen'
    })
  if (faults.length > 0) return { ok: false, faults }
  const { label, warning } = isMock
    ? { label: 'mock', warning: undefined }
    : resolveLabel(
        env['SERVICE_DOWNSTREAM_SERVER'] || undefined,
        config.vocabularies.sandboxes,
        'SERVICE_DOWNSTREAM_SERVER'
      )
  const surface = resolveLabel(env['SERVICE_CLIENT_SURFACE'], config.vocabularies.surfaces, 'SERVICE_CLIENT_SURFACE')
  const warnings = [
    ...(warning === undefined ? [] : [warning]),
    ...(surface.warning === undefined ? [] : [surface.warning]),
    ...warningsOf(config, words, isMock),
    ...mockWarnings(env['SERVICE_MCP_PROXY_MOCK']),
    ...misspellings(env, mcpProxyVariables)
  ]
  return {
    ok: true,
    config: {
      ...config,
      downstreamServer: label,
      ...(surface.label !== unknownLabel && { surface: surface.label }),
      credentials: [...sensorCredentials(config.token, env), ...serverCredentials(servers, env)],
      warnings
    }
  }
}

/** What each variable says by itself. */
type Assembled = Omit<McpProxyConfig, 'downstreamServer' | 'credentials' | 'warnings'>

function assemble(
  read: Reader<McpProxyVariable>,
  words: McpProxyWords,
  servers: readonly McpServer[],
  cwd: string,
  faults: ConfigFault[]
): Assembled {
  const requestTimeoutMs = read.integer('SERVICE_MCP_REQUEST_TIMEOUT_MS')
  const listen = listenOf(read, words, faults)
  return {
    ...serviceSettings(read, faults),
    dataDir: join(resolve(cwd, read.text('SERVICE_DATA_DIR')), 'mcp-proxy'),
    sensorId: (read.text('SERVICE_SENSOR_ID') || hostname()).slice(0, 100),
    logLevel: read.text('SERVICE_LOG_LEVEL'),
    drainTimeoutMs: read.integer('SERVICE_DRAIN_TIMEOUT_MS'),
    servers,
    ...(listen && { listen }),
    upstream: {
      connectTimeoutMs: read.integer('UPSTREAM_CONNECT_TIMEOUT_MS'),
      headersTimeoutMs: requestTimeoutMs,
      idleTimeoutMs: requestTimeoutMs,
      connectionsMax: read.integer('UPSTREAM_CONNECTIONS_MAX')
    },
    limits: {
      messageBytesMax: read.integer('SERVICE_MCP_MESSAGE_BYTES_MAX'),
      bytesInFlightMax: read.integer('SERVICE_MCP_BYTES_IN_FLIGHT_MAX'),
      requestTimeoutMs,
      sessionsMax: read.integer('SERVICE_MCP_SESSIONS_MAX'),
      sessionIdleMs: read.integer('SERVICE_MCP_SESSION_IDLE_MS')
    },
    vocabularies: readVocabularies(read, read.names('SERVICE_EXTRA_SANDBOXES'))
  }
}

function listenOf(
  read: Reader<McpProxyVariable>,
  words: McpProxyWords,
  faults: ConfigFault[]
): McpProxyConfig['listen'] {
  const host = read.text('LISTEN_HOST')
  const knownHosts = read.hosts('SERVICE_MCP_PROXY_HOSTS')
  if (words.listen === undefined) return undefined
  const port = /^[0-9]{1,5}$/.test(words.listen) ? Number(words.listen) : Number.NaN
  if (!(port <= 65_535)) faults.push({ name: '--listen', rule: 'must be a port from 0 to 65535' })
  return { hosts: host === bothLoopbacks ? ['127.0.0.1', '::1'] : [host], port, knownHosts }
}

function warningsOf({ target, listen, servers }: Assembled, words: McpProxyWords, isMock: boolean): string[] {
  const warnings: string[] = []
  if (target.startsWith('http:') && !isLoopback(target))
    warnings.push('SERVICE_INGRESS_TARGET is plain http to another machine: events and the token are sent unencrypted.')
  if (listen?.hosts.every(isLoopbackHost) === false)
    warnings.push('LISTEN_HOST is not a loopback address: anyone who reaches it uses the servers of this proxy.')
  for (const { url } of servers) {
    if (url !== undefined && url.startsWith('http:') && !isLoopback(url))
      warnings.push(
        'An MCP server is reached by plain http on another machine: calls and credentials are sent unencrypted.'
      )
  }
  if (isMock && (words.command?.length || words.url !== undefined || words.config !== undefined))
    warnings.push('SERVICE_MCP_PROXY_MOCK is 1: the built-in mock server replaces the configured one.')
  return warnings
}

/** Someone who writes `true` wants the mock, and would call the real server. */
function mockWarnings(text: string | undefined): string[] {
  return !text || text === '1' || text === '0' || text === 'false'
    ? []
    : ['SERVICE_MCP_PROXY_MOCK is not 1, so the server that is named is used and no mock.']
}
