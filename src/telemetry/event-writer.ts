/**
 * The hot path's side of recording. A model call hands over its record and goes on: nothing here makes it wait or
 * fail. Records wait in a bounded queue and are committed in batches every few milliseconds. What a full queue could
 * not take is counted, and written as a gap row as soon as writing works again, so that at every moment
 *
 *     calls made = recorded + gapsWritten + queued + gapsPending (+ unrecordable)
 */
import {
  StoreError,
  type AppendBatch,
  type AuditEntry,
  type EventOutcome,
  type Store,
  type WorkspaceEvent
} from '../store/store.ts'
import { GapLedger } from './gaps.ts'
import { RecordingHealth, type RecordingReports, type RecordingState } from './recording-health.ts'

export interface EventWriterOptions {
  /** Most records that wait. Beyond it a call's record becomes a gap, and a sensor's is refused. */
  readonly queueMax?: number
  /** How long a sensor's record, whose sender waits, is held for others to share its commit. */
  readonly flushMs?: number
  /** The same for the record of a call, for which nobody waits: fewer and larger commits cost less. */
  readonly callFlushMs?: number
  readonly batchMax?: number
  /** How long a commit may take before senders who wait for it are told to come again. */
  readonly stallMs?: number
  /** How long `close` tries to write what is left. */
  readonly closeTimeoutMs?: number
  /** Is told when recording fails, works again, or loses something; silent where it is left out. */
  readonly reports?: RecordingReports
}

/** Numbers since the start; those that end in `Pending` and `queued` are as of now. */
export interface EventWriterCounters {
  /** Records on disk. */
  readonly recorded: number
  /** Of sensors' records: those that were on disk before. */
  readonly duplicates: number
  /** Losses that stand in a gap row on disk, and those that do not yet. */
  readonly gapsWritten: number
  readonly gapsPending: number
  /** Records that wait, with those whose commit is under way. */
  readonly queued: number
  /** Losses of which not even a gap row could be written, since their workspace does not exist: a fault of the program. */
  readonly unrecordable: number
  /** Commits that failed. */
  readonly failures: number
}

export interface EventWriter {
  /** Takes the record of a call. Never throws, never waits. */
  record(event: WorkspaceEvent, audit?: AuditEntry | null): void
  /**
   * Takes a sensor's record and answers when it is on disk.
   * @throws StoreError `overloaded` or `unavailable`: not acknowledged, and the sender keeps it and comes again;
   *   `closed`; `unknown_workspace` or `invalid` where the record itself is at fault
   */
  recordDurably(event: WorkspaceEvent, audit?: AuditEntry | null): Promise<EventOutcome>
  counters(): EventWriterCounters
  /** Whether records reach the disk now, for the readiness of the service. */
  state(): RecordingState
  /**
   * Writes what waits without further delay, so that whoever reads the store next finds what was recorded before. Comes
   * back after a bound where the store does not answer, and never rejects.
   */
  flush(): Promise<void>
  /** Takes no more, writes what is left within a bound. @returns the last counters; what is still queued is lost */
  close(): Promise<EventWriterCounters>
}

interface Entry {
  readonly event: WorkspaceEvent
  readonly audit: AuditEntry | null
  /** Set for a sensor's record, whose sender waits. */
  readonly sender?: { resolve(outcome: EventOutcome): void; reject(error: StoreError): void }
}

const retryMsMin = 50
const retryMsMax = 2_000
const gapRowsMax = 100
const flushBoundMs = 1_000

const unavailable = (): StoreError =>
  new StoreError('unavailable', 'The record could not be written; send it again later.')

/** Faults of a record, which no second try mends. Everything else is a fault of the store. */
const isRecordFault = (error: unknown): boolean =>
  error instanceof StoreError
    ? ['conflict', 'invalid', 'unknown_workspace'].includes(error.code)
    : error instanceof RangeError

function toBatch(entries: readonly Entry[], gapRows: readonly AuditEntry[]): AppendBatch {
  const rows = entries.flatMap(({ audit }, eventIndex) => (audit ? [{ ...audit, eventIndex }] : []))
  return { events: entries.map(({ event }) => event), audit: [...rows, ...gapRows] }
}

