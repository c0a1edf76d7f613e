/** Puts a sidecar together out of its configuration, and takes it apart again. It needs no database. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { SidecarConfig } from '../../config/sidecar.ts'
import { version } from '../../config/version.ts'
import { dialects } from '../../dialects/index.ts'
import { writeRefusal } from '../../ingress/answer.ts'
import { createByteBudget } from '../../ingress/byte-budget.ts'
import { findCall } from '../../ingress/find-call.ts'
import { handleCall, type IngressDependencies, type IngressPolicy } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refused.ts'
import {
  createPolicySubscriber,
  type PolicySubscriber,
  type SubscriberOptions
} from '../../policy-stream/subscriber.ts'
import { plainScanner } from '../../policy/profile-scanner.ts'
import { createScrubber } from '../../policy/scrub.ts'
import { parseRequestId, requestHeaders } from '../../protocol/headers.ts'
import { callMetadata, type CallRecord } from '../../telemetry/report.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import { createUpstreamDispatcher } from '../../upstream/client.ts'
import { createReporter, type Reporter } from '../spool/reporter.ts'
import { callEvent } from './call-event.ts'
import { comesFromSidecar, gateRefusal } from './gate.ts'
import { answerHealth } from './health.ts'
import { callerOf, createHop, serviceTargets } from './hop.ts'
import { listen } from './listener.ts'
import { trafficDetectors } from '../../detection/detectors/traffic.ts'
import { placeholderDigest } from '../placeholder-digest.ts'
import { compileFrame, policyInForce } from './policy.ts'

export interface RunningSidecar extends AsyncDisposable {
  readonly port: number
  /** What SDKs set as base URL. */
  readonly baseUrl: string
  readonly policy: Pick<PolicySubscriber<IngressPolicy>, 'policy' | 'status' | 'ready'>
  /** Stops: takes no new calls, waits for those under way, sends or keeps what is to be reported. */
  close(): Promise<void>
}

export interface SidecarOptions {
  readonly log: Logger
  /** For tests: a faster subscriber. */
  readonly timings?: SubscriberOptions<IngressPolicy>['timings']
}

/** The path below which SDKs are told to find the API. */
const basePath = '/v1'
/** A request that is still coming in is refused by the ingress; this bound of the server's lies above that one. */
const requestGraceMs = 30_000
const timerMsMax = 2_147_483_647

/** Where a sidecar keeps the last policy. */
export const policyFileOf = ({ dataDir }: Pick<SidecarConfig, 'dataDir'>): string => join(dataDir, 'policy')

/** Starts a sidecar. It listens at once and refuses calls until it has a policy. @throws when it cannot listen */
export async function startSidecar(config: SidecarConfig, options: SidecarOptions): Promise<RunningSidecar> {
  const { log } = options
  for (const warning of config.warnings) log.warn(warning)
  await using undo = new AsyncDisposableStack()
  const dispatcher = createUpstreamDispatcher(config)
  undo.defer(() => dispatcher.destroy())
  const scrub = createScrubber(plainScanner(trafficDetectors))
  const reporter = undo.use(startReporter(config, { log, dispatcher, scrub }))
  const subscriber = undo.use(followPolicy(config, options, reporter))
  const ingress = ingressOf(config, { log, dispatcher, scrub, subscriber, reporter })

  const state = { isDraining: false, port: 0 }
  const { knownHosts, listen: to, ingress: limits } = config
  const listener = await listen((req, res) => serve(req, res, { ingress, subscriber, knownHosts, state }), {
    ...to,
    requestTimeoutMs: Math.min(limits.uploadTimeoutMs + requestGraceMs, timerMsMax)
  })
  const { port } = listener
  state.port = port
  log.info({ port, hosts: listener.hosts, target: config.target }, 'sidecar listening')
  const all = undo.move()
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= stop())
  async function stop(): Promise<void> {
    state.isDraining = true
    const cut = await listener.close(config.drainTimeoutMs)
    if (cut > 0) log.warn({ cut }, 'connections were cut off by the stop')
    await all.disposeAsync()
    log.info('sidecar stopped')
  }
  return {
    port,
    baseUrl: `http://localhost:${port}${basePath}`,
    policy: subscriber,
    close,
    [Symbol.asyncDispose]: close
  }
}

