/** The gate of the MCP proxy: policy, limits, pins and events of all sessions of one process. */
import { basename, join } from 'node:path'
import type { Dispatcher } from 'undici'
import type { Logger } from 'pino'
import type { McpProxyConfig } from '../../config/mcp-proxy.ts'
import { Secret } from '../../config/secret.ts'
import { version } from '../../config/version.ts'
import { createAgent } from '../../config/agent.ts'
import {
  createPolicySubscriber,
  type PolicySubscriber,
  type SubscriberOptions
} from '../../policy-stream/subscriber.ts'
import { plainScanner } from '../../policy/redaction/profile-scanner.ts'
import { createScrubber } from '../../policy/redaction/scrub.ts'
import type { SensorEvent } from '../../protocol/events/event-schema.ts'
import type { TraceContext } from '../../protocol/trace-context.ts'
import type { Telemetry } from '../../telemetry/tracing.ts'
import type { Vocabularies } from '../../protocol/vocabularies.ts'
import { factsOf, Heartbeat } from '../heartbeat.ts'
import { placeholderDigest } from '../placeholder-digest.ts'
import { sensorDetectors } from '../sensor-detectors.ts'
import { levelOf, logEventProblems } from '../service-link.ts'
import { takeSpoolFolder } from '../spool/slots.ts'
import { createReporter, type EventInput, type Reporter } from '../spool/reporter.ts'
import { ConsentStates } from './gate/consent.ts'
import type { GateContext } from './gate/gate-context.ts'
import { compileGatePolicy, type GatePolicy } from './gate/gate-policy.ts'
import { isLasting, whyNoPolicy } from './gate/policy-problems.ts'
import { ListWatch } from './gate/list-watch.ts'
import { PinStore } from './gate/pin-store.ts'
import { ServerState } from './gate/server-state.ts'
import { Session } from './gate/session.ts'
import type { Gate, ServerIdentity } from './gate-contract.ts'

interface GateOptions {
  /** The service's URL. */
  readonly target: string
  readonly token: string
  /** What may hold credentials, found by their values; the token is, in any case. */
  readonly credentials?: readonly Secret[]
  /**
   * Absolute path of a folder for policy and pins, shared by all proxies of a machine. Without it, nothing outlives the
   * process.
   */
  readonly dir: string | undefined
  /** A folder for this process only, for events. */
  readonly spoolDir: string | undefined
  readonly vocabularies: Vocabularies
  /** Fields of every event: `downstreamServer`, `sensorId`, ... */
  readonly stamp: Partial<SensorEvent>
  /** The surface of calls that do not name one. */
  readonly surface?: string | undefined
  readonly log: Logger
  readonly telemetry?: Telemetry | undefined
  readonly dispatcher?: Dispatcher
  /** For tests: a faster subscriber, shorter waits. */
  readonly timings?: {
    readonly policy?: SubscriberOptions<GatePolicy>['timings']
    readonly policyWaitMs?: number
    readonly askTimeoutMs?: number
  }
}

export interface RunningGate extends Gate {
  readonly policy: Pick<PolicySubscriber<GatePolicy>, 'policy' | 'status' | 'ready'>
  /** For a dry run: what the gate knows about a server. */
  stateOf(server: ServerIdentity): ServerState
  readonly context: GateContext
}

/** An agent starts its servers and asks for their tools at once; the policy arrives a moment later. */
const policyWaitMs = 5000
const askTimeoutMs = 300_000
/** A call that is still unanswered is reported after this time. */
const tellAfterMs = 30_000
const serversMax = 1000
/** Events of allowed calls within this time share one sync to disk; refusals are written at once. */
const commitGapMs = 20

/**
 * Starts the gate of a configured proxy. An agent runs one proxy for each of its servers, so several share a folder.
 */
