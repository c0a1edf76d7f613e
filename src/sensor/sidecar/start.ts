/** Builds a sidecar from its configuration, and shuts it down again. It needs no database. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { listenFault } from '../../config/listen-fault.ts'
import { timerMsMax } from '../../config/milliseconds.ts'
import type { SidecarConfig } from '../../config/sidecar.ts'
import { version } from '../../config/version.ts'
import { dialects } from '../../dialects/index.ts'
import { writeRefusal } from '../../ingress/refusal/answer.ts'
import { joinAuthorization } from '../../ingress/headers/credentials.ts'
import { createByteBudget } from '../../ingress/body/byte-budget.ts'
import { cleanSectionsOf } from '../../ingress/body/clean-sections.ts'
import { findCall } from '../../ingress/find-call.ts'
import { OpenCalls } from '../../ingress/client.ts'
import { holdCalls } from '../../ingress/held-calls.ts'
import { handleCall, type IngressDependencies, type IngressPolicy } from '../../ingress/handle-call.ts'
import { readTarget, refuseTunnels } from '../../ingress/refusal/not-a-proxy.ts'
import { cutOff, Refused } from '../../ingress/refusal/refused.ts'
import {
  createPolicySubscriber,
  type PolicySubscriber,
  type SubscriberOptions
} from '../../policy-stream/subscriber.ts'
import { plainScanner } from '../../policy/redaction/profile-scanner.ts'
import { createScrubber } from '../../policy/redaction/scrub.ts'
import { parseRequestId, requestHeaders } from '../../protocol/headers.ts'
import { callMetadata, traceFields, type CallRecord } from '../../telemetry/report.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import type { Telemetry } from '../../telemetry/tracing.ts'
import { createUpstreamDispatcher } from '../../upstream/client.ts'
import { createUpstreamPlaces } from '../../upstream/places.ts'
import { createReporter, type Reporter } from '../spool/reporter.ts'
import { factsOf, Heartbeat, type HeartbeatTimings, type SensorFacts } from '../heartbeat.ts'
import { compileBaseline } from './baseline.ts'
import { callEvent } from './call-event.ts'
import { baseUrlOf, comesFromSidecar, gateRefusal } from './gate.ts'
import { answerHealth, type SidecarHealth } from './health.ts'
import { callerOf, createHop, serviceTargets } from './hop.ts'
import { listen } from './listener.ts'
import { placeholderDigest } from '../placeholder-digest.ts'
import { sensorDetectors } from '../sensor-detectors.ts'
import { levelOf, logEventProblems, type CompilingParts } from '../service-link.ts'
import { SidecarMetrics } from './metrics.ts'
import { compileFrame, policyInForce, standing } from './policy.ts'

export interface RunningSidecar extends AsyncDisposable {
  /** 0 if it only listens on its socket. */
  readonly port: number
  /** The base URL for SDKs. */
  readonly baseUrl: string
  readonly policy: Pick<PolicySubscriber<IngressPolicy>, 'policy' | 'status' | 'ready'>
  /** Makes the code that masks bodies outlast collections of garbage. */
  holdCalls(): void
  /** Stops: accepts no new calls, waits for those in progress, and sends or keeps what is to be reported. */
  close(): Promise<void>
}

export interface SidecarOptions {
  readonly log: Logger
  /** Receives spans, log records and metrics. The caller ends it after the sidecar. */
  readonly telemetry?: Telemetry | undefined
  /** For tests: a faster subscriber. */
  readonly timings?: SubscriberOptions<IngressPolicy>['timings']
  readonly heartbeat?: Partial<HeartbeatTimings>
}

/** The path below which SDKs find the API. */
const basePath = '/v1'
/** The ingress refuses a request that takes too long to arrive; the server's own limit is higher. */
const requestGraceMs = 30_000
/** For events and heartbeats, which must not wait for the answers of models. */
const ownConnections = 2

/** Where a sidecar keeps the last policy. */
const policyFileOf = ({ dataDir }: Pick<SidecarConfig, 'dataDir'>): string => join(dataDir, 'policy')

