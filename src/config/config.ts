/**
 * Converts environment variables to the typed configuration. Every fault is found before any is reported, so that an
 * operator can fix a deployment in one go.
 */
import { resolve } from 'node:path'
import type { Vocabularies } from '../protocol/vocabularies.ts'
import type { PassedContext } from '../protocol/trace-context.ts'
import { foreignSecrets } from './foreign-secrets.ts'
import { pgpassSecrets } from './pgpass.ts'
import { misspellings } from './misspellings.ts'
import { createReader, type ConfigFault, type Environment, type Reader, type SecretFile } from './reader.ts'
import type { Secret } from './secret.ts'
import { showSettings, type ShownSetting } from './shown-settings.ts'
import { assembleSignIn, signInWarnings, type SignInConfig } from './sign-in.ts'
import { isLoopback, isPlainPostgres } from './values.ts'
import type { otlpProtocols } from './telemetry-variables.ts'
import { variables, type Variable, type VariableName } from './variables.ts'
import { readVocabularies } from './vocabularies.ts'
import { proxyFaults } from './web-proxy.ts'

interface UpstreamConfig {
  /** Base URL without a trailing slash. */
  readonly base: string
  readonly key?: Secret
  /** Where the key came from, if that is a file: it may be replaced while the service runs. */
  readonly keyFile?: SecretFile
  /** Whether `base` is the vendor's own public URL, which rejects every call without a key. */
  readonly isDefaultBase: boolean
}

/** How connections to an upstream are managed. */
export interface ConnectionConfig {
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly idleTimeoutMs: number
  /** Per upstream. */
  readonly connectionsMax: number
}

/** A collector of events. */
export interface EventsOtlpConfig {
  /** The full URL, including its path. */
  readonly url: string
  readonly headers?: Secret
  readonly protocol: (typeof otlpProtocols)[number]
  readonly batchMax: number
  readonly timeoutMs: number
}

export interface Config {
  readonly listen: {
    readonly host: string
    readonly port: number
    /** Absolute paths of the certificate and its key, if the service uses HTTPS. */
    readonly tls?: { readonly certFile: string; readonly keyFile: string }
  }
  /** Absolute path. */
  readonly dataDir: string
  readonly logLevel: string
  /** 32 bytes as 64 hexadecimal characters or base64; see `values.ts`. */
  readonly masterKey?: Secret
  /** The PostgreSQL database, unless the embedded one in the data directory is used. */
  readonly database?: { readonly url: Secret; readonly connectionsMax: number }
  readonly blockHighRisk: boolean
  readonly upstream: ConnectionConfig & { readonly chat: UpstreamConfig; readonly messages: UpstreamConfig }
  readonly ingress: {
    readonly bodyBytesMax: number
    readonly inflatedBytesMax: number
    readonly depthMax: number
    readonly valuesMax: number
    readonly uploadTimeoutMs: number
    readonly keepAliveMs: number
    readonly bytesInFlightMax: number
    /** 0: nothing is kept. */
    readonly cleanSectionsMax: number
  }
  readonly events: {
    readonly bodyBytesMax: number
    readonly inflatedBytesMax: number
    readonly batchMax: number
    /** 0 for no limit. */
    readonly perSecondMax: number
    readonly queueMax: number
  }
  readonly retention: {
    readonly eventDays: number
    readonly auditDays: number
    /** Limit on the size of the database; 0 for none. */
    readonly storeBytesMax: number
  }
  /** Whether metrics are served. */
  readonly metrics: boolean
  /** Whether a model call waits until its decision is on disk. */
  readonly strictAudit: boolean
  readonly policyStream: {
    readonly streamsMax: number
    readonly streamsPerTokenMax: number
    readonly heartbeatMs: number
  }
  readonly signIn: SignInConfig
  readonly drainTimeoutMs: number
  /** How much of a call's trace context is passed to an upstream. */
  readonly passedContext: PassedContext
  /** Whether telemetry carries the attributes of the GenAI conventions. */
  readonly genAiAttributes: boolean
  /** The collector to which every workspace event is sent, if any. */
  readonly eventsOtlp?: EventsOtlpConfig
  /** What else in the environment may hold credentials, read by libraries. */
  readonly foreignSecrets: readonly Secret[]
  readonly vocabularies: Vocabularies
  /** The effective value of each variable, in the order of the table. */
  readonly settings: readonly ShownSetting[]
  /** Full sentences about settings that are allowed but probably not intended. */
  readonly warnings: readonly string[]
}

