/**
 * The client side of the policy stream, for sensors: follows the policy, accepts only what verifies, keeps the last one
 * across restarts, and knows at any moment whether there is a policy to enforce.
 */
import type { Dispatcher } from 'undici'
import { createAgent } from '../config/agent.ts'
import { frameCharsMax } from './frame.ts'
import { Freshness, wallAgeMs } from './freshness.ts'
import { judge, type RejectReason } from './judge.ts'
import { Plan, type Step } from './plan.ts'
import { PolicyClient } from './policy-client.ts'
import { PolicyFile } from './policy-file.ts'
import { serviceBase } from './service-base.ts'
import { StatusReporter } from './status-reporter.ts'
import {
  subscriberDefaults,
  type AppliedPolicy,
  type PolicyAcknowledgement,
  type PolicySubscriber,
  type SubscriberClock,
  type SubscriberOptions,
  type SubscriberStatus,
  type SubscriberTimings,
  type SubscriberWarning,
  type Transport,
  type UnusedFile
} from './subscriber-options.ts'
import { Wait } from '../timing/wait.ts'

export * from './subscriber-options.ts'
export type { PolicyFrame } from './frame.ts'
export type { PolicyState } from './freshness.ts'

/** Number of rejected revisions that are remembered, so that each is reported only at intervals. */
const rejectedMax = 64
/** The service's `retry:` is limited to this range. */
const retryBoundsMs = { min: 100, max: 60_000 }
/** A file holds the frame as JSON in JSON, which doubles quotes. */
const fileBytesPerChar = 4

const systemClock: SubscriberClock = { monotonicMs: () => performance.now(), wallMs: () => Date.now() }

/**
 * Starts to follow the policy of a token's workspace. Returns at once; `ready()` waits for a policy. Keeps the process
 * alive until it is closed.
 * @throws TypeError if the target is not a service URL, or the token cannot be sent in a header
 */
export function createPolicySubscriber<Compiled>(options: SubscriberOptions<Compiled>): PolicySubscriber<Compiled> {
  return new Subscriber(options)
}

class Subscriber<Compiled> implements PolicySubscriber<Compiled> {
  readonly #options: SubscriberOptions<Compiled>
  readonly #timings: SubscriberTimings
  readonly #clock: SubscriberClock
  readonly #plan: Plan
  readonly #client: PolicyClient
  readonly #ownDispatcher: Dispatcher | undefined
  readonly #file: PolicyFile | undefined
  readonly #freshness: Freshness
  readonly #status: StatusReporter
  readonly #wait = new Wait()
  readonly #stop = new AbortController()
  readonly #ready = Promise.withResolvers<AppliedPolicy<Compiled>>()
  /** When each was last reported, by revision and reason. */
  readonly #rejected = new Map<string, number>()
  readonly #running: Promise<void>
  #current: AppliedPolicy<Compiled> | undefined
  #announced: AppliedPolicy<Compiled> | undefined
  /** The service has another policy, which was rejected. */
  #isBehind = false
  #writing: Promise<void> = Promise.resolve()
  #writtenMs = Number.NEGATIVE_INFINITY
  #reportedMs = Number.NEGATIVE_INFINITY