/** Starts a sidecar. It listens at once, and refuses calls until it has a policy. @throws Error if it cannot listen */
export async function startSidecar(config: SidecarConfig, options: SidecarOptions): Promise<RunningSidecar> {
  const { log } = options
  for (const warning of config.warnings) log.warn(warning)
  await using undo = new AsyncDisposableStack()
  const dispatcher = createUpstreamDispatcher(config)
  undo.defer(() => dispatcher.destroy())
  const compiling = { digest: placeholderDigest(config.token.reveal()), detectors: sensorDetectors(config.credentials) }
  const scrub = createScrubber(plainScanner(compiling.detectors))
  // Called only after what follows was created: nothing is known about disk or policy before.
  const soon = (): void => heartbeat.soon()
  const reporter = undo.use(startReporter(config, { log, dispatcher, scrub, onDiskProblem: soon }))
  const baseline = baselineOf(config, compiling, log)
  const subscriber = undo.use(followPolicy(config, options, { reporter, compiling, onState: soon }))
  const facts = (): SensorFacts => factsOf(standing(subscriber, baseline), reporter.stats)
  const heartbeat: Heartbeat = undo.use(startHeartbeat(config, { options, dispatcher, facts }))
  const metrics = new SidecarMetrics()
  const { telemetry } = options
  const ingress = ingressOf(config, { log, dispatcher, scrub, subscriber, baseline, reporter, metrics, telemetry })

  const state: Serving['state'] = { isDraining: false, port: undefined }
  const { knownHosts, listen: to, ingress: limits } = config
  const health = (): SidecarHealth => {
    const status = standing(subscriber, baseline)
    const shown = { ...status, version: version(), events: reporter.stats, heldBytes: ingress.budget.taken }
    return { status, isDraining: state.isDraining, metrics: () => metrics.page(shown) }
  }
  const serving: Serving = { ingress, knownHosts, state, health }
  const listener = await listen((req, res, isLocal) => serve(req, res, isLocal, serving), {
    ...to,
    requestTimeoutMs: Math.min(limits.uploadTimeoutMs + requestGraceMs, timerMsMax),
    onServer: (server) => refuseTunnels(server, () => baseUrlOf(state.port))
  }).catch((error: unknown) => {
    throw listenFault(error, 'LISTEN_HOST', 'LISTEN_PORT')
  })
  const { port, hosts } = listener
  state.port = port
  log.info({ port, hosts, socket: to.socket?.path, target: config.target }, 'sidecar listening')
  const all = undo.move()
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= stop())
  async function stop(): Promise<void> {
    state.isDraining = true
    const cut = await listener.close(config.drainTimeoutMs, () => ingress.calls.end(cutOff()))
    if (cut > 0) log.warn({ cut }, 'connections were cut off by the stop')
    await all.disposeAsync()
    log.info('sidecar stopped')
  }
  return {
    port: port ?? 0,
    baseUrl: baseUrlOf(port),
    policy: subscriber,
    holdCalls: () => holdCalls(plainScanner(compiling.detectors), config.ingress),
    close,
    [Symbol.asyncDispose]: close
  }
}

/** What several parts of a sidecar share. */
interface SharedParts {
  readonly log: Logger
  readonly dispatcher: IngressDependencies['dispatcher']
  readonly scrub: IngressDependencies['scrub']
}

const stampOf = ({ sensorId }: SidecarConfig) => ({ platform: 'sidecar', sensorVersion: version(), sensorId })

function baselineOf({ baseline }: SidecarConfig, compiling: CompilingParts, log: Logger): IngressPolicy | undefined {
  if (baseline === undefined) return undefined
  const compiled = compileBaseline(baseline, compiling)
  log.warn({ revision: compiled.revision }, 'a baseline is enforced until the service first provides a policy')
  return compiled
}

function startHeartbeat(
  config: SidecarConfig,
  parts: Pick<SharedParts, 'dispatcher'> & { readonly options: SidecarOptions; readonly facts: () => SensorFacts }
): Heartbeat {
  const { dispatcher, options, facts } = parts
  return new Heartbeat({
    target: config.target,
    token: config.token.reveal(),
    dispatcher,
    stamp: stampOf(config),
    facts,
    ...(options.heartbeat && { timings: options.heartbeat })
  })
}

function startReporter(
  config: SidecarConfig,
  { log, dispatcher, scrub, onDiskProblem }: SharedParts & { readonly onDiskProblem: () => void }
): Reporter {
  return createReporter({
    target: config.target,
    token: config.token.reveal(),
    spool: { dir: join(config.dataDir, 'spool') },
    rules: { vocabularies: config.vocabularies, scrub },
    stamp: stampOf(config),
    dispatcher,
    ...logEventProblems(log, onDiskProblem)
  })
}