export async function openGate(
  config: McpProxyConfig,
  { log, telemetry }: Pick<GateOptions, 'log' | 'telemetry'>
): Promise<RunningGate> {
  const { target, token, credentials, dataDir, vocabularies, downstreamServer, surface } = config
  const spoolDir = await takeSpoolFolder(join(dataDir, 'spool'))
  // All proxies of a machine have its name; the spool folder is what tells them apart.
  const sensorId = `${config.sensorId}/mcp-proxy-${spoolDir === undefined ? process.pid : basename(spoolDir)}`
  return startGate({
    target,
    token: token.reveal(),
    credentials,
    dir: dataDir,
    spoolDir,
    vocabularies,
    stamp: { downstreamServer, sensorId, ...(surface !== undefined && { clientSurface: surface }) },
    surface,
    log,
    telemetry
  })
}

/** Starts a gate. It judges at once, and refuses until it has a policy. */
export function startGate(options: GateOptions): RunningGate {
  return new PolicyGate(options)
}

class PolicyGate implements RunningGate {
  readonly policy: PolicySubscriber<GatePolicy>
  readonly context: GateContext
  readonly #options: GateOptions
  readonly #scrub: (text: string) => string
  readonly #reporter: Reporter
  readonly #heartbeat: Heartbeat | undefined
  readonly #ownDispatcher: Dispatcher | undefined
  readonly #servers = new Map<string, ServerState>()
  readonly #sessions = new Set<Session>()
  readonly #sweep: NodeJS.Timeout
  /** Absent during construction: the subscriber may already call back. */
  readonly #lists: ListWatch | undefined
  #wait: Promise<void> | undefined
  #endWait: () => void = () => undefined
  #closing: Promise<void> | undefined

