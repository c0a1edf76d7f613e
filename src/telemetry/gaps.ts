/**
 * Counts what could not be recorded, per workspace, until it can be written. A workspace is in the map only after one
 * of its tokens was authenticated, so there are never more entries than workspaces.
 */
import { gapKind } from '../protocol/events/event-schema.ts'
import { auditActions, type AuditEntry, type WorkspaceEvent } from '../store/store.ts'
import { timeOrderedId } from './time-ordered-id.ts'

interface Losses {
  from: number
  to: number
  count: number
}

/** A gap in stored form: an event of the service's own with its audit row. Its id stays the same across attempts. */
export interface GapRecord {
  readonly count: number
  readonly event: WorkspaceEvent
  readonly audit: AuditEntry
}

function toRecord(workspaceId: string, at: number, { from, to, count }: Losses): GapRecord {
  const shared = { workspaceId, requestId: null, tokenId: null }
  const detail = { from, to, count }
  return {
    count,
    event: {
      ...shared,
      eventId: timeOrderedId(),
      lineageId: null,
      kind: gapKind,
      origin: 'service',
      occurredAt: from,
      receivedAt: at,
      policyRevision: null,
      sensorMetadata: { kind: gapKind, platform: 'ingress', ...detail }
    },
    audit: { ...shared, at, actor: 'service', action: auditActions.gap, detail }
  }
}

export class GapLedger {
  readonly #open = new Map<string, Losses>()
  /** Gaps that were attempted and must be retried unchanged: the attempt may have reached the disk all the same. */
  #again: GapRecord[] = []
  #pending = 0

  /** Number of losses that are not written yet. */
  get pending(): number {
    return this.#pending
  }

  /** Counts one loss. */
  add({ workspaceId, receivedAt }: WorkspaceEvent): void {
    this.#pending++
    const known = this.#open.get(workspaceId)
    if (!known) {
      this.#open.set(workspaceId, { from: receivedAt, to: receivedAt, count: 1 })
      return
    }
    known.from = Math.min(known.from, receivedAt)
    known.to = Math.max(known.to, receivedAt)
    known.count++
  }

  /** Removes up to `gapsMax` gaps as records. Those that are not written must be returned with {@link putBack}. */
  take(at: number, gapsMax: number): GapRecord[] {
    const records = this.#again.splice(0, gapsMax)
    for (const [workspaceId, losses] of this.#open) {
      if (records.length === gapsMax) break
      this.#open.delete(workspaceId)
      records.push(toRecord(workspaceId, at, losses))
    }
    for (const { count } of records) this.#pending -= count
    return records
  }

  putBack(records: readonly GapRecord[]): void {
    this.#again.push(...records)
    for (const { count } of records) this.#pending += count
  }
}