function followPolicy(
  config: SidecarConfig,
  { log, timings }: SidecarOptions,
  parts: { readonly reporter: Reporter; readonly compiling: CompilingParts; readonly onState: () => void }
): PolicySubscriber<IngressPolicy> {
  const { reporter, compiling, onState } = parts
  return createPolicySubscriber({
    target: config.target,
    token: config.token.reveal(),
    file: policyFileOf(config),
    validate: (frame) => compileFrame(frame, compiling),
    onState({ state, problem, fault, revision }) {
      if (state === 'fresh') reporter.retryNow()
      log[levelOf(problem)]({ state, problem, fault, revision }, 'policy')
      onState()
    },
    onWarning: (code) => log.warn({ code }, 'policy'),
    report: (event) => void reporter.report(event),
    ...(timings === undefined ? {} : { timings })
  })
}

function ingressOf(
  config: SidecarConfig,
  parts: SharedParts & {
    readonly subscriber: PolicySubscriber<IngressPolicy>
    readonly baseline: IngressPolicy | undefined
    readonly reporter: Reporter
    readonly metrics: SidecarMetrics
    readonly telemetry: Telemetry | undefined
  }
): IngressDependencies {
  const { token, target, upstream } = config
  const { log, dispatcher, scrub, subscriber, baseline, reporter, metrics } = parts
  return {
    authenticate: (headers) => callerOf(headers, token),
    policyOf: () => policyInForce(subscriber, baseline),
    scrub,
    limits: config.ingress,
    budget: createByteBudget(config.ingress.bytesInFlightMax),
    cleanSections: cleanSectionsOf(config.ingress),
    vocabularies: config.vocabularies,
    targetOf: serviceTargets(target, token),
    hop: createHop(() => {
      if (subscriber.status.state !== 'fresh') subscriber.retryNow()
    }),
    dispatcher,
    places: createUpstreamPlaces(Math.max(1, upstream.connectionsMax - ownConnections)),
    calls: new OpenCalls(),
    startTimeoutMs: upstream.connectTimeoutMs * 2,
    stallTimeoutMs: upstream.idleTimeoutMs,
    keepAliveMs: config.ingress.keepAliveMs,
    report(record) {
      metrics.count(record)
      const event = callEvent(record)
      if (event) reporter.report(event)
      logCall(record, log)
    },
    telemetry: parts.telemetry,
    // The next hop is the operator's own service, which decides what is passed on from there.
    passedContext: 'full',
    log
  }
}

function logCall(record: CallRecord, log: Logger): void {
  const { requestId, tokenId } = record
  if (log.isLevelEnabled('info'))
    log.info(
      { requestId, tokenId, ...traceFields(record), ...callMetadata(record), platform: 'sidecar' },
      'sidecar call'
    )
}

interface Serving {
  readonly ingress: IngressDependencies
  readonly knownHosts: readonly string[]
  readonly state: { isDraining: boolean; port: number | undefined }
  readonly health: () => SidecarHealth
}

/** Answers any request. */
function serve(req: IncomingMessage, res: ServerResponse, isLocal: boolean, serving: Serving): void {
  const { ingress, state, health } = serving
  joinAuthorization(req)
  const gate = { port: state.port, knownHosts: serving.knownHosts }
  const target = readTarget(req.url ?? '/')
  const path = target.path.split('?', 1)[0] ?? '/'
  const isLoop = comesFromSidecar(req)
  // Probes use any host name, but a client that sends absolute URLs takes this for a proxy.
  if (!isLoop && target.authority === undefined && answerHealth(req, res, path, health())) return
  const requestId = parseRequestId(String(req.headers[requestHeaders.requestId] ?? '')) ?? timeOrderedId()
  const found = findCall(req, path, basePath)
  const refused =
    (isLoop ? new Refused('loop_detected') : gateRefusal(req, target, { ...gate, isLocal })) ??
    (found.ok ? undefined : found.refused) ??
    (state.isDraining ? new Refused('draining') : undefined)
  if (found.ok && refused === undefined) void handleCall(req, res, found.route, requestId, ingress)
  else if (refused) {
    const dialect = dialects[found.ok ? found.route.dialect : found.dialect]
    writeRefusal(req, res, dialect, refused, requestId)
  }
}
