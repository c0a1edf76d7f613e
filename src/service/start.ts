/** Puts the service together out of a configuration, and takes it apart again. */
import type { AddressInfo } from 'node:net'
import { pino, type Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { listenFault } from '../config/listen-fault.ts'
import { assertMasterKeyFits, loadMasterKey } from '../config/master-key.ts'
import { version } from '../config/version.ts'
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import type { Scanner } from '../detection/findings.ts'
import { createScanner } from '../detection/scanner.ts'
import { createByteBudget } from '../ingress/body/byte-budget.ts'
import type { IngressDependencies, IngressPrincipal } from '../ingress/handle-call.ts'
import { createPolicyHub } from '../policy-stream/hub.ts'
import { createScrubber } from '../policy/redaction/scrub.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { createEventWriter, type EventWriter } from '../telemetry/event-writer.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { logRecording } from '../telemetry/recording-log.ts'
import { commitDecision, reportIngressCall } from '../telemetry/report.ts'
import { timeOrderedId } from '../telemetry/time-ordered-id.ts'
import type { Telemetry } from '../telemetry/tracing.ts'
import { createUpstreamDispatcher } from '../upstream/client.ts'
import { upstreamTargets } from '../upstream/targets.ts'
import { authenticate, type Access } from './access.ts'
import { createAccounts } from './accounts/accounts.ts'
import type { MadeLink } from './accounts/links.ts'
import { registerAdministration } from './administration.ts'
import { createApp } from './app.ts'
import { createAuditSealer } from './upkeep/audit-sealer.ts'
import { createRateLimit } from './ingest/rate-limit.ts'
import { createDashboard } from './dashboard.ts'
import { createLifecycle } from './lifecycle.ts'
import { createMaintenance } from './upkeep/maintenance.ts'
import { connectSources } from './metrics-sources.ts'
import type { EventExporter, ExporterOptions, ExporterTimings } from './otlp-out/exporter.ts'
import { createPolicySource } from './policies/policies.ts'
import { PolicyDesk } from './policies/desk.ts'
import { createJudgeThread, waitingMax, waitingOfTokenMax } from './policies/judge.ts'
import { registerAuditProof } from './routes/audit-proof.ts'
import { registerAudit } from './routes/audit.ts'
import { registerEventExport } from './routes/event-export.ts'
import { registerEventReads } from './routes/event-reads.ts'
import { registerEventTail } from './routes/event-tail.ts'
import { createEventIntake, registerEvents, type EventsDependencies } from './routes/events.ts'
import { registerHealth } from './routes/health.ts'
import { createIngress } from './routes/ingress.ts'
import { registerMetrics } from './routes/metrics.ts'
import { registerPolicyDrafts, type DraftDependencies } from './routes/policy-drafts.ts'
import { createStreamPlaces } from './routes/stream-places.ts'
import { registerPolicySensors } from './routes/policy-sensors.ts'
import { registerPolicyStream } from './routes/policy-stream.ts'
import { registerPolicy } from './routes/policy.ts'
import { registerSensors } from './routes/sensors.ts'
import { createSensorRegistry } from './readings/sensors.ts'
import { createTokenService, grants, type Principal, type TokenService } from './tokens/tokens.ts'
import { readTls, reloadTls } from './tls.ts'
import { defaultWorkspaceId, ensureWorkspace } from './workspaces.ts'

export interface RunningService extends AsyncDisposable {
  /** `http://127.0.0.1:8080`, with the port that was really taken. */
  readonly url: string
  readonly port: number
  readonly store: Store
  readonly tokens: TokenService
  /** Whether this start made the default workspace. */
  readonly isFirstStart: boolean
  /** Makes the link with which the first admin comes in; undefined where there is one, or passwords are not taken. */
  makeSetupLink(): Promise<MadeLink | undefined>
  /** Stops: refuses new calls, waits for those under way within the drain time-out, writes what is recorded. */
  close(): Promise<void>
}

export interface StartOptions {
  /** Where log lines go; standard output by default, and then each line is written before the service goes on. */
  readonly log?: Logger
  /** Where spans, log records and metrics go. The caller ends it after the service. */
  readonly telemetry?: Telemetry | undefined
  /** For tests: a faster sending of events to a collector. */
  readonly exportTimings?: ExporterTimings | undefined
}

/**
 * Starts the service.
 * @throws when the store cannot be opened, the master key does not fit it, or the address cannot be listened on
 */
export async function startService(config: Config, options: StartOptions = {}): Promise<RunningService> {
  const log = options.log ?? pino({ level: config.logLevel })
  for (const warning of config.warnings) log.warn(warning)
  const cleanups: (() => Promise<unknown> | void)[] = []
  const undo = async (): Promise<void> => {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
  try {
    return await assemble(config, { ...options, log }, cleanups, undo)
  } catch (error) {
    await undo()
    throw error
  }
}

async function assemble(
  config: Config,
  { log, telemetry, exportTimings }: StartOptions & { readonly log: Logger },
  cleanups: (() => Promise<unknown> | void)[],
  undo: () => Promise<void>
): Promise<RunningService> {
  const opening = openStore(config)
  // Compiled while the threads of the store start.
  const detectors = trafficDetectors
  const scanner = createScanner({ detectors })
  const store = await opening
  cleanups.push(() => store.close())
  const masterKey = await loadMasterKey({ configured: config.masterKey?.reveal(), dataDir: config.dataDir })
  await assertMasterKeyFits(store, masterKey)
  const { created } = await ensureWorkspace(store, defaultWorkspaceId, 'service')
  if (config.signIn.oidc) await ensureWorkspace(store, config.signIn.oidc.workspaceId, 'service')
  const metrics = createMetrics((kind) => scanner.kinds.get(kind)?.tier)
  const maintenance = createMaintenance({ store, retention: config.retention, log, metrics })
  cleanups.push(() => maintenance.close())
  // Closed after the event writer, so that the last root names what it wrote last.
  const sealer = createAuditSealer({ store, masterKey, log, metrics })
  cleanups.push(() => sealer.close())
  const tokens = await createTokenService({ store, masterKey })
  cleanups.push(() => tokens.close())
  const accounts = await createAccounts({ store, masterKey, config, log })
  cleanups.push(async () => accounts[Symbol.asyncDispose]())
  const access: Access = { tokens, sessions: accounts.sessions, cookie: accounts.cookie }
  const { blockHighRisk } = config
  const policies = createPolicySource({
    store,
    masterKey,
    blockHighRisk,
    detectors,
    onFailure: (workspaceId) =>
      log.error({ workspaceId }, 'the policy could not be loaded; the last one stays in force')
  })
  cleanups.push(() => policies.close())
  await policies.policyOf(defaultWorkspaceId)
  const { heartbeatMs, ...limits } = config.policyStream
  const hub = createPolicyHub({ frames: { current: policies.effective }, limits, timings: { heartbeatMs } })
  policies.onPolicy((workspaceId, policy) => hub.publish(workspaceId, policy))
  cleanups.push(tokens.onRevoked((tokenId) => hub.closeToken(tokenId)))
  metrics.onScrape(() => metrics.set('streams', hub.stats().streams, { kind: 'policy' }))
  const events = createEventWriter(store, { queueMax: config.events.queueMax, reports: logRecording(log) })
  const exporter = await startExport(config, { store, metrics, log, timings: exportTimings })
  // Closed after the event writer, so that what it wrote last is sent as well.
  cleanups.push(() => exporter?.close())
  cleanups.push(() => events.close())
  const dispatcher = createUpstreamDispatcher(config)
  cleanups.push(() => dispatcher.destroy())

  const lifecycle = createLifecycle()
  const ingress = ingressDependencies(config, {
    tokens,
    policies,
    events,
    metrics,
    dispatcher,
    log,
    scanner,
    telemetry
  })
  const { tls } = config.listen
  const sensors = createSensorRegistry(store)
  cleanups.push(() => sensors.close())
  const ingest: EventsDependencies = {
    tokens,
    sensors,
    events,
    lifecycle,
    log,
    metrics,
    isStoreFull: () => maintenance.isStoreFull,
    budget: ingress.budget,
    limits: {
      bodyBytesMax: config.events.bodyBytesMax,
      inflatedBytesMax: config.events.inflatedBytesMax,
      uploadTimeoutMs: config.ingress.uploadTimeoutMs,
      batchMax: config.events.batchMax
    },
    rate: createRateLimit(config.events.perSecondMax, () => performance.now()),
    rules: ingress
  }
  const app = createApp({
    log,
    tls: tls && readTls(tls),
    trustedProxies: config.signIn.trustedProxies,
    dashboard: createDashboard({ isSecure: accounts.cookie.isSecure }),
    uploadTimeoutMs: config.ingress.uploadTimeoutMs,
    ahead: [createEventIntake(ingest), createIngress(ingress, lifecycle)]
  })
  registerHealth(app, { store, lifecycle, events, maintenance })
  registerEvents(app, ingest)
  registerAudit(app, { access, store, lifecycle, events })
  registerEventReads(app, { access, store, lifecycle, events })
  registerEventExport(app, { access, store, lifecycle, events })
  registerEventTail(app, { access, store, lifecycle, metrics })
  const judge = createJudgeThread()
  cleanups.push(() => judge.close())
  const desk = new PolicyDesk(store, { surfaces: [...config.vocabularies.surfaces], blockHighRisk }, judge)
  const { compile, effective, allowKey } = policies
  const tryText: DraftDependencies['tryText'] = (workspaceId, redactionProfile, text, place) =>
    judge.try({ text, place, redactionProfile, blockHighRisk, allowKey: allowKey(workspaceId) })
  const bodies = { limits: adminBodyLimits(config), budget: ingress.budget }
  const judging = createStreamPlaces(waitingMax, waitingOfTokenMax, 'too_many_judgements')
  registerPolicy(app, { access, lifecycle, desk, judging, effective, ...bodies })
  registerPolicyDrafts(app, { access, lifecycle, store, desk, judging, compile, tryText, ...bodies })
  registerPolicySensors(app, { access, lifecycle, store, effective })
  registerSensors(app, { access, lifecycle, store, effective })
  registerPolicyStream(app, { tokens, lifecycle, hub })
  registerAuditProof(app, { access, store, lifecycle, events, masterKey })
  const { people, links, attempts, oidc } = accounts
  registerAdministration(app, {
    ...{ access, lifecycle, config, store, events, maintenance, sealer, desk, judging, dispatcher, version: version() },
    ...{ people, links, attempts, oidc, compile, tryText, allowKey, targetOf: upstreamTargets(config) },
    ...bodies
  })
  if (config.metrics) {
    const { queueMax } = config.events
    connectSources(metrics, { store, events, queueMax, lifecycle, budget: ingress.budget, version: version() })
    registerMetrics(app, metrics)
  }
  cleanups.push(() => app.close())
  if (tls) cleanups.push(reloadTls(tls, app.server, log))
  // A fleet that reconnects at once fills the system's own queue of 511 long before it is served.
  await app.listen({ host: config.listen.host, port: config.listen.port, backlog: 4096 }).catch((error: unknown) => {
    throw listenFault(error, 'HOST', 'PORT')
  })

  const { port } = app.server.address() as AddressInfo
  const host = config.listen.host.includes(':') ? `[${config.listen.host}]` : config.listen.host
  const url = `${tls ? 'https' : 'http'}://${host}:${port}`
  maintenance.start()
  sealer.start()
  log.info({ url, dataDir: config.dataDir, blockHighRisk: config.blockHighRisk }, 'listening')
  const close = once(async () => {
    app.server.closeIdleConnections()
    const [{ left }] = await Promise.all([
      lifecycle.drain(config.drainTimeoutMs),
      hub.drain({ spreadMs: Math.min(config.drainTimeoutMs / 2, drainSpreadMsMax) })
    ])
    if (left > 0) log.warn({ left }, 'calls were cut off by the stop')
    app.server.closeAllConnections()
    await undo()
    log.info('stopped')
  })
  const makeSetupLink = async () =>
    config.signIn.takesPasswords
      ? await links.makeFirst({ actor: 'service', tokenId: null, requestId: null })
      : undefined
  return { url, port, store, tokens, isFirstStart: created, makeSetupLink, close, [Symbol.asyncDispose]: close }
}

/** Sends events to a collector where one is named; else nothing of it is loaded. */
async function startExport(
  { eventsOtlp, vocabularies, genAiAttributes: genAi }: Config,
  parts: Omit<ExporterOptions, 'config' | 'vocabularies' | 'genAi'>
): Promise<EventExporter | undefined> {
  if (!eventsOtlp) return undefined
  const { startEventExporter } = await import('./otlp-out/exporter.ts')
  return startEventExporter({ config: eventsOtlp, vocabularies, genAi, ...parts })
}

/** Reconnecting sensors are spread over this time at most when an instance stops. */
const drainSpreadMsMax = 5000

/** Two documents of their largest size, and a text to be tried. */
const adminBodyBytesMax = 4 * 1024 * 1024

const adminBodyLimits = ({ ingress: { uploadTimeoutMs } }: Config) => ({
  bodyBytesMax: adminBodyBytesMax,
  inflatedBytesMax: adminBodyBytesMax,
  uploadTimeoutMs
})

function ingressDependencies(
  config: Config,
  parts: {
    readonly tokens: TokenService
    readonly policies: { policyOf: IngressDependencies['policyOf'] }
    readonly events: EventWriter
    readonly metrics: Pick<Metrics, 'ingressCall'>
    readonly dispatcher: IngressDependencies['dispatcher']
    readonly log: Logger
    readonly scanner: Scanner
    readonly telemetry: Telemetry | undefined
  }
): IngressDependencies {
  return {
    authenticate: (headers) => {
      const principal = authenticate(parts.tokens, headers, undefined)
      return principal instanceof Promise ? principal.then(asCaller) : asCaller(principal)
    },
    policyOf: parts.policies.policyOf,
    scrub: createScrubber(parts.scanner),
    limits: config.ingress,
    budget: createByteBudget(config.ingress.bytesInFlightMax),
    vocabularies: config.vocabularies,
    targetOf: upstreamTargets(config),
    dispatcher: parts.dispatcher,
    // Time for one attempt to connect behind another; a client that reads nothing is held as long as a silent upstream.
    startTimeoutMs: config.upstream.connectTimeoutMs * 2,
    stallTimeoutMs: config.upstream.idleTimeoutMs,
    keepAliveMs: config.ingress.keepAliveMs,
    report: (record) => reportIngressCall(record, { ...parts, newId: timeOrderedId }),
    commitDecision: config.strictAudit ? (record) => commitDecision(record, parts.events) : undefined,
    telemetry: parts.telemetry,
    passedContext: config.passedContext,
    log: parts.log
  }
}

const asCaller = ({ tokenId, workspaceId, scopes }: Principal): IngressPrincipal => ({
  tokenId,
  workspaceId,
  mayCall: grants(scopes, 'ingress:write')
})

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= work())
}
