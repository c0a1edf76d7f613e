/** Reports a subscriber's status when it changes, including changes that only time causes. */
import type { Freshness } from './freshness.ts'
import type { SubscriberProblem, SubscriberStatus, Transport } from './subscriber-options.ts'

/** The longest delay of a Node timer. */
const timerMaxMs = 2 ** 31 - 1

/** The sources of a status. */
interface StatusSources {
  readonly freshness: Freshness
  readonly plan: { readonly transport: Transport }
  readonly revision: () => string | undefined
}

export class StatusReporter {
  #problem: SubscriberProblem | undefined
  #fault: string | undefined
  readonly #from: StatusSources
  readonly #onChange: (status: SubscriberStatus) => void
  #lastReported = ''
  #timer: NodeJS.Timeout | undefined

  constructor(from: StatusSources, onChange: (status: SubscriberStatus) => void) {
    this.#from = from
    this.#onChange = onChange
  }

  get status(): SubscriberStatus {
    const { freshness, plan, revision } = this.#from
    const { state, ageMs } = freshness
    return { state, revision: revision(), ageMs, problem: this.#problem, fault: this.#fault, transport: plan.transport }
  }

  /** What now prevents the policy from being confirmed, if anything does. */
  tell(problem: SubscriberProblem | undefined, fault?: string): void {
    this.#problem = problem
    this.#fault = fault
    this.#report()
  }

  /** Reports the status if it has changed, and sets its timer to the next change that time will cause. */
  #report(): void {
    const { status } = this
    const summary = [status.state, status.revision, status.problem, status.fault, status.transport].join(' ')
    const isNew = summary !== this.#lastReported
    this.#lastReported = summary
    // While confirmations keep coming, the timer is left alone: it checks again when it fires.
    if (isNew || this.#timer === undefined) this.#arm()
    if (isNew) this.#onChange(status)
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #arm(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { changesInMs } = this.#from.freshness
    if (changesInMs === undefined) return
    const fire = (): void => {
      this.#timer = undefined
      this.#report()
    }
    this.#timer = setTimeout(fire, Math.min(Math.max(changesInMs, 0) + 1, timerMaxMs)).unref()
  }
}