/** What several parts of a sidecar work with. */
interface SharedParts {
  readonly log: Logger
  readonly dispatcher: IngressDependencies['dispatcher']
  readonly scrub: IngressDependencies['scrub']
}

function startReporter(config: SidecarConfig, { log, dispatcher, scrub }: SharedParts): Reporter {
  return createReporter({
    target: config.target,
    token: config.token.reveal(),
    spool: { dir: join(config.dataDir, 'spool') },
    rules: { vocabularies: config.vocabularies, scrub },
    stamp: { platform: 'sidecar', sensorVersion: version() },
    dispatcher,
    onDiskProblem: (problem) => log[levelOf(problem)]({ problem }, 'events on disk'),
    onDeliveryProblem: (problem) => log[levelOf(problem)]({ problem }, 'delivery of events')
  })
}

const levelOf = (problem: string | undefined): 'info' | 'warn' => (problem === undefined ? 'info' : 'warn')

function followPolicy(
  config: SidecarConfig,
  { log, timings }: SidecarOptions,
  reporter: Reporter
): PolicySubscriber<IngressPolicy> {
  const digest = placeholderDigest(config.token.reveal())
  return createPolicySubscriber({
    target: config.target,
    token: config.token.reveal(),
    file: policyFileOf(config),
    validate: (frame) => compileFrame(frame, digest),
    onState({ state, problem, revision }) {
      if (state === 'fresh') reporter.retryNow()
      log[levelOf(problem)]({ state, problem, revision }, 'policy')
    },
    onWarning: (code) => log.warn({ code }, 'policy'),
    report: (event) => void reporter.report(event),
    ...(timings === undefined ? {} : { timings })
  })
}

function ingressOf(
  config: SidecarConfig,
  parts: SharedParts & { readonly subscriber: PolicySubscriber<IngressPolicy>; readonly reporter: Reporter }
): IngressDependencies {
  const { token, target, upstream } = config
  const { log, dispatcher, scrub, subscriber, reporter } = parts
  return {
    authenticate: (headers) => callerOf(headers, token),
    policyOf: () => policyInForce(subscriber),
    scrub,
    limits: config.ingress,
    budget: createByteBudget(config.ingress.bytesInFlightMax),
    vocabularies: config.vocabularies,
    targetOf: serviceTargets(target, token),
    hop: createHop(() => {
      if (subscriber.status.state !== 'fresh') subscriber.retryNow()
    }),
    dispatcher,
    startTimeoutMs: upstream.connectTimeoutMs * 2,
    stallTimeoutMs: upstream.idleTimeoutMs,
    keepAliveMs: config.ingress.keepAliveMs,
    report(record) {
      const event = callEvent(record)
      if (event) reporter.report(event)
      logCall(record, log)
    },
    log
  }
}

function logCall(record: CallRecord, log: Logger): void {
  const { requestId, tokenId } = record
  if (log.isLevelEnabled('info'))
    log.info({ requestId, tokenId, ...callMetadata(record), platform: 'sidecar' }, 'sidecar call')
}

interface Serving {
  readonly ingress: IngressDependencies
  readonly subscriber: PolicySubscriber<IngressPolicy>
  readonly knownHosts: readonly string[]
  readonly state: { readonly isDraining: boolean; readonly port: number }
}

/** Answers one request, whatever it is. */
function serve(req: IncomingMessage, res: ServerResponse, { ingress, subscriber, knownHosts, state }: Serving): void {
  const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
  const isLoop = comesFromSidecar(req)
  if (!isLoop && answerHealth(req, res, path, { status: subscriber.status, isDraining: state.isDraining })) return
  const requestId = parseRequestId(String(req.headers[requestHeaders.requestId] ?? '')) ?? timeOrderedId()
  const found = findCall(req, path, basePath)
  const refused =
    (isLoop ? new Refused('loop_detected') : gateRefusal(req, { port: state.port, knownHosts })) ??
    (found.ok ? undefined : found.refused) ??
    (state.isDraining ? new Refused('draining') : undefined)
  if (found.ok && refused === undefined) void handleCall(req, res, found.route, requestId, ingress)
  else if (refused) {
    const dialect = dialects[found.ok ? found.route.dialect : found.dialect]
    writeRefusal(req, res, dialect, refused, requestId)
  }
}