export type { ConfigFault } from './reader.ts'

type ConfigResult =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly ConfigFault[] }

/**
 * Reads the configuration.
 * @param env the environment; an empty value counts as unset
 * @param options.cwd base of relative paths
 * @returns the configuration, or all of its faults
 */
export function loadConfig(env: Environment, options: { readonly cwd: string }): ConfigResult {
  const faults: ConfigFault[] = []
  const read = createReader(variables, env, options.cwd, faults)
  const config = assemble(read, options.cwd, faults)
  checkTogether(config, faults)
  checkPairs(env, faults)
  faults.push(...proxyFaults(env))
  if (faults.length > 0) return { ok: false, faults }
  const warnings = [
    ...plainTextWarnings(config),
    ...switchWarnings(env),
    ...pathWarnings(config),
    ...signInWarnings(config.signIn),
    ...misspellings(env, variables)
  ]
  return {
    ok: true,
    config: {
      ...config,
      foreignSecrets: [...foreignSecrets(env), ...(config.database ? pgpassSecrets(env) : [])],
      settings: showSettings(variables, env),
      warnings
    }
  }
}

/** One line per fault, for standard error. */
export function formatFaults(faults: readonly ConfigFault[]): string {
  return faults.map(({ name, rule }) => `${name} ${rule}`).join('\n')
}

/** What each variable says by itself. */
type Assembled = Omit<Config, 'foreignSecrets' | 'settings' | 'warnings'>

function assemble(read: Reader, cwd: string, faults: ConfigFault[]): Assembled {
  const listen = assembleListen(read)
  const logLevel = read.text('SERVICE_LOG_LEVEL')
  const drainTimeoutMs = read.integer('SERVICE_DRAIN_TIMEOUT_MS')
  const dataDir = resolve(cwd, read.text('SERVICE_DATA_DIR'))
  const masterKey = read.secret('SERVICE_MASTER_KEY')
  const databaseUrl = read.secret('DATABASE_URL')
  const connectionsMax = read.integer('SERVICE_DATABASE_CONNECTIONS_MAX')
  const eventsOtlp = assembleEventsOtlp(read)
  return {
    listen,
    dataDir,
    logLevel,
    ...(masterKey ? { masterKey } : {}),
    ...(databaseUrl ? { database: { url: databaseUrl, connectionsMax } } : {}),
    blockHighRisk: read.isOn('SERVICE_INGRESS_BLOCK_HIGH_RISK'),
    upstream: {
      chat: assembleUpstream(read, 'UPSTREAM_CHAT_API_BASE', 'UPSTREAM_CHAT_API_KEY'),
      messages: assembleUpstream(read, 'UPSTREAM_MESSAGES_API_BASE', 'UPSTREAM_MESSAGES_API_KEY'),
      connectTimeoutMs: read.integer('UPSTREAM_CONNECT_TIMEOUT_MS'),
      headersTimeoutMs: read.integer('UPSTREAM_HEADERS_TIMEOUT_MS'),
      idleTimeoutMs: read.integer('UPSTREAM_IDLE_TIMEOUT_MS'),
      connectionsMax: read.integer('UPSTREAM_CONNECTIONS_MAX')
    },
    ingress: assembleIngress(read),
    events: {
      bodyBytesMax: read.integer('SERVICE_EVENTS_BODY_BYTES_MAX'),
      inflatedBytesMax: read.integer('SERVICE_EVENTS_INFLATED_BYTES_MAX'),
      batchMax: read.integer('SERVICE_EVENTS_BATCH_MAX'),
      perSecondMax: read.integer('SERVICE_EVENTS_PER_SECOND_MAX'),
      queueMax: read.integer('SERVICE_EVENT_QUEUE_MAX')
    },
    strictAudit: read.text('SERVICE_AUDIT_MODE') === 'strict',
    policyStream: {
      streamsMax: read.integer('SERVICE_POLICY_STREAMS_MAX'),
      streamsPerTokenMax: read.integer('SERVICE_POLICY_STREAMS_PER_TOKEN_MAX'),
      heartbeatMs: read.integer('SERVICE_POLICY_STREAM_HEARTBEAT_MS')
    },
    signIn: assembleSignIn(read, faults),
    drainTimeoutMs,
    passedContext: read.text('SERVICE_UPSTREAM_TRACE_CONTEXT') as PassedContext,
    genAiAttributes: read.isOn('SERVICE_OTEL_GENAI'),
    ...(eventsOtlp ? { eventsOtlp } : {}),
    retention: {
      eventDays: read.integer('SERVICE_EVENTS_RETENTION_DAYS'),
      auditDays: read.integer('SERVICE_AUDIT_RETENTION_DAYS'),
      storeBytesMax: read.integer('SERVICE_STORE_BYTES_MAX')
    },
    metrics: read.isOn('SERVICE_METRICS'),
    vocabularies: readVocabularies(read, read.names('SERVICE_EXTRA_SANDBOXES'))
  }
}

