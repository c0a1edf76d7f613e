/**
 * The standard variables of OpenTelemetry
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/) that determine what is exported.
 * Endpoints, headers, certificates, timeouts and compression are read by the exporters themselves. As the standard
 * demands, an invalid value is ignored with a warning, because such variables are often set for a whole cluster.
 */
import type { Environment } from './reader.ts'

const signals = ['TRACES', 'METRICS', 'LOGS'] as const
type Signal = (typeof signals)[number]

type OtelExporter = 'otlp' | 'console'
type OtelProtocol = 'http/protobuf' | 'http/json'

export interface OtelSignal {
  readonly exporters: readonly OtelExporter[]
  readonly protocol: OtelProtocol
}

type OtelSampler = 'always_on' | 'always_off' | 'traceidratio'

/** Limits of the queue behind an exporter; numbers of records and milliseconds, with the library's defaults. */
interface OtelBatch {
  readonly scheduledDelayMillis?: number
  readonly exportTimeoutMillis?: number
  readonly maxQueueSize?: number
  readonly maxExportBatchSize?: number
}

export interface OtelConfig {
  readonly TRACES?: OtelSignal
  readonly METRICS?: OtelSignal
  readonly LOGS?: OtelSignal
  readonly sampler: { readonly root: OtelSampler; readonly ratio: number; readonly isParentBased: boolean }
  readonly spanBatch: OtelBatch
  readonly logBatch: OtelBatch
  readonly metricIntervalMs: number
  readonly metricTimeoutMs: number
}

interface OtelResult {
  /** Undefined if nothing is to be exported: then nothing of OpenTelemetry is loaded. */
  readonly otel: OtelConfig | undefined
  /** Full sentences that name the variable and never its value. */
  readonly warnings: readonly string[]
}

const metricIntervalMs = 60_000
const metricTimeoutMs = 30_000

/** Reads the environment. An empty value counts as unset. */
export function readOtel(env: Environment): OtelResult {
  const warnings: string[] = []
  const ignore = (name: string, rule: string): void => {
    const sentence = `${name} ${rule}, and is ignored.`
    if (!warnings.includes(sentence)) warnings.push(sentence)
  }
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return { otel: undefined, warnings }
  const read = { env, ignore }
  const enabled = signals.flatMap((signal) => {
    const exporters = exportersOf(signal, read)
    return exporters.length > 0 ? [[signal, { exporters, protocol: protocolOf(signal, read) }] as const] : []
  })
  if (enabled.length === 0) return { otel: undefined, warnings }
  const otel = {
    ...(Object.fromEntries(enabled) as Partial<Record<Signal, OtelSignal>>),
    sampler: samplerOf(read),
    spanBatch: batchOf('OTEL_BSP', read),
    logBatch: batchOf('OTEL_BLRP', read),
    metricIntervalMs: numberOf('OTEL_METRIC_EXPORT_INTERVAL', read) ?? metricIntervalMs,
    metricTimeoutMs: numberOf('OTEL_METRIC_EXPORT_TIMEOUT', read) ?? metricTimeoutMs
  }
  // The library refuses a timeout longer than the interval.
  return { otel: { ...otel, metricTimeoutMs: Math.min(otel.metricTimeoutMs, otel.metricIntervalMs) }, warnings }
}

interface Reading {
  readonly env: Environment
  ignore(name: string, rule: string): void
}

/** The standard's default is to export to this machine; here it must be requested. */
function exportersOf(signal: Signal, read: Reading): OtelExporter[] {
  const { env, ignore } = read
  const name = `OTEL_${signal}_EXPORTER`
  const isAddressed = hasAddress(signal, read)
  if (!env[name]) return isAddressed ? ['otlp'] : []
  const words = env[name].split(',').map((word) => word.trim())
  const known = (['otlp', 'console'] as const).filter((exporter) => words.includes(exporter))
  if (words.some((word) => !['otlp', 'console', 'none'].includes(word))) {
    ignore(name, 'must be otlp, console or none, or a list of them; other exporters are not supported')
  }
  return words.includes('none') ? [] : known
}

/** Whether an endpoint is given that the exporters can read: they would send to this machine instead of any other. */
function hasAddress(signal: Signal, { env, ignore }: Reading): boolean {
  const given = [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'].filter((name) => env[name])
  const faulty = given.filter((name) => !/^https?:$/.test(URL.parse(env[name] ?? '')?.protocol ?? ''))
  for (const name of faulty) ignore(name, 'must be an http or https URL')
  return given.length > faulty.length
}

function protocolOf(signal: Signal, { env, ignore }: Reading): OtelProtocol {
  for (const name of [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    const value = env[name]
    if (!value) continue
    if (value === 'http/protobuf' || value === 'http/json') return value
    ignore(name, 'must be http/protobuf or http/json (grpc is not supported)')
  }
  return 'http/protobuf'
}

const samplerPattern = /^(parentbased_)?(always_on|always_off|traceidratio)$/

function samplerOf({ env, ignore }: Reading): OtelConfig['sampler'] {
  const fallback = { root: 'always_on', ratio: 1, isParentBased: true } as const
  const name = 'OTEL_TRACES_SAMPLER'
  if (!env[name]) return fallback
  const [, parentBased, root] = samplerPattern.exec(env[name]) ?? []
  if (root === undefined) {
    ignore(name, 'must be always_on, always_off or traceidratio, alone or after parentbased_')
    return fallback
  }
  return { root: root as OtelSampler, ratio: ratioOf({ env, ignore }), isParentBased: parentBased !== undefined }
}

function ratioOf({ env, ignore }: Reading): number {
  const name = 'OTEL_TRACES_SAMPLER_ARG'
  if (!env[name]) return 1
  const ratio = /^(?:[0-9]+|[0-9]*\.[0-9]+)$/.test(env[name]) ? Number(env[name]) : Number.NaN
  if (ratio >= 0 && ratio <= 1) return ratio
  ignore(name, 'must be a number from 0 to 1')
  return 1
}

function numberOf(name: string, { env, ignore }: Reading): number | undefined {
  if (!env[name]) return undefined
  const value = /^[0-9]{1,9}$/.test(env[name]) ? Number(env[name]) : 0
  if (value > 0) return value
  ignore(name, 'must be a whole number from 1 to 999999999')
  return undefined
}

function batchOf(prefix: 'OTEL_BSP' | 'OTEL_BLRP', read: Reading): OtelBatch {
  const given = Object.entries({
    scheduledDelayMillis: numberOf(`${prefix}_SCHEDULE_DELAY`, read),
    exportTimeoutMillis: numberOf(`${prefix}_EXPORT_TIMEOUT`, read),
    maxQueueSize: numberOf(`${prefix}_MAX_QUEUE_SIZE`, read),
    maxExportBatchSize: numberOf(`${prefix}_MAX_EXPORT_BATCH_SIZE`, read)
  }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as OtelBatch
}
