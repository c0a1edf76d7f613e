/** What was sent and what was acknowledged: the senders' records. */

interface Sent {
  readonly entitiesMasked: number
  acknowledged: boolean
  /** Answers that said `accepted`: a second one means that it was stored twice. */
  accepted: number
}

export class Ledger {
  readonly #sent = new Map<string, Sent>()
  readonly faults: string[] = []
  #acknowledged = 0

  get sent(): number {
    return this.#sent.size
  }

  get acknowledged(): number {
    return this.#acknowledged
  }

  send(eventId: string, entitiesMasked: number): void {
    if (this.#sent.has(eventId)) throw new Error('An id was made twice.')
    this.#sent.set(eventId, { entitiesMasked, acknowledged: false, accepted: 0 })
  }

  entitiesMasked(eventId: string): number | undefined {
    return this.#sent.get(eventId)?.entitiesMasked
  }

  acknowledge(eventId: string, status: string): void {
    const sent = this.#sent.get(eventId)
    if (!sent) this.faults.push('An event that nobody sent was acknowledged.')
    else if (status === 'accepted' && ++sent.accepted > 1) this.faults.push(`Event ${eventId} was accepted twice.`)
    else if (status !== 'accepted' && status !== 'duplicate') this.faults.push(`Event ${eventId} was ${status}.`)
    if (!sent || sent.acknowledged) return
    sent.acknowledged = true
    this.#acknowledged++
  }

  /** Ids acknowledged so far. */
  *acknowledgedIds(): Generator<string> {
    for (const [id, { acknowledged }] of this.#sent) if (acknowledged) yield id
  }
}
