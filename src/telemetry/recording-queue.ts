/** The queue of the event writer: entries that are committed as a whole or not at all. */
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

/** An entry and where it stands: before all with a larger number. */
interface Standing extends Entry {
  readonly standing: number
}

/** In front of everything: what a commit took and did not write. */
const putBack = -2
/**
 * In front of sensors: records of calls, and audit rows that a call waits for. A sensor keeps its events until they are
 * written; what a call hands over exists nowhere else.
 */
const ofCall = -1

const isOfSensor = ({ sender, events }: Entry): boolean => sender !== undefined && events.length > 0
const tokenOf = ({ events }: Entry): string => events[0]?.tokenId ?? ''

/**
 * The events of sensors wait so that tokens take turns (start-time fair queueing, decision 169): each event that a
 * token sends puts its next entry one further back, and an entry never stands before the one that was taken last. A
 * token that sends little therefore passes one that floods the queue. Entries of one token keep their order.
 */
export class RecordingQueue {
  /** In the order of standing, and of arrival where that is equal. */
  #entries: Standing[] = []
  #records = 0
  /** The standing of the entry taken last, if it was a sensor's. */
  #now = 0
  /** Where the next entry of a token stands, if that is behind `#now`. */
  readonly #next = new Map<string, number>()

  /** Number of waiting records. */
  get records(): number {
    return this.#records
  }

  /** The number of the entry that arrived first; infinite if the queue is empty. */
  get oldest(): number {
    return this.#entries.reduce((oldest, { place }) => Math.min(oldest, place), Infinity)
  }

  /** Number of waiting records that somebody waits for and that came with a token. */
  heldBy(tokenId: string | null): number {
    let records = 0
    for (const { sender, events } of this.#entries)
      if (sender && events[0]?.tokenId === tokenId) records += events.length
    return records
  }

  push(entry: Entry): void {
    const standing = isOfSensor(entry) ? this.#line(entry) : ofCall
    this.#entries.splice(this.#endOf(standing), 0, { ...entry, standing })
    this.#records += sizeOf(entry)
  }

  /** @returns where an entry of a sensor stands */
  #line(entry: Entry): number {
    const token = tokenOf(entry)
    const standing = Math.max(this.#now, this.#next.get(token) ?? 0)
    this.#next.set(token, standing + sizeOf(entry))
    return standing
  }

  /** @returns the index behind the last entry that stands at or before `standing` */
  #endOf(standing: number): number {
    let [from, to] = [0, this.#entries.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.#entries[middle]?.standing ?? 0) > standing) to = middle
      else from = middle + 1
    }
    return from
  }

  /** Puts entries before all others. */
  putBack(entries: readonly Entry[]): void {
    this.#entries = [...entries.map((entry) => ({ ...entry, standing: putBack })), ...this.#entries]
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
    const taken = this.#entries.splice(0, count)
    this.#moveOn(taken.at(-1)?.standing ?? 0)
    return taken
  }

  #moveOn(standing: number): void {
    this.#now = Math.max(this.#now, standing)
    for (const [token, next] of this.#next) if (next <= this.#now) this.#next.delete(token)
    // Without others in the queue nobody has to stand back.
    if (this.#entries.length === 0) this.#next.clear()
  }

  /** Removes entries for which somebody waits. */
  takeSenders(): Entry[] {
    const taken = this.#entries.filter(({ sender }) => sender)
    this.#entries = this.#entries.filter(({ sender }) => !sender)
    this.#records -= recordsOf(taken)
    return taken
  }

  /** Removes entries from the end until no more than `recordsMax` records are left: first those of sensors. */
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
