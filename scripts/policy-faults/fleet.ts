/** Nine sensors that follow the policy through the relays, and a record of all that they took. */
import { createPolicySubscriber, type PolicySubscriber } from '../../src/policy-stream/subscriber.ts'
import { sequenceOf } from '../../src/policy/revision.ts'

export const sensorsCount = 9

/** A fleet that must be back within seconds waits less than one that may take half a minute. */
const timings = { backoffMaxMs: 3000, firstByteMs: 2000, watchdogMs: 5000, pollMs: 2000, pollTimeoutMs: 2000 } as const

export class Sensor implements AsyncDisposable {
  /** Of the policies that came into force, in their order. */
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

  /** What cannot be: a sequence that does not rise, or a policy that was refused. */
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