function assembleListen(read: Reader): Config['listen'] {
  const certFile = read.file('SERVICE_TLS_CERT_FILE')
  const keyFile = read.file('SERVICE_TLS_KEY_FILE')
  const tls = certFile !== undefined && keyFile !== undefined ? { tls: { certFile, keyFile } } : {}
  return { host: read.text('HOST'), port: read.integer('PORT'), ...tls }
}

function assembleUpstream(
  read: Reader,
  baseName: 'UPSTREAM_CHAT_API_BASE' | 'UPSTREAM_MESSAGES_API_BASE',
  keyName: VariableName
): UpstreamConfig {
  const base = read.text(baseName)
  const key = read.secret(keyName)
  const keyFile = read.secretFile(keyName)
  const isDefaultBase = base === variables[baseName].default
  return { base, isDefaultBase, ...(key && { key }), ...(keyFile && { keyFile }) }
}

const logsPath = '/v1/logs'

function assembleEventsOtlp(read: Reader): EventsOtlpConfig | undefined {
  const base = read.text('SERVICE_EVENTS_OTLP_ENDPOINT')
  const headers = read.secret('SERVICE_EVENTS_OTLP_HEADERS')
  const settings = {
    protocol: read.text('SERVICE_EVENTS_OTLP_PROTOCOL') as EventsOtlpConfig['protocol'],
    batchMax: read.integer('SERVICE_EVENTS_OTLP_BATCH_MAX'),
    timeoutMs: read.integer('SERVICE_EVENTS_OTLP_TIMEOUT_MS')
  }
  if (base === '') return undefined
  return { url: base.endsWith(logsPath) ? base : base + logsPath, ...(headers ? { headers } : {}), ...settings }
}

/** The limits of the ingress that the service and a sidecar share. */
type IngressBound = Exclude<Extract<VariableName, `SERVICE_INGRESS_${string}`>, 'SERVICE_INGRESS_BLOCK_HIGH_RISK'>

/** Reads the limits of the ingress. */
export function assembleIngress(read: Reader<IngressBound>): Config['ingress'] {
  return {
    bodyBytesMax: read.integer('SERVICE_INGRESS_BODY_BYTES_MAX'),
    inflatedBytesMax: read.integer('SERVICE_INGRESS_INFLATED_BYTES_MAX'),
    depthMax: read.integer('SERVICE_INGRESS_DEPTH_MAX'),
    valuesMax: read.integer('SERVICE_INGRESS_VALUES_MAX'),
    uploadTimeoutMs: read.integer('SERVICE_INGRESS_UPLOAD_TIMEOUT_MS'),
    keepAliveMs: read.integer('SERVICE_INGRESS_KEEP_ALIVE_MS'),
    bytesInFlightMax: read.integer('SERVICE_INGRESS_BYTES_IN_FLIGHT_MAX'),
    cleanSectionsMax: read.integer('SERVICE_INGRESS_CLEAN_SECTIONS_MAX')
  }
}

/** The size of a small database after a few busy minutes; a lower limit would be exceeded for no reason. */
const storeBytesMin = 16 * 1024 * 1024

