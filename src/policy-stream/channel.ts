/** The policy of one workspace for its streams: serialised once per revision and sent in slices. */
import { encodeComment, encodeFrame, encodeRetry, frameSequence, type PolicyFrame } from './frame.ts'

/** What a channel needs to know about a stream. */
export interface Subscriber {
  /** Sequence of the newest frame that it was sent. */
  readonly sequence: number
  deliver(frame: Buffer, sequence: number): void
}

interface EncodedFrame {
  readonly revision: string
  readonly sequence: number
  readonly update: Buffer
  /** The first bytes of a stream: the reconnect time, and the policy. */
  readonly greeting: Buffer
}

interface Greeting {
  readonly bytes: Buffer
  /** The sequence that the client has once it has read them. */
  readonly sequence: number
  readonly hasPolicy: boolean
}

/** Streams served per turn of the event loop, so that 10,000 streams do not delay a model call. */
const sliceStreams = 64

export class Channel<Stream extends Subscriber> {
  readonly streams = new Set<Stream>()
  readonly #retry: Buffer
  /** For a client that already has the policy; its comment says so. */
  readonly #currentGreeting: Buffer
  #frame: EncodedFrame | undefined
  /** Outlives the frame: nothing older is ever sent after what was once published. */
  #sequence = 0
  #isPassing = false
  #isPassDue = false

  constructor(retryMs: number) {
    this.#retry = encodeRetry(retryMs)
    this.#currentGreeting = Buffer.concat([this.#retry, encodeComment('current')])
  }

  get hasFrame(): boolean {
    return this.#frame !== undefined
  }

  /** Of the newest frame that was ever offered; 0 before the first. */
  get sequence(): number {
    return this.#sequence
  }

  /**
   * Accepts a frame unless the same or a newer one is known.
   * @throws RangeError if its revision is malformed
   */
  offer(frame: PolicyFrame): 'taken' | 'unchanged' | 'older' {
    const sequence = frameSequence(frame)
    if (this.#frame?.revision === frame.revision) return 'unchanged'
    if (sequence < this.#sequence || sequence === this.#frame?.sequence) return 'older'
    const update = encodeFrame(frame)
    this.#sequence = sequence
    this.#frame = { revision: frame.revision, sequence, update, greeting: Buffer.concat([this.#retry, update]) }
    this.#pass()
    return 'taken'
  }

  /** Releases the frame, which may be large; the next stream loads it again. */
  release(): void {
    this.#frame = undefined
  }

  /** The first bytes for a client that has `lastRevision`; undefined while there is no frame. */
  greeting(lastRevision: string): Greeting | undefined {
    const frame = this.#frame
    if (frame === undefined) return undefined
    const hasPolicy = lastRevision !== frame.revision
    return { bytes: hasPolicy ? frame.greeting : this.#currentGreeting, sequence: frame.sequence, hasPolicy }
  }

  #pass(): void {
    if (this.#isPassing) {
      this.#isPassDue = true
      return
    }
    this.#isPassing = true
    const streams = this.streams.values()
    const slice = (): void => {
      for (let count = 0; count < sliceStreams; count++) {
        const { value: stream, done } = streams.next()
        if (done === true) return this.#passed()
        const frame = this.#frame
        // A stream that was opened since, or is not open yet, gets its greeting instead.
        if (frame !== undefined && stream.sequence > 0 && stream.sequence < frame.sequence) {
          stream.deliver(frame.update, frame.sequence)
        }
      }
      setImmediate(slice)
    }
    slice()
  }

  #passed(): void {
    this.#isPassing = false
    if (!this.#isPassDue) return
    this.#isPassDue = false
    this.#pass()
  }
}
