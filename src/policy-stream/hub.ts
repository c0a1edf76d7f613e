/**
 * The server side of the policy stream: its subscribers, what they are sent, and the limits of both. It works on Node's
 * request and response and knows neither routes nor the store; its owner authenticates, publishes and revokes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sequenceOf } from '../policy/revision.ts'
import { encodeComment, encodeRetry, type PolicyFrame } from './frame.ts'
import {
  closeReasons,
  hubDefaults,
  refusalCodes,
  type CloseReason,
  type HubOptions,
  type HubTimings,
  type OpenOptions,
  type PolicyHub,
  type RefusalCode,
  type StreamRefusal
} from './hub-options.ts'
import type { SendOutcome } from './policy-writer.ts'
import { PolicyStream, StreamRegistry } from './registry.ts'
import { TimerWheel } from './timer-wheel.ts'

export * from './hub-options.ts'

const heartbeat = encodeComment('heartbeat')
const drainTickMs = 50
/** The range for the `Retry-After` of refused clients, in seconds. */
const refusedWaitS = { min: 2, max: 10 }

const zeroes = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>

/** Creates a hub without streams. Its only timer runs while there are streams and does not keep the process alive. */
export function createPolicyHub(options: HubOptions): PolicyHub {
  return new Hub(options)
}

class Hub implements PolicyHub {
  readonly #frames: HubOptions['frames']
  readonly #limits: typeof hubDefaults.limits
  readonly #timings: HubTimings
  readonly #random: () => number
  readonly #streams: StreamRegistry
  readonly #wheel: TimerWheel<PolicyStream>
  readonly #loads = new Map<string, Promise<void>>()
  /** Streams to check on every tick, and since when: those with a write in progress at their visit, or told to end. */
  readonly #watched = new Map<PolicyStream, number>()
  readonly #counts = { framesSent: 0, framesCoalesced: 0 }
  readonly #closed = zeroes(closeReasons)
  readonly #refused = zeroes(refusalCodes)
  #isDraining = false