  constructor(options: SubscriberOptions<Compiled>) {
    const base = serviceBase(options.target)
    if (!/^[\x21-\x7e]+$/.test(options.token)) {
      throw new TypeError('The token must be visible ASCII characters without spaces.')
    }
    this.#options = options
    this.#timings = { ...subscriberDefaults, ...options.timings }
    this.#clock = options.clock ?? systemClock
    this.#plan = new Plan(this.#timings, options.random ?? Math.random)
    if (options.dispatcher === undefined) this.#ownDispatcher = createAgent(process.env)
    this.#client = new PolicyClient({
      base,
      token: options.token,
      dispatcher: options.dispatcher ?? (this.#ownDispatcher as Dispatcher),
      wallMs: this.#clock.wallMs
    })
    if (options.file !== undefined) {
      this.#file = new PolicyFile(options.file, options.token, frameCharsMax * fileBytesPerChar)
    }
    const { watchdogMs: freshMs, staleAgeMaxMs } = this.#timings
    this.#freshness = new Freshness({ freshMs, staleAgeMaxMs }, this.#clock.monotonicMs)
    this.#status = new StatusReporter(
      { freshness: this.#freshness, plan: this.#plan, revision: () => this.#current?.frame.revision },
      (status) => this.#call(options.onState, status)
    )
    this.#ready.promise.catch(() => undefined)
    this.#running = this.#run()
  }

  get status(): SubscriberStatus {
    return this.#status.status
  }

  get policy(): AppliedPolicy<Compiled> | undefined {
    return this.#freshness.state === 'expired' ? undefined : this.#current
  }

  ready(): Promise<AppliedPolicy<Compiled>> {
    return this.#ready.promise
  }

  retryNow(): void {
    this.#wait.cut()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    this.#wait.end()
    await this.#running
    if (this.#freshness.state === 'fresh') this.#keep()
    await this.#writing
    this.#status.end()
    await this.#ownDispatcher?.destroy()
    this.#ready.reject(new Error('The policy subscriber was closed before there was a policy.'))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #run(): Promise<void> {
    await this.#restore()
    this.#status.tell(undefined)
    while (!this.#stop.signal.aborted) {
      const { waitMs, problem, fault, isPatient } = await (this.#plan.transport === 'stream'
        ? this.#follow()
        : this.#poll())
      if (this.#isBehind) this.#status.tell('rejected')
      else this.#status.tell(problem, fault)
      await this.#wait.for(waitMs, isPatient)
    }
  }

  async #restore(): Promise<void> {
    const reading = await this.#file?.read()
    if (reading === undefined || reading.kind === 'absent') return
    if (reading.kind === 'fault') return this.#refuseFile(`file_${reading.fault}`)
    const verdict = judge(reading.text, undefined, this.#options.validate)
    if (verdict.kind !== 'apply') return this.#refuseFile('file_rejected')
    this.#freshness.restore(wallAgeMs(reading.confirmedAt, this.#clock.wallMs()))
    this.#current = { frame: verdict.frame, compiled: verdict.compiled }
    if (this.#freshness.state === 'expired') this.#refuseFile('file_expired')
    this.#announce('file')
  }

  #refuseFile(reason: UnusedFile): void {
    this.#warn(reason)
    this.#report({ kind: 'policy_rejected', reasonCode: reason })
  }

  async #follow(): Promise<Step> {
    this.#isBehind = false
    const { firstByteMs, watchdogMs } = this.#timings
    const outcome = await this.#client.follow({
      revision: this.#current?.frame.revision,
      signal: this.#stop.signal,
      firstByteMs,
      watchdogMs,
      onPolicy: (text) => this.#take(text),
      onComment: () => {
        if (!this.#isBehind) this.#confirm()
      },
      onRetry: (retryMs) => {
        this.#plan.retryMs = Math.min(Math.max(retryMs, retryBoundsMs.min), retryBoundsMs.max)
      }
    })
    if (outcome.kind === 'too_large') this.#reject('too_large', undefined)
    return this.#plan.afterStream(outcome, this.#clock.monotonicMs(), this.policy !== undefined)
  }

  async #poll(): Promise<Step> {
    const outcome = await this.#client.poll({
      revision: this.#current?.frame.revision,
      signal: this.#stop.signal,
      timeoutMs: this.#timings.pollTimeoutMs
    })
    if (outcome.kind === 'policy') this.#take(outcome.text)
    if (outcome.kind === 'unchanged') this.#confirm()
    if (outcome.kind === 'too_large') this.#reject('too_large', undefined)
    return this.#plan.afterPoll(outcome, this.#clock.monotonicMs())
  }

  #take(text: string): void {
    const verdict = judge(text, this.#current?.frame.revision, this.#options.validate)
    if (verdict.kind === 'reject') return this.#reject(verdict.reason, verdict.revision)
    if (verdict.kind === 'apply') {
      this.#current = { frame: verdict.frame, compiled: verdict.compiled }
      this.#writtenMs = Number.NEGATIVE_INFINITY
    }
    this.#confirm()
  }

  /**
   * Reports once for each policy that it is in force. A policy from an expired file is not, until the service confirms
   * it.
   */
  #announce(from: Transport | 'file'): void {
    const { policy } = this
    if (policy === undefined || policy === this.#announced) return
    this.#announced = policy
    this.#ready.resolve(policy)
    this.#call(this.#options.onPolicy, policy)
    this.#reportApplied(policy, from)
  }

  #reportApplied({ frame }: AppliedPolicy<Compiled>, from: Transport | 'file'): void {
    this.#reportedMs = this.#clock.monotonicMs()
    this.#report({ kind: 'policy_applied', policyRevision: frame.revision, reasonCode: from })
  }

  /** The old policy stays in force. */
  #reject(reason: RejectReason, revision: string | undefined): void {
    this.#isBehind = true
    this.#freshness.doubt()
    this.#status.tell('rejected')
    const name = `${revision ?? ''} ${reason}`
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - (this.#rejected.get(name) ?? Number.NEGATIVE_INFINITY) < this.#timings.reportMs) return
    if (this.#rejected.size === rejectedMax) this.#rejected.clear()
    this.#rejected.set(name, nowMs)
    this.#report({
      kind: 'policy_rejected',
      ...(revision === undefined ? {} : { policyRevision: revision }),
      reasonCode: reason
    })
  }

  /** The service has confirmed that this policy is current. */
  #confirm(): void {
    if (this.#current === undefined) return
    this.#isBehind = false
    this.#freshness.confirm()
    this.#announce(this.#plan.transport)
    this.#status.tell(undefined)
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#writtenMs >= this.#timings.fileRefreshMs) this.#keep()
    if (nowMs - this.#reportedMs >= this.#timings.reportMs) this.#reportApplied(this.#current, this.#plan.transport)
  }

  /** Writes the file, one write at a time. */
  #keep(): void {
    const file = this.#file
    const frame = this.#current?.frame
    if (file === undefined || frame === undefined) return
    this.#writtenMs = this.#clock.monotonicMs()
    const kept = { frame, confirmedAt: this.#clock.wallMs() }
    this.#writing = this.#writing.then(() => file.write(kept)).catch(() => this.#warn('file_not_written'))
  }

  #report(event: PolicyAcknowledgement): void {
    this.#call(this.#options.report, event)
  }

  #warn(code: SubscriberWarning): void {
    try {
      this.#options.onWarning?.(code)
    } catch {
      // There is no one left to tell.
    }
  }

  /** A failing callback must not stop the policy. */
  #call<Argument>(callback: ((argument: Argument) => void) | undefined, argument: Argument): void {
    try {
      callback?.(argument)
    } catch {
      this.#warn('callback_failed')
    }
  }
}
