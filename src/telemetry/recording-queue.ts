/** The queue of the event writer: entries that are committed as a whole or not at all, in the order of arrival. */
import {
  StoreError,
  type AppendBatch,
  type AuditEntry,
  type EventOutcome,
  type WorkspaceEvent
} from '../store/store.ts'
import type { GapRecord } from './gaps.ts'

/** Records that belong together, and who waits for them. */
export interface Entry {
  /** Its number, in the order of arrival. */
  readonly place: number
  readonly events: readonly WorkspaceEvent[]
  /** `eventIndex` counts within this entry. */
  readonly audit: readonly AuditEntry[]
  /** Set if somebody waits for the commit; absent for a call's record. */
  readonly sender?: { resolve(outcomes: EventOutcome[]): void; reject(error: StoreError): void }
}

/** Number of records in an entry; one with only audit rows counts as one. */
const sizeOf = ({ events }: Entry): number => Math.max(1, events.length)

export const recordsOf = (entries: readonly Entry[]): number => entries.reduce((sum, entry) => sum + sizeOf(entry), 0)

export class RecordingQueue {
  #entries: Entry[] = []
  #records = 0

  /** Number of waiting records. */
  get records(): number {
    return this.#records
  }

  /** The number of the first entry; infinite if the queue is empty. */
  get oldest(): number {
    return this.#entries[0]?.place ?? Infinity
  }

  /** Number of waiting records that somebody waits for and that came with a token. */
  heldBy(tokenId: string | null): number {
    let records = 0
    for (const { sender, events } of this.#entries)
      if (sender && events[0]?.tokenId === tokenId) records += events.length
    return records
  }

  push(entry: Entry): void {
    this.#entries.push(entry)
    this.#records += sizeOf(entry)
  }

  /** Puts entries before all others. */
  putBack(entries: readonly Entry[]): void {
    this.#entries = [...entries, ...this.#entries]
    this.#records += recordsOf(entries)
  }

  /** Takes whole entries from the front, up to a number of records, but at least one entry if there is any. */
  take(recordsMax: number): Entry[] {
    let records = 0
    let count = 0
    for (const entry of this.#entries) {
      if (count > 0 && records + sizeOf(entry) > recordsMax) break
      records += sizeOf(entry)
      count++
    }
    this.#records -= records
    return this.#entries.splice(0, count)
  }

  /** Removes entries for which somebody waits. */
  takeSenders(): Entry[] {
    const taken = this.#entries.filter(({ sender }) => sender)
    this.#entries = this.#entries.filter(({ sender }) => !sender)
    this.#records -= recordsOf(taken)
    return taken
  }

  /** Removes entries from the end until no more than `recordsMax` records are left. */
  takeBeyond(recordsMax: number): Entry[] {
    const taken: Entry[] = []
    while (this.#records > recordsMax) {
      const last = this.#entries.pop()
      if (last === undefined) break
      this.#records -= sizeOf(last)
      taken.push(last)
    }
    return taken
  }
}

/** Combines entries and gaps into one transaction: outcomes are in the order of the entries' events, then the gaps. */
export function toBatch(entries: readonly Entry[], gaps: readonly GapRecord[]): AppendBatch {
  const events: WorkspaceEvent[] = []
  const audit: AuditEntry[] = []
  const ofGaps = gaps.map((gap) => ({ events: [gap.event], audit: [{ ...gap.audit, eventIndex: 0 }] }))
  for (const entry of [...entries, ...ofGaps]) {
    const offset = events.length
    events.push(...entry.events)
    for (const row of entry.audit) {
      audit.push(row.eventIndex === undefined ? row : { ...row, eventIndex: row.eventIndex + offset })
    }
  }
  return { events, audit }
}

/** Faults of a record, which a retry does not fix. All others are faults of the store. */
export const isRecordFault = (error: unknown): boolean =>
  error instanceof StoreError
    ? ['conflict', 'invalid', 'unknown_workspace'].includes(error.code)
    : error instanceof RangeError
