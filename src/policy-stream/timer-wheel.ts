/** One timer for any number of members: each is visited once per turn, and the visits are spread evenly. */

/** Slots per turn. More slots mean smaller batches, fewer mean fewer wake-ups. */
const slots = 60

export class TimerWheel<Member> {
  readonly #slots: readonly Set<Member>[] = Array.from({ length: slots }, () => new Set<Member>())
  readonly #slotOf = new Map<Member, Set<Member>>()
  readonly #tickMs: number
  readonly #visit: (member: Member) => void
  readonly #onTick: () => void
  #timer: NodeJS.Timeout | undefined
  #now = 0
  #next = 0

  /**
   * @param turnMs time between two visits of a member
   * @param visit must not throw
   * @param onTick called at each tick, every `turnMs` / 60
   */
  constructor(turnMs: number, visit: (member: Member) => void, onTick: () => void) {
    this.#tickMs = turnMs / slots
    this.#visit = visit
    this.#onTick = onTick
  }

  /** Members are assigned to slots in turn, whenever they arrive: a burst of them is spread like a trickle. */
  add(member: Member): void {
    const slot = this.#slots[this.#next] as Set<Member>
    this.#next = (this.#next + 1) % slots
    slot.add(member)
    this.#slotOf.set(member, slot)
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref()
  }

  delete(member: Member): void {
    this.#slotOf.get(member)?.delete(member)
    this.#slotOf.delete(member)
  }

  #tick(): void {
    this.#now = (this.#now + 1) % slots
    for (const member of this.#slots[this.#now] as Set<Member>) this.#visit(member)
    this.#onTick()
    if (this.#slotOf.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
