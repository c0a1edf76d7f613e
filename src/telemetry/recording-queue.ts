/** What waits to be written: entries that go into one commit whole or not at all, in the order in which they came. */
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
  /** Its number, in the order in which entries came. */
  readonly place: number
  readonly events: readonly WorkspaceEvent[]
  /** `eventIndex` counts within this entry. */
  readonly audit: readonly AuditEntry[]
  /** Set where somebody waits for the commit; absent for the record of a call. */
  readonly sender?: { resolve(outcomes: EventOutcome[]): void; reject(error: StoreError): void }
}

/** Records of an entry; one of audit rows alone counts as one. */
const sizeOf = ({ events }: Entry): number => Math.max(1, events.length)

export const recordsOf = (entries: readonly Entry[]): number => entries.reduce((sum, entry) => sum + sizeOf(entry), 0)

export class RecordingQueue {
  #entries: Entry[] = []
  #records = 0

  /** Records that wait. */
  get records(): number {
    return this.#records
  }

  /** The place of the first entry; infinite where none waits. */
  get oldest(): number {
    return this.#entries[0]?.place ?? Infinity
  }

  push(entry: Entry): void {
    this.#entries.push(entry)
    this.#records += sizeOf(entry)
  }

  /** Puts entries in front of all others. */
  putBack(entries: readonly Entry[]): void {
    this.#entries = [...entries, ...this.#entries]
    this.#records += recordsOf(entries)
  }

  /** Takes whole entries from the front, up to a number of records; one entry in any case, where there is one. */
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

  /** Takes out entries that somebody waits for. */
  takeSenders(): Entry[] {
    const taken = this.#entries.filter(({ sender }) => sender)
    this.#entries = this.#entries.filter(({ sender }) => !sender)
    this.#records -= recordsOf(taken)
    return taken
  }

  /** Takes entries off the end until no more than `recordsMax` records are left. */
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

/** Puts entries and gaps together for one transaction: outcomes come in the order of the entries' events, then gaps. */
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

/** Faults of a record, which no second try mends. Everything else is a fault of the store. */
export const isRecordFault = (error: unknown): boolean =>
  error instanceof StoreError
    ? ['conflict', 'invalid', 'unknown_workspace'].includes(error.code)
    : error instanceof RangeError
