/** The open streams, by token and by workspace. */
import { Channel, type Subscriber } from './channel.ts'
import type { CloseReason, OpenOptions } from './hub-options.ts'
import { PolicyWriter, type SendOutcome } from './policy-writer.ts'

/** One client's stream. Until its greeting is sent it is only a request, which the caller still answers. */
export class PolicyStream implements Subscriber {
  readonly workspaceId: string
  readonly tokenId: string
  readonly closesAtMs: number
  readonly writer: PolicyWriter
  /** 0 until the greeting is sent. */
  sequence = 0
  /** Set once; from then on nothing is sent. */
  closedFor: CloseReason | undefined
  readonly #onSend: (outcome: SendOutcome) => void

  constructor(
    { response, workspaceId, tokenId }: OpenOptions,
    closesAtMs: number,
    onSend: (outcome: SendOutcome) => void
  ) {
    this.workspaceId = workspaceId
    this.tokenId = tokenId
    this.closesAtMs = closesAtMs
    this.writer = new PolicyWriter(response)
    this.#onSend = onSend
  }

  deliver(frame: Buffer, sequence: number): void {
    this.sequence = sequence
    this.#onSend(this.writer.send(frame))
  }
}

export class StreamRegistry {
  /** Every stream whose connection is not closed yet, including those told to end. */
  readonly all = new Set<PolicyStream>()
  readonly #byToken = new Map<string, Set<PolicyStream>>()
  readonly #channels = new Map<string, Channel<PolicyStream>>()
  readonly #retryMs: number

  constructor(retryMs: number) {
    this.#retryMs = retryMs
  }

  ofToken(tokenId: string): ReadonlySet<PolicyStream> {
    return this.#byToken.get(tokenId) ?? new Set()
  }

  /** The channel of a workspace, created if necessary. */
  channel(workspaceId: string): Channel<PolicyStream> {
    const known = this.#channels.get(workspaceId)
    if (known !== undefined) return known
    const made = new Channel<PolicyStream>(this.#retryMs)
    this.#channels.set(workspaceId, made)
    return made
  }

  /** Workspaces that have streams. */
  workspaces(): string[] {
    return [...this.#channels].filter(([, { streams }]) => streams.size > 0).map(([id]) => id)
  }

  join(stream: PolicyStream): void {
    this.all.add(stream)
    this.channel(stream.workspaceId).streams.add(stream)
    const ofToken = this.#byToken.get(stream.tokenId)
    if (ofToken === undefined) this.#byToken.set(stream.tokenId, new Set([stream]))
    else ofToken.add(stream)
  }

  /** Removes a stream from everything that could send to it. */
  leave(stream: PolicyStream): void {
    const ofToken = this.#byToken.get(stream.tokenId)
    ofToken?.delete(stream)
    if (ofToken?.size === 0) this.#byToken.delete(stream.tokenId)
    const channel = this.channel(stream.workspaceId)
    channel.streams.delete(stream)
    if (channel.streams.size === 0) channel.release()
  }
}