  constructor(options: GateOptions) {
    const { target, token, dir, log, vocabularies, stamp, timings = {} } = options
    this.#options = options
    const dispatcher = options.dispatcher ?? (this.#ownDispatcher = createAgent(process.env))
    const detectors = sensorDetectors([new Secret(token), ...(options.credentials ?? [])])
    const compiling = { digest: placeholderDigest(token), detectors }
    this.#scrub = createScrubber(plainScanner(detectors))
    this.#reporter = createReporter({
      target,
      token,
      dispatcher,
      rules: { vocabularies, scrub: this.#scrub },
      stamp: { platform: 'mcp-proxy', sensorVersion: version(), ...stamp },
      spool: { dir: options.spoolDir, commitGapMs },
      ...logEventProblems(log, () => this.#heartbeat?.soon())
    })
    this.policy = createPolicySubscriber({
      target,
      token,
      dispatcher,
      file: dir === undefined ? undefined : join(dir, 'policy'),
      validate: (frame) => compileGatePolicy(frame, compiling),
      onState: ({ state, problem, fault, revision }) => {
        if (state === 'fresh') this.#reporter.retryNow()
        this.#heartbeat?.soon()
        this.#checkLists()
        if (isLasting(problem)) this.#endWait()
        log[levelOf(problem)]({ state, problem, fault, revision }, 'policy')
      },
      onWarning: (code) => log.warn({ code }, 'policy'),
      report: (event) => void this.#reporter.report(event),
      ...(timings.policy && { timings: timings.policy })
    })
    // A gate without a sensor id has no row to keep up to date.
    if (stamp.sensorId !== undefined) this.#heartbeat = this.#startHeartbeat(dispatcher)
    this.context = this.#createContext()
    this.#lists = new ListWatch(this.context)
    const sweep = (): void => {
      this.#tellLongCalls()
      this.#checkLists()
    }
    this.#sweep = setInterval(sweep, tellAfterMs / 4).unref()
    this.#beginWait(timings.policyWaitMs ?? policyWaitMs)
  }

  stateOf(identity: ServerIdentity): ServerState {
    const key = JSON.stringify([identity.url, identity.command, identity.name])
    let state = this.#servers.get(key)
    if (state !== undefined) return state
    const { dir, token, log } = this.#options
    state = new ServerState(identity, (serverKey) => {
      const onWarning = (code: string): void => log.warn({ code }, 'pins of tools')
      return new PinStore(serverKey, { dir: dir === undefined ? undefined : join(dir, 'pins'), token, onWarning })
    })
    if (this.#servers.size >= serversMax) this.#servers.delete(this.#servers.keys().next().value as string)
    this.#servers.set(key, state)
    return state
  }

  open(server: ServerIdentity, connection: Parameters<Gate['open']>[1]): Session {
    const session = new Session(this.stateOf(server), connection, this.context)
    this.#sessions.add(session)
    session.onClose = () => this.#sessions.delete(session)
    return session
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearInterval(this.#sweep)
    for (const session of this.#sessions) session.close()
    await Promise.all([...this.#servers.values()].map(({ pins }) => pins.save()))
    await Promise.all([this.policy.close(), this.#reporter.close(), this.#heartbeat?.close()])
    await this.#ownDispatcher?.destroy()
  }

  #startHeartbeat(dispatcher: Dispatcher): Heartbeat {
    const { target, token, stamp } = this.#options
    return new Heartbeat({
      target,
      token,
      dispatcher,
      stamp: { platform: 'mcp-proxy', sensorVersion: version(), ...stamp },
      facts: () => factsOf(this.policy.status, this.#reporter.stats)
    })
  }

  #createContext(): GateContext {
    const { token, surface, log, timings = {} } = this.#options
    return {
      policy: () => this.policy.policy?.compiled,
      age: () => {
        const { state, ageMs = 0 } = this.policy.status
        return { isFresh: state === 'fresh', ageMs }
      },
      policyWait: () => (this.policy.policy === undefined ? this.#wait : undefined),
      problem: () => whyNoPolicy(this.policy.status),
      report: (event, trace, failure) => {
        const told = this.#tell(event, trace, failure)
        const report = this.#reporter.report(told === undefined ? event : { ...event, traceId: told.traceId })
        // A name that violates a rule for events must not make a decision disappear unnoticed.
        if (!report.ok)
          log.warn({ faults: report.faults.map(({ path, code }) => ({ path, code })) }, 'an event was invalid')
      },
      consent: new ConsentStates(token, Date.now),
      openCalls: new Set(),
      surface,
      askTimeoutMs: timings.askTimeoutMs ?? askTimeoutMs,
      log,
      nowMs: () => performance.now(),
      wallMs: Date.now
    }
  }

  #beginWait(ms: number): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms).unref()
    this.#endWait = () => {
      clearTimeout(timer)
      this.#wait = undefined
      resolve()
    }
    this.#wait = promise
    promise.then(this.#endWait, this.#endWait)
    this.policy.ready().then(this.#endWait, this.#endWait)
  }

  /**
   * Reports a decision about a call to OpenTelemetry. What the client got in place of an answer is an error, by its
   * reason.
   * @returns the context of its span
   */
  #tell(event: EventInput, parent?: TraceContext, failure?: string): TraceContext | undefined {
    const { telemetry } = this.#options
    const { action, mcpToolName, durationMs, decisionMs = 0 } = event
    if (telemetry === undefined || action === undefined || mcpToolName === undefined) return undefined
    const tookMs = durationMs ?? decisionMs
    return telemetry.tellDecision({
      action,
      mcpToolName: this.#scrub(mcpToolName),
      clientSurface: event.clientSurface,
      entitiesMasked: event.entitiesMasked,
      requestId: event.requestId,
      startedAt: Date.now() - tookMs,
      durationMs: tookMs,
      parent,
      errorCode: action === 'block' ? event.reasonCode : failure
    })
  }

  #checkLists(): void {
    void this.#lists?.check(this.#sessions)
  }

  #tellLongCalls(): void {
    const { openCalls, nowMs, report } = this.context
    for (const call of openCalls) {
      if (nowMs() - call.facts.startedMs < tellAfterMs) return
      openCalls.delete(call)
      const event = call.tell(nowMs(), undefined)
      if (event !== undefined) report(event, call.facts.trace)
    }
  }
}
