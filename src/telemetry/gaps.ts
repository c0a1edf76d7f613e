/**
 * What could not be recorded, counted by workspace until it can be written down. A workspace is in the map only after
 * one of its tokens was known, so there are never more entries than workspaces.
 */
import { auditActions, type AuditEntry, type WorkspaceEvent } from '../store/store.ts'

interface Gap {
  from: number
  to: number
  count: number
}

export class GapLedger {
  readonly #open = new Map<string, Gap>()
  #pending = 0

  /** How many losses are not yet written down. */
  get pending(): number {
    return this.#pending
  }

  /** Counts one loss. */
  add(event: WorkspaceEvent): void {
    this.#merge(event.workspaceId, { from: event.receivedAt, to: event.receivedAt, count: 1 })
  }

  /** Takes at most `rowsMax` gaps out as audit rows. Those that are not written must come back by {@link putBack}. */
  take(at: number, rowsMax: number): AuditEntry[] {
    const rows: AuditEntry[] = []
    for (const [workspaceId, gap] of this.#open) {
      if (rows.length === rowsMax) break
      this.#open.delete(workspaceId)
      this.#pending -= gap.count
      const who = { requestId: null, tokenId: null, actor: 'service' }
      rows.push({ workspaceId, at, ...who, action: auditActions.gap, detail: { ...gap } })
    }
    return rows
  }

  putBack(rows: readonly AuditEntry[]): void {
    for (const { workspaceId, detail } of rows) this.#merge(workspaceId, detail as unknown as Gap)
  }

  #merge(workspaceId: string, { from, to, count }: Gap): void {
    const known = this.#open.get(workspaceId)
    this.#pending += count
    if (!known) {
      this.#open.set(workspaceId, { from, to, count })
      return
    }
    known.from = Math.min(known.from, from)
    known.to = Math.max(known.to, to)
    known.count += count
  }
}