class BatchingWriter implements EventWriter {
  readonly #store: Pick<Store, 'append'>
  readonly #options: Required<EventWriterOptions>
  readonly #health: RecordingHealth
  readonly #gaps = new GapLedger()
  readonly #count = { recorded: 0, duplicates: 0, gapsWritten: 0, unrecordable: 0, failures: 0 }
  #queue: Entry[] = []
  #inFlight: readonly Entry[] = []
  #gapsInFlight = 0
  #timer: NodeJS.Timeout | undefined
  #timerMs = Infinity
  #pumping: Promise<void> | undefined
  #retryMs = 0
  /** After a fault: how many of the next commits take a single record, and then a single gap row. */
  #alone = { entries: 0, gapRows: 0 }
  #stalled = false
  #closing: Promise<EventWriterCounters> | undefined

  constructor(store: Pick<Store, 'append'>, options: Required<EventWriterOptions>) {
    this.#store = store
    this.#options = options
    this.#health = new RecordingHealth(options.reports)
  }

  record(event: WorkspaceEvent, audit?: AuditEntry | null): void {
    if (this.#closing || this.#queue.length >= this.#options.queueMax) this.#gaps.add(event)
    else this.#queue.push({ event, audit: audit ?? null })
    this.#schedule(this.#options.callFlushMs)
  }

