/** Which days of the audit retention has dropped, as far as that may be signed. */
import type { Logger } from 'pino'
import { allRows } from '../../store/all-rows.ts'
import type { RootContent } from '../../store/audit/root.ts'
import { isPastRetention } from '../../store/audit/walk.ts'
import { auditActions, rowsMax, type AuditQuery, type Store } from '../../store/store.ts'
import { isAhead, type KnownRoot } from './known-roots.ts'
import { dayMs } from '../../timing/spans.ts'

/** Reads the rows that report dropped days. It reports a row that it doubts once, and not in every round. */
export class ExpiredDays {
  readonly #store: Store
  readonly #auditDays: number
  readonly #log: Logger
  /** By workspace, the sequence of a row that claims that a day expired, and is not believed. */
  readonly #doubted = new Map<string, number>()

  constructor(to: { readonly store: Store; readonly auditDays: number; readonly log: Logger }) {
    this.#store = to.store
    this.#auditDays = to.auditDays
    this.#log = to.log
  }

  /**
   * The days dropped since the last root. A row about a day that retention keeps is not signed, nor is anything after
   * it: otherwise, whoever can write to the database could remove a day and add the row that explains it. An instance
   * with a shorter retention, as while a setting is rolled out, signs it in its own round.
   */
  async since(
    workspaceId: string,
    known: KnownRoot | undefined,
    now: number
  ): Promise<Pick<RootContent, 'expired' | 'expiredThrough'>> {
    const counted = known?.expiredThrough ?? 0
    const isRecent = known && !isAhead(known.root, now) && !this.#doubted.has(workspaceId)
    const from = isRecent ? known.root.sealedAt - dayMs : undefined
    const query: AuditQuery = { workspaceId, action: auditActions.recordsExpired, from, limit: rowsMax }
    const expired: { day: number; rows: number }[] = []
    let expiredThrough = counted
    const rows = (await Array.fromAsync(allRows((asked) => this.#store.findAudit(asked), query)))
      .filter(({ sequence }) => sequence > counted)
      .toSorted((a, b) => a.sequence - b.sequence)
    for (const { sequence, detail } of rows) {
      const day = Number(detail['day'])
      if (detail['records'] === 'audit' && !isPastRetention(day, this.#auditDays, now)) {
        this.#doubt(workspaceId, sequence, day)
        return { expired, expiredThrough }
      }
      expiredThrough = sequence
      if (detail['records'] === 'audit') expired.push({ day, rows: Number(detail['rows']) })
    }
    this.#doubted.delete(workspaceId)
    return { expired, expiredThrough }
  }

  #doubt(workspaceId: string, sequence: number, day: number): void {
    if (this.#doubted.get(workspaceId) === sequence) return
    this.#doubted.set(workspaceId, sequence)
    this.#log.error(
      { workspaceId, sequence, day: new Date(day * dayMs).toISOString().slice(0, 10) },
      'an audit row says that a day expired that retention keeps; it is not signed'
    )
  }
}
