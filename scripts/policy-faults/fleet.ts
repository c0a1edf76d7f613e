/** Nine sensors that follow the policy through the relays, and a record of everything that they received. */
import { createPolicySubscriber, type PolicySubscriber } from '../../src/policy-stream/subscriber.ts'
import { sequenceOf } from '../../src/policy/revision.ts'

export const sensorsCount = 9

/** Shorter waits than the defaults, since this fleet must recover within seconds. */
const timings = { backoffMaxMs: 3000, firstByteMs: 2000, watchdogMs: 5000, pollMs: 2000, pollTimeoutMs: 2000 } as const

export class Sensor implements AsyncDisposable {
  /** Sequences of the policies that took effect, in order. */
  readonly sequences: number[] = []
  /** When each of them did, in milliseconds of the monotonic clock. */
  readonly times: number[] = []
  readonly refused: string[] = []
  readonly #subscriber: PolicySubscriber<null>

  constructor(target: string, token: string) {
    this.#subscriber = createPolicySubscriber({
      target,
      token,
      timings,
      validate: () => null,
      onPolicy: ({ frame }) => {
        this.sequences.push(sequenceOf(frame.revision) ?? 0)
        this.times.push(performance.now())
      },
      report: ({ kind, reasonCode }) => {
        if (kind === 'policy_rejected') this.refused.push(reasonCode)
      }
    })
  }

  /** Of the policy to enforce; 0 without one. */
  get sequence(): number {
    return this.#subscriber.policy === undefined ? 0 : (this.sequences.at(-1) ?? 0)
  }

  /** Faults: a sequence that does not rise, or a rejected policy. */
  faults(): string[] {
    const fell = this.sequences.findIndex(
      (sequence, index) => index > 0 && sequence <= (this.sequences[index - 1] ?? 0)
    )
    return [
      ...(fell === -1 ? [] : [`went from revision ${this.sequences[fell - 1]} to ${this.sequences[fell]}`]),
      ...this.refused.map((reason) => `refused a policy: ${reason}`)
    ]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#subscriber.close()
  }
}