  recordDurably(event: WorkspaceEvent, audit?: AuditEntry | null): Promise<EventOutcome> {
    if (this.#closing) return Promise.reject(new StoreError('closed', 'The service is stopping.'))
    if (this.#stalled || this.#queue.length >= this.#options.queueMax) {
      return Promise.reject(new StoreError('overloaded', 'Too many records wait to be written; send it again later.'))
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ event, audit: audit ?? null, sender: { resolve, reject } })
      this.#schedule(this.#options.flushMs)
    })
  }

  counters(): EventWriterCounters {
    const queued = this.#queue.length + this.#inFlight.length
    return { ...this.#count, gapsPending: this.#gaps.pending + this.#gapsInFlight, queued }
  }

  state(): RecordingState {
    return { failingSince: this.#health.failingSince, isQueueFull: this.#queue.length >= this.#options.queueMax }
  }

  async flush(): Promise<void> {
    if (this.#queue.length + this.#inFlight.length === 0) return
    let timer: NodeJS.Timeout | undefined
    const bound = new Promise<void>((resolve) => (timer = setTimeout(resolve, flushBoundMs)))
    // What was under way when the question came may not hold the newest records, so the rest follows it.
    await Promise.race([bound, this.#pump().then(() => this.#pump())])
    clearTimeout(timer)
  }

  close(): Promise<EventWriterCounters> {
    return (this.#closing ??= this.#shutDown())
  }

  async #shutDown(): Promise<EventWriterCounters> {
    const deadline = performance.now() + this.#options.closeTimeoutMs
    let bound: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => (bound = setTimeout(resolve, this.#options.closeTimeoutMs)))
    await Promise.race([late, this.#drain(deadline)])
    clearTimeout(bound)
    clearTimeout(this.#timer)
    this.#dismissSenders()
    const counters = this.counters()
    this.#health.closed(counters)
    return counters
  }

  async #drain(deadline: number): Promise<void> {
    await this.#pumping
    for (;;) {
      await this.#pump()
      if (this.#queue.length + this.#gaps.pending === 0 || performance.now() + this.#retryMs >= deadline) return
      await new Promise((resolve) => setTimeout(resolve, this.#retryMs))
    }
  }

  /** Sees to it that writing starts: soon, at once for a full batch, later after a failure. */
  #schedule(waitMs: number): void {
    if (this.#pumping || this.#closing) return
    const full = this.#retryMs === 0 && this.#queue.length >= this.#options.batchMax
    const delayMs = full ? 0 : Math.max(waitMs, this.#retryMs)
    if (delayMs >= this.#timerMs) return
    clearTimeout(this.#timer)
    this.#timerMs = delayMs
    this.#timer = setTimeout(() => void this.#pump(), delayMs)
  }

  #pump(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#timerMs = Infinity
    this.#pumping ??= this.#writeAll().finally(() => {
      this.#pumping = undefined
      if (this.#queue.length > 0 || this.#gaps.pending > 0) this.#schedule(this.#options.flushMs)
    })
    return this.#pumping
  }

  /** Writes full batches until too little is left to be worth a commit of its own; all of it when closing. */
  async #writeAll(): Promise<void> {
    do {
      const [entries, gapRows] = this.#next()
      if (entries.length + gapRows.length === 0 || !(await this.#write(entries, gapRows))) return
    } while (this.#closing || this.#alone.entries > 0 || this.#queue.length >= this.#options.batchMax)
  }

  #next(): readonly [Entry[], AuditEntry[]] {
    const { batchMax } = this.#options
    if (this.#alone.entries > 0 && this.#queue.length > 0) {
      this.#alone.entries--
      return [this.#queue.splice(0, 1), []]
    }
    this.#alone.entries = 0
    if (this.#alone.gapRows > 0 && this.#gaps.pending > 0) {
      this.#alone.gapRows--
      return [[], this.#gaps.take(Date.now(), 1)]
    }
    return [this.#queue.splice(0, batchMax), this.#gaps.take(Date.now(), gapRowsMax)]
  }

  /** @returns false when the store fails and a pause is due */
  async #write(entries: readonly Entry[], gapRows: readonly AuditEntry[]): Promise<boolean> {
    this.#inFlight = entries
    this.#gapsInFlight = gapRows.reduce((sum, { detail }) => sum + Number(detail['count']), 0)
    const stall = setTimeout(() => this.#stall(), this.#options.stallMs)
    try {
      const outcomes = await this.#store.append(toBatch(entries, gapRows))
      for (const [index, entry] of entries.entries()) this.#confirm(entry, outcomes[index])
      this.#count.gapsWritten += this.#gapsInFlight
      this.#health.succeeded(this.#gapsInFlight)
      this.#retryMs = 0
      this.#clearFlight()
      return true
    } catch (error) {
      this.#count.failures++
      this.#clearFlight()
      if (isRecordFault(error)) this.#isolate(entries, gapRows, error)
      else {
        this.#health.failed(error instanceof StoreError ? error.code : 'internal_error')
        this.#returnToQueue(entries, gapRows)
      }
      return isRecordFault(error)
    } finally {
      clearTimeout(stall)
      this.#stalled = false
    }
  }

  #clearFlight(): void {
    this.#inFlight = []
    this.#gapsInFlight = 0
  }

  #confirm({ sender }: Entry, outcome: EventOutcome | undefined): void {
    // A call's own record that is there already was written by a try whose answer was lost: it is recorded.
    if (sender && outcome === 'duplicate') this.#count.duplicates++
    else this.#count.recorded++
    sender?.resolve(outcome ?? 'stored')
  }

  /** One record of a batch is at fault: what was in it is written one by one, and the one at fault becomes a gap. */
  #isolate(entries: readonly Entry[], gapRows: readonly AuditEntry[], error: unknown): void {
    if (entries.length + gapRows.length === 1) {
      this.#giveUp(entries[0], gapRows[0], error)
      return
    }
    this.#alone = { entries: entries.length, gapRows: gapRows.length }
    this.#queue = [...entries, ...this.#queue]
    this.#gaps.putBack(gapRows)
  }

  #giveUp(entry: Entry | undefined, gapRow: AuditEntry | undefined, error: unknown): void {
    if (gapRow) {
      const count = Number(gapRow.detail['count'])
      this.#count.unrecordable += count
      this.#health.unrecordable(count)
    }
    if (!entry) return
    const fault = error instanceof StoreError ? error : new StoreError('invalid', 'The record cannot be written.')
    if (entry.sender) entry.sender.reject(fault)
    else this.#gaps.add(entry.event)
  }

  /** Puts calls' records back in front for the next try; senders are told at once, since they keep theirs. */
  #returnToQueue(entries: readonly Entry[], gapRows: readonly AuditEntry[]): void {
    this.#retryMs = Math.min(retryMsMax, Math.max(retryMsMin, this.#retryMs * 2))
    this.#gaps.putBack(gapRows)
    for (const { sender } of entries) sender?.reject(unavailable())
    this.#queue = [...entries.filter(({ sender }) => !sender), ...this.#queue]
    for (const { event, sender } of this.#queue.splice(this.#options.queueMax)) {
      if (sender) sender.reject(unavailable())
      else this.#gaps.add(event)
    }
  }

  #stall(): void {
    this.#stalled = true
    this.#health.failed('stalled')
    this.#dismissSenders()
  }

  /** Nobody waits longer than the bound. What is under way may still be stored; sent again it is a duplicate. */
  #dismissSenders(): void {
    for (const { sender } of [...this.#inFlight, ...this.#queue]) sender?.reject(unavailable())
    this.#queue = this.#queue.filter(({ sender }) => !sender)
  }
}

/** Makes the writer of a process. Options in numbers of records and milliseconds. */
export function createEventWriter(store: Pick<Store, 'append'>, options: EventWriterOptions = {}): EventWriter {
  const defaults = {
    queueMax: 20_000,
    flushMs: 4,
    callFlushMs: 40,
    batchMax: 200,
    stallMs: 5_000,
    closeTimeoutMs: 5_000,
    reports: {}
  }
  return new BatchingWriter(store, { ...defaults, ...options })
}
