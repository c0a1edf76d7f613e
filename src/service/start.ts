/** Starts the service from a configuration, and stops it. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino, type Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { listenFault } from '../config/listen-fault.ts'
import { lastBytesMs, OpenCalls } from '../ingress/client.ts'
import { holdCalls } from '../ingress/held-calls.ts'
import { cutOff } from '../ingress/refusal/refused.ts'
import type { Store } from '../store/store.ts'
import type { Telemetry } from '../telemetry/tracing.ts'
import type { MadeLink } from './accounts/links.ts'
import { fileLimitWarning, readLimits } from './file-limit.ts'
import { createEndpoints } from './endpoints.ts'
import { createLifecycle } from './lifecycle.ts'
import type { ExporterTimings } from './otlp-out/exporter.ts'
import { openParts } from './parts.ts'
import { reloadTls } from './tls.ts'
import type { TokenService } from './tokens/tokens.ts'

export interface RunningService extends AsyncDisposable {
  /** `http://127.0.0.1:8080`, with the actual port. */
  readonly url: string
  readonly port: number
  readonly store: Store
  readonly tokens: TokenService
  /** Whether this start created the default workspace. */
  readonly isFirstStart: boolean
  /** Creates the link for the first admin; undefined if there is one, or passwords are not accepted. */
  makeSetupLink(): Promise<MadeLink | undefined>
  /** Makes the code that masks bodies outlast collections of garbage. */
  holdCalls(): void
  /** Stops: refuses new calls, waits for those in progress up to the drain timeout, and writes what is recorded. */
  close(): Promise<void>
}

export interface StartOptions {
  /** Where log lines go. Default: standard output, where each line is written before the service continues. */
  readonly log?: Logger
  /** Receives spans, log records and metrics. The caller ends it after the service. */
  readonly telemetry?: Telemetry | undefined
  /** For tests: faster exports to a collector. */
  readonly exportTimings?: ExporterTimings | undefined
}

/** When an instance stops, the reconnects of sensors are spread over at most this time. */
const drainSpreadMsMax = 5000
/** How long calls whose connections were closed may take to end. They no longer wait for anything. */
const cutOffMs = 2000

/**
 * Starts the service.
 * @throws Error if the store cannot be opened, the master key does not match it, or the address cannot be listened on
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  const { log = pino({ level: config.logLevel }), telemetry, exportTimings } = options
  for (const warning of config.warnings) log.warn(warning)
  const fewFiles = fileLimitWarning(readLimits(), config.upstream.connectionsMax)
  if (fewFiles !== undefined) log.warn(fewFiles)
  await using undo = new AsyncDisposableStack()
  const parts = await openParts(config, { log, exportTimings }, undo)
  const { store, tokens, isFirstStart, hub, maintenance, sealer, accounts } = parts
  const lifecycle = createLifecycle()
  const calls = new OpenCalls()
  const app = createEndpoints(config, { ...parts, lifecycle, calls, telemetry }, undo)
  undo.defer(() => app.close())
  const { tls } = config.listen
  if (tls) undo.defer(reloadTls(tls, app.server, { log, metrics: parts.metrics }))
  const { url, port } = await listen(app, config)
  maintenance.start()
  sealer.start()
  log.info({ url, dataDir: config.dataDir, blockHighRisk: config.blockHighRisk }, 'listening')

  const all = undo.move()
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= stop())
  async function stop(): Promise<void> {
    app.server.closeIdleConnections()
    const [{ left }] = await Promise.all([
      lifecycle.drain(config.drainTimeoutMs),
      hub.drain({ spreadMs: Math.min(config.drainTimeoutMs / 2, drainSpreadMsMax) })
    ])
    if (left > 0) {
      log.warn({ left }, 'calls were cut off by the stop')
      calls.end(cutOff())
      await lifecycle.drain(lastBytesMs)
    }
    app.server.closeAllConnections()
    // A call notices a few turns later that its client has gone, and only then reports its record.
    await lifecycle.drain(cutOffMs)
    await all.disposeAsync()
    log.info('stopped')
  }
  const makeSetupLink = async () =>
    config.signIn.takesPasswords
      ? await accounts.links.makeFirst({ actor: 'service', tokenId: null, requestId: null })
      : undefined
  return {
    url,
    port,
    store,
    tokens,
    isFirstStart,
    makeSetupLink,
    close,
    holdCalls: () => holdCalls(parts.own.scanner, config.ingress),
    [Symbol.asyncDispose]: close
  }
}

/** @returns the URL on which it listens, with the actual port */
async function listen(
  app: FastifyInstance,
  { listen: { host, port: wanted, tls } }: Config
): Promise<{ url: string; port: number }> {
  // A fleet that reconnects at once fills the system's default queue of 511 long before it is served.
  await app.listen({ host, port: wanted, backlog: 4096 }).catch((error: unknown) => {
    throw listenFault(error, 'HOST', 'PORT')
  })
  const { port } = app.server.address() as AddressInfo
  return { url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`, port }
}
