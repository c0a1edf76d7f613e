/** Compares what the store holds with what was sent. */
import type { KeyObject } from 'node:crypto'
import { verifyAudit } from '../../src/store/audit/verify.ts'
import { rowsMax, type Store } from '../../src/store/store.ts'
import type { Ledger } from './ledger.ts'

const dayMs = 86_400_000

export class Account {
  readonly #ledger: Ledger
  readonly #workspaceId: string
  readonly #publicKey: KeyObject
  readonly #stored = new Set<string>()
  #sequence = 0
  #entitiesMasked = 0

  constructor(ledger: Ledger, workspaceId: string, publicKey: KeyObject) {
    this.#ledger = ledger
    this.#workspaceId = workspaceId
    this.#publicKey = publicKey
  }

  get stored(): number {
    return this.#stored.size
  }

  /** Examines what is new since the last time, and all totals. @returns what is wrong, as sentences */
  async check(store: Store): Promise<string[]> {
    const acknowledged = [...this.#ledger.acknowledgedIds()]
    const faults = [...this.#ledger.faults.splice(0), ...(await this.#readEvents(store))]
    const lost = acknowledged.filter((id) => !this.#stored.has(id))
    if (lost.length > 0) faults.push(`${lost.length} acknowledged events are not there, such as ${lost[0]}.`)
    return [...faults, ...(await this.#checkRollups(store)), ...(await this.#checkAudit(store))]
  }

  async #readEvents(store: Store): Promise<string[]> {
    const faults: string[] = []
    for (;;) {
      const query = { workspaceId: this.#workspaceId, sequence: this.#sequence, limit: rowsMax }
      const page = await store.eventsAfter(query)
      for (const { eventId, sequence } of page) {
        const masked = this.#ledger.entitiesMasked(eventId)
        if (masked === undefined) faults.push(`An event is there that nobody sent: ${eventId}.`)
        if (this.#stored.has(eventId)) faults.push(`An event is there twice: ${eventId}.`)
        if (sequence <= this.#sequence) faults.push(`Sequence ${sequence} came after ${this.#sequence}.`)
        this.#stored.add(eventId)
        this.#sequence = sequence
        this.#entitiesMasked += masked ?? 0
      }
      if (page.length === 0) return faults
    }
  }

  /** A transaction of the killed process may still end in the database, so a difference is checked again. */
  async #checkRollups(store: Store): Promise<string[]> {
    const now = Date.now()
    const series = { workspaceId: this.#workspaceId, dimension: 'total', step: 'hour' } as const
    for (let attempt = 0; ; attempt++) {
      const points = await store.eventSeries({ ...series, from: now - 2 * dayMs, to: now + dayMs })
      const events = points.reduce((sum, point) => sum + point.events, 0)
      const masked = points.reduce((sum, point) => sum + point.entitiesMasked, 0)
      if (events === this.#stored.size && masked === this.#entitiesMasked) return []
      const faults = await this.#readEvents(store)
      if (faults.length > 0) return faults
      if (attempt === 2) {
        return [
          `Rollups count ${events} events and ${masked} entities; there are ${this.#stored.size} and ${this.#entitiesMasked}.`
        ]
      }
    }
  }

  async #checkAudit(store: Store): Promise<string[]> {
    const { ok, issues } = await verifyAudit({ store, workspaceId: this.#workspaceId, publicKey: this.#publicKey })
    return ok ? [] : [`The audit does not verify: ${JSON.stringify(issues.slice(0, 3))}`]
  }
}