  constructor(options: HubOptions) {
    this.#frames = options.frames
    this.#limits = { ...hubDefaults.limits, ...options.limits }
    this.#timings = { ...hubDefaults.timings, ...options.timings }
    this.#random = options.random ?? Math.random
    this.#streams = new StreamRegistry(this.#timings.retryMs)
    this.#wheel = new TimerWheel(
      this.#timings.heartbeatMs,
      (stream) => this.#visit(stream),
      () => this.#watch()
    )
  }

  async open(options: OpenOptions): Promise<StreamRefusal | undefined> {
    const fault = this.#bound(options.tokenId)
    if (fault !== undefined) return this.#refuse(fault)
    const stream = this.#join(options)
    const onClose = (): void => this.#forget(stream)
    options.response.on('close', onClose)
    const refusal = await this.#greet(stream, options)
    // A response that was closed before, while its token was checked, does not say so again.
    if (refusal === undefined && !stream.writer.isGone) return undefined
    options.response.off('close', onClose)
    this.#forget(stream)
    return refusal && this.#refuse(refusal)
  }

  publish(workspaceId: string, frame: PolicyFrame): 'published' | 'unchanged' | 'older' {
    const channel = this.#streams.channel(workspaceId)
    const outcome = channel.offer(frame)
    if (channel.streams.size === 0) channel.release()
    return outcome === 'taken' ? 'published' : outcome
  }

  closeToken(tokenId: string): void {
    for (const stream of this.#streams.ofToken(tokenId)) this.#close(stream, 'revoked')
  }

  closeWorkspace(workspaceId: string): void {
    for (const stream of this.#streams.channel(workspaceId).streams) this.#close(stream, 'workspace')
  }

  workspaces(): string[] {
    return this.#streams.workspaces()
  }

  stats() {
    return {
      streams: this.#streams.all.size,
      ...this.#counts,
      closed: { ...this.#closed },
      refused: { ...this.#refused }
    }
  }

  async drain({ spreadMs }: { readonly spreadMs: number }): Promise<void> {
    this.#isDraining = true
    const streams = [...this.#streams.all]
    const startedMs = performance.now()
    for (let closed = 0; closed < streams.length;) {
      const share = spreadMs > 0 ? (performance.now() - startedMs) / spreadMs : 1
      const due = Math.min(streams.length, Math.ceil(streams.length * share))
      for (; closed < due; closed++) this.#close(streams[closed] as PolicyStream, 'drain', this.#farewell())
      if (closed < streams.length) await sleep(drainTickMs)
    }
    const isOpen = ({ sequence }: PolicyStream): boolean => sequence > 0
    while (this.#streams.all.values().some(isOpen)) {
      await sleep(drainTickMs)
      this.#watch()
    }
  }

  #bound(tokenId: string): RefusalCode | undefined {
    if (this.#isDraining) return 'draining'
    if (this.#streams.all.size >= this.#limits.streamsMax) return 'overloaded'
    return this.#streams.ofToken(tokenId).size >= this.#limits.streamsPerTokenMax ? 'too_many_streams' : undefined
  }

  #refuse(code: RefusalCode): StreamRefusal {
    this.#refused[code]++
    if (code === 'revoked_token') return { code }
    const { min, max } = refusedWaitS
    return { code, retryAfterS: min + Math.floor(this.#random() * (max - min + 1)) }
  }

  #join(options: OpenOptions): PolicyStream {
    const closesAtMs = performance.now() + this.#timings.ageMaxMs * (0.8 + 0.2 * this.#random())
    const stream = new PolicyStream(options, closesAtMs, this.#onSend)
    this.#streams.join(stream)
    return stream
  }

  readonly #onSend = (outcome: SendOutcome): void => {
    this.#counts[outcome === 'coalesced' ? 'framesCoalesced' : 'framesSent']++
  }

  /** Sends a stream its first bytes. @returns why that is not possible; also undefined if the client went away */
  async #greet(stream: PolicyStream, { request, headers }: OpenOptions): Promise<RefusalCode | undefined> {
    // A body that nobody reads would fill a buffer and hide the end of the connection.
    request.resume()
    const lastEventId = request.headers['last-event-id']
    const lastRevision = typeof lastEventId === 'string' ? lastEventId : ''
    const channel = this.#streams.channel(stream.workspaceId)
    // A client that was served by a faster instance must not be sent back: the policy is read again.
    if (!channel.hasFrame || (sequenceOf(lastRevision) ?? 0) > channel.sequence) {
      await this.#load(stream.workspaceId).catch(() => undefined)
    }
    if (stream.writer.isGone) return undefined
    if (stream.closedFor !== undefined) return stream.closedFor === 'drain' ? 'draining' : 'revoked_token'
    const greeting = channel.greeting(lastRevision)
    // The read failed, or returned an older policy than was published before.
    if (greeting === undefined) return 'store_unavailable'
    stream.sequence = greeting.sequence
    stream.writer.start(headers ?? {}, greeting.bytes)
    this.#wheel.add(stream)
    if (greeting.hasPolicy) this.#counts.framesSent++
    return undefined
  }

  /** Reads the policy of a workspace once for all streams that wait for it. */
  async #load(workspaceId: string): Promise<void> {
    const underWay = this.#loads.get(workspaceId)
    if (underWay !== undefined) return await underWay
    const read = async (): Promise<void> => {
      this.#streams.channel(workspaceId).offer(await this.#frames.current(workspaceId))
    }
    const reading = read().finally(() => this.#loads.delete(workspaceId))
    this.#loads.set(workspaceId, reading)
    await reading
  }

  /** Once per heartbeat for each stream. */
  #visit(stream: PolicyStream): void {
    if (stream.closedFor !== undefined) return
    const nowMs = performance.now()
    if (nowMs >= stream.closesAtMs) this.#close(stream, 'age')
    else if (stream.writer.stalledMs(nowMs) > 0) this.#watched.set(stream, nowMs)
    else stream.writer.beat(heartbeat)
  }

  /** On every tick, for the few streams that may have to be cut off. */
  #watch(): void {
    const nowMs = performance.now()
    const { closeTimeoutMs, drainTimeoutMs } = this.#timings
    for (const [stream, sinceMs] of this.#watched) {
      const stalledMs = stream.writer.stalledMs(nowMs)
      if (stream.closedFor !== undefined) {
        if (nowMs - sinceMs >= closeTimeoutMs) stream.writer.cut()
      } else if (stalledMs === 0) this.#watched.delete(stream)
      else if (stalledMs >= drainTimeoutMs) this.#close(stream, 'stalled')
    }
  }

  #close(stream: PolicyStream, reason: CloseReason, farewell?: Buffer): void {
    if (stream.closedFor !== undefined) return
    stream.closedFor = reason
    this.#streams.leave(stream)
    // A request that still waits for its policy is answered by the caller.
    if (stream.sequence === 0) return
    this.#closed[reason]++
    this.#watched.set(stream, performance.now())
    stream.writer.end(farewell)
  }

  /** The connection was closed, or the request was refused. */
  #forget(stream: PolicyStream): void {
    if (stream.closedFor === undefined) {
      stream.closedFor = 'client'
      this.#streams.leave(stream)
      if (stream.sequence > 0) this.#closed.client++
    }
    this.#streams.all.delete(stream)
    this.#watched.delete(stream)
    this.#wheel.delete(stream)
  }

  /** Spreads the reconnects of a stopping process's clients. */
  #farewell(): Buffer {
    return encodeRetry(this.#timings.retryMs * (0.5 + this.#random()))
  }
}
