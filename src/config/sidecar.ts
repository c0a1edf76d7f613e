/** The configuration of `sluice sidecar`, or all of its faults. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { presets, redactionProfileSchema, type RedactionProfile } from '../policy/redaction/profile.ts'
import type { Vocabularies } from '../protocol/vocabularies.ts'
import { assembleIngress, checkBytesInFlight, type Config, type ConnectionConfig } from './config.ts'
import { misspellings } from './misspellings.ts'
import { createReader, type ConfigFault, type Environment, type Reader } from './reader.ts'
import type { Secret } from './secret.ts'
import { sensorCredentials } from './sensor-credentials.ts'
import { serviceSettings, type ServiceSettings } from './sensor-settings.ts'
import { bothLoopbacks, noAddress, sidecarVariables, type SidecarVariable } from './sidecar-variables.ts'
import { isLoopback, isLoopbackHost } from './values.ts'
import { readVocabularies } from './vocabularies.ts'
import { proxyFaults } from './web-proxy.ts'

export interface SidecarConfig extends ServiceSettings {
  readonly listen: {
    readonly hosts: readonly string[]
    readonly port: number
    /** Absolute path of a Unix socket, and the permissions of its file. */
    readonly socket: { readonly path: string; readonly mode: number } | undefined
  }
  /** Additional accepted names in the `Host` header, in lower case. */
  readonly knownHosts: readonly string[]
  /** Its sensor id. */
  readonly sensorId: string
  /** The profile enforced before it has ever received a policy from the service. */
  readonly baseline: RedactionProfile | undefined
  /** Absolute path of the sidecar's own directory. */
  readonly dataDir: string
  readonly logLevel: string
  readonly drainTimeoutMs: number
  readonly upstream: ConnectionConfig
  readonly ingress: Config['ingress']
  readonly vocabularies: Vocabularies
  /** What in its environment may hold credentials, its token included: no text that passes may. */
  readonly credentials: readonly Secret[]
  /** Full sentences about settings that are allowed but probably not intended. */
  readonly warnings: readonly string[]
}

type SidecarConfigResult =
  | { readonly ok: true; readonly config: SidecarConfig }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] }

/**
 * Reads the configuration of a sidecar.
 * @param env the environment; an empty value counts as unset
 * @param options.cwd base of relative paths
 */
export function loadSidecarConfig(env: Environment, options: { readonly cwd: string }): SidecarConfigResult {
  const faults: ConfigFault[] = []
  const read = createReader(sidecarVariables, env, options.cwd, faults)
  const config = assemble(read, options.cwd, faults)
  checkBytesInFlight(config.ingress, faults)
  faults.push(...proxyFaults(env))
  if (faults.length > 0) return { ok: false, faults }
  const warnings = [...warningsOf(config), ...foreignWarnings(env), ...misspellings(env, sidecarVariables)]
  return { ok: true, config: { ...config, credentials: sensorCredentials(config.token, env), warnings } }
}

/** What each variable says by itself. */
type Assembled = Omit<SidecarConfig, 'credentials' | 'warnings'>

function assemble(read: Reader<SidecarVariable>, cwd: string, faults: ConfigFault[]): Assembled {
  return {
    listen: listenOf(read, cwd, faults),
    knownHosts: read.hosts('SERVICE_SIDECAR_HOSTS'),
    ...serviceSettings(read, faults),
    sensorId: read.text('SERVICE_SENSOR_ID') || hostname().slice(0, 128),
    baseline: baselineOf(read, cwd, faults),
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
    vocabularies: readVocabularies(read)
  }
}

const hostsOf: ReadonlyMap<string, readonly string[]> = new Map([
  [bothLoopbacks, ['127.0.0.1', '::1']],
  [noAddress, []]
])

/** The longest path that all systems accept for a socket, in bytes. */
const socketPathBytesMax = 103

function listenOf(read: Reader<SidecarVariable>, cwd: string, faults: ConfigFault[]): SidecarConfig['listen'] {
  const host = read.text('LISTEN_HOST')
  const given = read.text('LISTEN_SOCKET')
  const path = given === '' ? undefined : resolve(cwd, given)
  if (path !== undefined && Buffer.byteLength(path) > socketPathBytesMax)
    faults.push({ name: 'LISTEN_SOCKET', rule: `must be a path of at most ${socketPathBytesMax} bytes` })
  if (host === noAddress && path === undefined)
    faults.push({ name: 'LISTEN_SOCKET', rule: `must be set where LISTEN_HOST is ${noAddress}` })
  const mode = Number.parseInt(read.text('LISTEN_SOCKET_MODE'), 8)
  return {
    hosts: hostsOf.get(host) ?? [host],
    port: read.integer('LISTEN_PORT'),
    socket: path === undefined ? undefined : { path, mode }
  }
}

/**
 * Reads a preset, or a file with a profile. Its faults are reported at the start, since nobody would see them later.
 */
function baselineOf(read: Reader<SidecarVariable>, cwd: string, faults: ConfigFault[]): RedactionProfile | undefined {
  const name = 'SERVICE_SIDECAR_BASELINE'
  const given = read.text(name)
  if (given === '') return undefined
  const profile = isPreset(given) ? { version: 1, preset: given } : readProfile(resolve(cwd, given))
  const parsed = redactionProfileSchema.safeParse(profile)
  if (parsed.success) return parsed.data
  faults.push({ name, rule: `must be one of ${presets.join(', ')}, or the path of a file with a redaction profile` })
  return undefined
}

const isPreset = (text: string): boolean => (presets as readonly string[]).includes(text)

function readProfile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function warningsOf({ target, listen }: Assembled): string[] {
  const warnings: string[] = []
  if (target.startsWith('http:') && !isLoopback(target))
    warnings.push(
      'SERVICE_INGRESS_TARGET is plain http to another machine: prompts and the token are sent unencrypted.'
    )
  if (!listen.hosts.every(isLoopbackHost))
    warnings.push('LISTEN_HOST is not a loopback address: anyone who reaches it uses the token of this sidecar.')
  return warnings
}

/** Variables of the service that look as if they applied to a sidecar. */
function foreignWarnings(env: Environment): string[] {
  return env['SERVICE_INGRESS_BLOCK_HIGH_RISK']
    ? ['SERVICE_INGRESS_BLOCK_HIGH_RISK is a setting of the service and is ignored here; the policy stream carries it.']
    : []
}