function checkTogether({ ingress, database, masterKey, retention }: Assembled, faults: ConfigFault[]): void {
  if (retention.storeBytesMax > 0 && retention.storeBytesMax < storeBytesMin) {
    faults.push({ name: 'SERVICE_STORE_BYTES_MAX', rule: `must be 0 for no cap, or at least ${storeBytesMin}` })
  }
  // If each instance created its own key file, every instance would refuse the others' tokens.
  if (database && !masterKey && !faults.some(({ name }) => name.startsWith('SERVICE_MASTER_KEY'))) {
    faults.push({
      name: 'SERVICE_MASTER_KEY',
      rule: 'must be set with DATABASE_URL, to the same key in every instance'
    })
  }
  checkBytesInFlight(ingress, faults)
}

/** A body larger than the limit for all bytes in flight could never be accepted, however idle the process is. */
export function checkBytesInFlight(ingress: Config['ingress'], faults: ConfigFault[]): void {
  for (const [bytes, name] of [
    [ingress.bodyBytesMax, 'SERVICE_INGRESS_BODY_BYTES_MAX'],
    [ingress.inflatedBytesMax, 'SERVICE_INGRESS_INFLATED_BYTES_MAX']
  ] as const) {
    if (ingress.bytesInFlightMax >= bytes) continue
    faults.push({ name: 'SERVICE_INGRESS_BYTES_IN_FLIGHT_MAX', rule: `must not be less than ${name}` })
    return
  }
}

/** Variables that have no effect without another one. */
function checkPairs(env: Environment, faults: ConfigFault[]): void {
  const pair = ['SERVICE_TLS_CERT_FILE', 'SERVICE_TLS_KEY_FILE'] as const
  const [missing] = pair.filter((name) => !env[name])
  const given = pair.find((name) => env[name])
  if (missing !== undefined && given !== undefined) faults.push({ name: missing, rule: `must be set with ${given}` })
}

function plainTextWarnings({ upstream, database, eventsOtlp }: Assembled): string[] {
  const warnings: string[] = []
  if (eventsOtlp?.url.startsWith('http:') && !isLoopback(eventsOtlp.url)) {
    warnings.push(
      'SERVICE_EVENTS_OTLP_ENDPOINT is plain http to another machine: events and headers are sent unencrypted.'
    )
  }
  if (database && isPlainPostgres(database.url.reveal())) {
    warnings.push('DATABASE_URL has no sslmode that encrypts: records and the password are sent unencrypted.')
  }
  for (const [name, one] of [
    ['CHAT', upstream.chat],
    ['MESSAGES', upstream.messages]
  ] as const) {
    if (one.isDefaultBase && one.key === undefined) {
      warnings.push(`UPSTREAM_${name}_API_KEY is not set: its routes answer 503 until it is.`)
    }
    if (one.base.startsWith('http:') && !isLoopback(one.base)) {
      warnings.push(
        `UPSTREAM_${name}_API_BASE is plain http to another machine: prompts and the key are sent unencrypted.`
      )
    }
  }
  return warnings
}

/** Switches that any value but one leaves on: someone who writes `False` or `fasle` wants them off. */
function switchWarnings(env: Environment): string[] {
  return Object.entries<Variable>(variables)
    .filter(([name, { type }]) => type === 'switch' && env[name] && env[name] !== 'true' && env[name] !== 'false')
    .map(([name]) => `${name} is neither true nor false, so it is on: only the exact text false turns it off.`)
}

/** Base URLs with which every call would go to a path that does not exist. */
function pathWarnings({ upstream }: Assembled): string[] {
  const endsWith = (path: string): string => `ends with what is appended to it: calls go to it with ${path} behind it`
  const chat = 'UPSTREAM_CHAT_API_BASE'
  const cases = [
    [chat, upstream.chat.base, /\/chat\/completions$/, endsWith('/chat/completions')],
    [chat, upstream.chat.base, /\/v1\/v1$/, 'ends with /v1 twice: once is what vendors have'],
    [
      chat,
      upstream.chat.base,
      /^https:\/\/api\.openai\.com$/,
      `lacks the version: set it to ${variables[chat].default}`
    ],
    ['UPSTREAM_MESSAGES_API_BASE', upstream.messages.base, /\/v1(?:\/messages)?$/, endsWith('/v1/messages')]
  ] as const
  return cases.filter(([, base, pattern]) => pattern.test(base)).map(([name, , , words]) => `${name} ${words}.`)
}
