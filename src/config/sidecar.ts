/** The configuration of `sluice sidecar`, or all its faults at once. */
import { join, resolve } from 'node:path'
import { parseToken } from '../protocol/token-format.ts'
import { builtInVocabularies, type Vocabularies } from '../protocol/vocabularies.ts'
import { assembleIngress, checkBytesInFlight, misspellings, type Config, type ConnectionConfig } from './config.ts'
import { createReader, type ConfigFault, type Environment, type Reader } from './reader.ts'
import { Secret } from './secret.ts'
import { bothLoopbacks, sidecarVariables, type SidecarVariable } from './sidecar-variables.ts'
import { isLoopback } from './values.ts'

export interface SidecarConfig {
  readonly listen: { readonly hosts: readonly string[]; readonly port: number }
  /** Further names in the `Host` header, in lower case. */
  readonly knownHosts: readonly string[]
  /** The service's address as it was set, without a trailing slash. */
  readonly target: string
  readonly token: Secret
  /** Absolute path of the sidecar's own directory. */
  readonly dataDir: string
  readonly logLevel: string
  readonly drainTimeoutMs: number
  readonly upstream: ConnectionConfig
  readonly ingress: Config['ingress']
  readonly vocabularies: Vocabularies
  /** Full sentences about what is allowed and probably not meant. */
  readonly warnings: readonly string[]
}

export type SidecarConfigResult =
  | { readonly ok: true; readonly config: SidecarConfig }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] }

/**
 * Reads the configuration of a sidecar.
 * @param env the environment; an empty text counts as unset
 * @param options.cwd where relative paths start
 */
export function loadSidecarConfig(env: Environment, options: { readonly cwd: string }): SidecarConfigResult {
  const faults: ConfigFault[] = []
  const read = createReader(sidecarVariables, env, options.cwd, faults)
  const config = assemble(read, options.cwd, faults)
  checkBytesInFlight(config.ingress, faults)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, config: { ...config, warnings: [...warningsOf(config), ...misspellings(env, sidecarVariables)] } }
}

function assemble(read: Reader<SidecarVariable>, cwd: string, faults: ConfigFault[]): SidecarConfig {
  const host = read.text('LISTEN_HOST')
  return {
    listen: { hosts: host === bothLoopbacks ? ['127.0.0.1', '::1'] : [host], port: read.integer('LISTEN_PORT') },
    knownHosts: read.hosts('SERVICE_SIDECAR_HOSTS'),
    target: targetOf(read, faults),
    token: tokenOf(read, faults),
    dataDir: join(resolve(cwd, read.text('SERVICE_DATA_DIR')), 'sidecar'),
    logLevel: read.text('SERVICE_LOG_LEVEL'),
    drainTimeoutMs: read.integer('SERVICE_DRAIN_TIMEOUT_MS'),
    upstream: {
      connectTimeoutMs: read.integer('UPSTREAM_CONNECT_TIMEOUT_MS'),
      headersTimeoutMs: read.integer('UPSTREAM_HEADERS_TIMEOUT_MS'),
      idleTimeoutMs: read.integer('UPSTREAM_IDLE_TIMEOUT_MS'),
      connectionsMax: read.integer('UPSTREAM_CONNECTIONS_MAX')
    },
    ingress: assembleIngress(read),
    vocabularies: {
      ...builtInVocabularies,
      surfaces: new Set([...builtInVocabularies.surfaces, ...read.names('SERVICE_EXTRA_SURFACES')]),
      providers: new Set([...builtInVocabularies.providers, ...read.names('SERVICE_EXTRA_PROVIDERS')])
    },
    warnings: []
  }
}

function targetOf(read: Reader<SidecarVariable>, faults: ConfigFault[]): string {
  const name = 'SERVICE_INGRESS_TARGET'
  const target = read.text(name)
  if (target === '' && !faults.some((fault) => fault.name === name))
    faults.push({ name, rule: 'must be set to the address of the service' })
  return target
}

/** The faults of a token are told apart here already: what the service says of one comes only with the first call. */
function tokenOf(read: Reader<SidecarVariable>, faults: ConfigFault[]): Secret {
  const name = 'SERVICE_WORKSPACE_TOKEN'
  const token = read.secret(name)
  if (token === undefined) {
    if (!faults.some((fault) => fault.name.startsWith(name)))
      faults.push({ name, rule: `must be set to a workspace token, or ${name}_FILE to a file that holds one` })
    return new Secret('')
  }
  if (!parseToken(token.reveal()).ok)
    faults.push({ name, rule: 'must be a whole workspace token: svw_ and 46 letters and digits' })
  return token
}

function warningsOf({ target, listen }: SidecarConfig): string[] {
  const warnings: string[] = []
  if (target.startsWith('http:') && !isLoopback(target))
    warnings.push('SERVICE_INGRESS_TARGET is plain http to another machine: prompts and the token travel in clear.')
  if (listen.hosts.some((host) => !isLoopback(`http://${host.includes(':') ? `[${host}]` : host}`)))
    warnings.push('LISTEN_HOST is no loopback address: whoever reaches it spends the token of this sidecar.')
  return warnings
}
