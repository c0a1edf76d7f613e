/**
 * The only way of events to the disk. A model call hands over its record and continues: nothing here makes it wait or
 * fail. Records wait in a bounded queue and are committed in batches every few milliseconds. What a full queue could
 * not take is counted, and written as a gap as soon as writing works again, so that at all times
 *
 *     calls made + sensors' events accepted = recorded + gapsWritten + queued + gapsPending (+ unrecordable)
 */
import {
  StoreError,
  type AppendBatch,
  type AuditEntry,
  type EventOutcome,
  type Store,
  type WorkspaceEvent
} from '../store/store.ts'
import { within } from '../timing/within.ts'
import type { EventWriter, EventWriterCounters, EventWriterOptions } from './recording-contract.ts'
import { GapLedger, type GapRecord } from './gaps.ts'
import { isRecordFault, RecordingQueue, recordsOf, toBatch, type Entry } from './recording-queue.ts'
import { RecordingHealth, type RecordingState } from './recording-health.ts'

export type { EventWriter, EventWriterCounters, EventWriterOptions } from './recording-contract.ts'

/** One commit in progress. */
interface Flight {
  readonly entries: readonly Entry[]
  /** Losses that its gaps cover. */
  readonly gapCount: number
  isStalled: boolean
}

const retryMsMin = 50
const retryMsMax = 2_000
const gapsMax = 100
const flushBoundMs = 1_000

const unavailable = (): StoreError =>
  new StoreError('unavailable', 'The records could not be written; send them again later.')

class BatchingWriter implements EventWriter {
  readonly #store: Pick<Store, 'append'>
  readonly #options: Required<EventWriterOptions>
  readonly #health: RecordingHealth
  readonly #gaps = new GapLedger()
  readonly #count = { recorded: 0, duplicates: 0, gapsWritten: 0, unrecordable: 0, failures: 0 }
  readonly #queue = new RecordingQueue()
  readonly #flights = new Set<Flight>()
  /** A commit that was started while another was in progress, so that the store is never idle in between. */
  #ahead: Promise<boolean> | undefined
  /** When the waiting records are due, and when the timer fires; by `performance.now()`. */
  #dueAt = Infinity
  /** Number of senders that wait for a commit to start. */
  #senders = 0
  #timer: NodeJS.Timeout | undefined
  #timerAt = Infinity
  #pumping: Promise<void> | undefined
  /** Resolved, and replaced, whenever a commit ends, successfully or not. */
  #landing = Promise.withResolvers<void>()
  /** The number of the last entry. */
  #place = 0
  #retryMs = 0
  /** After a fault: how many of the next commits take a single entry, and then a single gap. */
  #alone = { entries: 0, gaps: 0 }
  #closing: Promise<EventWriterCounters> | undefined

  constructor(store: Pick<Store, 'append'>, options: Required<EventWriterOptions>) {
    this.#store = store
    this.#options = options
    this.#health = new RecordingHealth(options.reports)
  }

  record(event: WorkspaceEvent, audit?: AuditEntry | null): void {
    if (this.#closing || this.#queue.records >= this.#options.queueMax) this.#gaps.add(event)
    else this.#queue.push({ place: ++this.#place, events: [event], audit: audit ? [{ ...audit, eventIndex: 0 }] : [] })
    this.#schedule(this.#options.callFlushMs)
  }

  recordDurably({ events, audit }: AppendBatch): Promise<EventOutcome[]> {
    if (this.#closing) return Promise.reject(new StoreError('closed', 'The service is stopping.'))
    if (this.#isStalled() || !this.#hasRoomFor(events)) {
      return Promise.reject(new StoreError('overloaded', 'Too many records wait to be written; send them again later.'))
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ place: ++this.#place, events, audit, sender: { resolve, reject } })
      this.#senders++
      this.#schedule(this.#senders < this.#options.groupMin ? this.#options.flushMs : 0)
    })
  }

  /**
   * Half of the queue is reserved for calls, so that no flood of events costs the record of one. The last quarter of the other half is
   * reserved for tokens that hold at most a sixteenth of it, as with other things that tokens share (decision 134).
   */
  #hasRoomFor(events: readonly WorkspaceEvent[]): boolean {
    const waiting = this.#queue.records
    const { queueMax } = this.#options
    const [first] = events
    if (first === undefined) return waiting < queueMax
    // An empty queue accepts a batch of any size: if refused now, it would always be refused.
    if (waiting === 0) return true
    const ofSensors = queueMax / 2
    if (waiting + events.length <= ofSensors * 0.75) return true
    if (waiting + events.length > ofSensors) return false
    return this.#queue.heldBy(first.tokenId) + events.length <= ofSensors / 16
  }

  counters(): EventWriterCounters {
    let queued = this.#queue.records
    let gapsPending = this.#gaps.pending
    for (const { entries, gapCount } of this.#flights) {
      queued += recordsOf(entries)
      gapsPending += gapCount
    }
    return { ...this.#count, gapsPending, queued }
  }

  state(): RecordingState {
    return { failingSince: this.#health.failingSince, isQueueFull: this.#queue.records >= this.#options.queueMax }
  }

  async flush(): Promise<void> {
    if (this.#queue.records + this.#flights.size === 0) return
    this.#dueAt = performance.now()
    void this.#pump()
    await within(flushBoundMs, this.#reach(this.#place))
  }

  /** Waits for the entries up to a number, and not for later ones: under load they never end. */
  async #reach(place: number): Promise<void> {
    do await this.#landing.promise
    while (this.#retryMs === 0 && this.#oldest() <= place)
  }

  /** The number of the entry that has waited longest, including those being committed. */
  #oldest(): number {
    const firsts = [...this.#flights].map(({ entries }) => entries[0]?.place ?? Infinity)
    return Math.min(this.#queue.oldest, ...firsts)
  }

  close(): Promise<EventWriterCounters> {
    return (this.#closing ??= this.#shutDown())
  }

  async #shutDown(): Promise<EventWriterCounters> {
    const deadline = performance.now() + this.#options.closeTimeoutMs
    await within(this.#options.closeTimeoutMs, this.#drain(deadline))
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
      if (this.#queue.records + this.#gaps.pending === 0 || performance.now() + this.#retryMs >= deadline) return
      await new Promise((resolve) => setTimeout(resolve, this.#retryMs))
    }
  }

  /** Makes sure that writing starts: soon, at once for a full batch, or later after a failure. */
  #schedule(waitMs: number): void {
    if (this.#closing) return
    const now = performance.now()
    this.#dueAt = Math.min(this.#dueAt, now + waitMs)
    if (this.#pumping) {
      this.#lookAhead()
      return
    }
    if (waitMs === 0 && this.#retryMs === 0) {
      void this.#pump()
      return
    }
    const full = this.#retryMs === 0 && this.#queue.records >= this.#options.batchMax
    const startAt = full ? now : Math.max(this.#dueAt, now + this.#retryMs)
    if (startAt >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = startAt
    this.#timer = setTimeout(() => void this.#pump(), startAt - now)
  }

  #pump(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#timerAt = Infinity
    this.#pumping ??= this.#writeAll().finally(() => {
      this.#pumping = undefined
      if (this.#queue.records > 0 || this.#gaps.pending > 0) {
        this.#schedule(this.#dueAt === Infinity ? this.#options.flushMs : Infinity)
      }
    })
    return this.#pumping
  }

  /**
   * Writes until the rest is not worth a commit of its own: too little and too new. When closing, writes everything.
   */
  async #writeAll(): Promise<void> {
    let isWorking = true
    do {
      const flight = this.#ahead ?? this.#write(...this.#next())
      this.#ahead = undefined
      this.#lookAhead()
      isWorking = (await flight) && isWorking
    } while (this.#ahead !== undefined || (isWorking && this.#isWorthwhile()))
  }

  #isWorthwhile(): boolean {
    if (this.#closing) return this.#queue.records + this.#gaps.pending > 0
    return this.#alone.entries > 0 || this.#queue.records >= this.#options.batchMax
  }

  /**
   * Starts the next commit behind the one in progress, if there is enough for it and nothing has failed. If that one
   * has just ended, it is enough that the new records have waited as long as they would have without it.
   */
  #lookAhead(): void {
    const isWell = this.#retryMs === 0 && this.#alone.entries + this.#alone.gaps === 0 && !this.#isStalled()
    const hasRoom = this.#ahead === undefined && this.#flights.size <= 1 && !this.#closing
    if (!isWell || !hasRoom || this.#queue.records === 0) return
    if (this.#flights.size === 0 && this.#dueAt <= performance.now()) this.#ahead = this.#write(...this.#next())
    else if (this.#queue.records >= this.#options.aheadMin) this.#ahead = this.#write(this.#take(), [])
  }

  #take(): Entry[] {
    const entries = this.#queue.take(this.#options.batchMax)
    this.#senders = 0
    // What did not fit into a full commit need not wait for more.
    this.#dueAt = this.#queue.records > 0 ? performance.now() : Infinity
    return entries
  }

  #next(): readonly [Entry[], GapRecord[]] {
    const now = Date.now()
    if (this.#alone.entries > 0 && this.#queue.records > 0) {
      this.#alone.entries--
      return [this.#queue.take(1), []]
    }
    this.#alone.entries = 0
    if (this.#alone.gaps > 0 && this.#gaps.pending > 0) {
      this.#alone.gaps--
      return [[], this.#gaps.take(now, 1)]
    }
    return [this.#take(), this.#gaps.take(now, gapsMax)]
  }

  /** @returns false if there is nothing to write, or the store fails and a pause is due */
  async #write(entries: readonly Entry[], gaps: readonly GapRecord[]): Promise<boolean> {
    if (entries.length + gaps.length === 0) return false
    const gapCount = gaps.reduce((sum, { count }) => sum + count, 0)
    const flight: Flight = { entries, gapCount, isStalled: false }
    this.#flights.add(flight)
    const stall = setTimeout(() => this.#stall(flight), this.#options.stallMs)
    try {
      const outcomes = await this.#store.append(toBatch(entries, gaps))
      const answer = this.#confirm(entries, outcomes)
      this.#count.gapsWritten += gapCount
      this.#health.succeeded(gapCount)
      this.#retryMs = 0
      this.#flights.delete(flight)
      // The next commit first and then the senders, so that the store writes while they are answered.
      this.#lookAhead()
      answer()
      return true
    } catch (error) {
      this.#count.failures++
      this.#flights.delete(flight)
      if (isRecordFault(error)) this.#isolate(entries, gaps, error)
      else {
        if (error instanceof StoreError) this.#health.failed(error.code, error.message)
        else this.#health.failed('internal_error')
        this.#returnToQueue(entries, gaps)
      }
      return isRecordFault(error)
    } finally {
      clearTimeout(stall)
      this.#landing.resolve()
      this.#landing = Promise.withResolvers()
    }
  }

  /** Counts what was written. @returns a function that answers the senders */
  #confirm(entries: readonly Entry[], outcomes: readonly EventOutcome[]): () => void {
    const answers: (() => void)[] = []
    let from = 0
    for (const { events, sender } of entries) {
      const own = outcomes.slice(from, (from += events.length))
      // If a call's own record already exists, an attempt whose answer was lost has written it: it is recorded.
      const duplicates = sender ? own.filter((outcome) => outcome === 'duplicate').length : 0
      this.#count.duplicates += duplicates
      this.#count.recorded += events.length - duplicates
      if (sender) answers.push(() => sender.resolve(own))
    }
    return () => answers.forEach((answer) => answer())
  }

  /** One entry of a commit is faulty: its entries are written one by one, and the faulty one becomes a gap. */
  #isolate(entries: readonly Entry[], gaps: readonly GapRecord[], error: unknown): void {
    if (entries.length + gaps.length === 1) {
      this.#giveUp(entries[0], gaps[0], error)
      return
    }
    this.#alone.entries += entries.length
    this.#alone.gaps += gaps.length
    this.#queue.putBack(entries)
    this.#gaps.putBack(gaps)
  }

  #giveUp(entry: Entry | undefined, gap: GapRecord | undefined, error: unknown): void {
    if (gap) {
      this.#count.unrecordable += gap.count
      this.#health.unrecordable(gap.count)
    }
    if (!entry) return
    const fault = error instanceof StoreError ? error : new StoreError('invalid', 'The record cannot be written.')
    if (entry.sender) entry.sender.reject(fault)
    else this.#lose([entry])
  }

  #lose(entries: readonly Entry[]): void {
    for (const { events, sender } of entries) {
      if (sender) sender.reject(unavailable())
      else for (const event of events) this.#gaps.add(event)
    }
  }

  /** Puts calls' records back in front for the next attempt; all senders get an error at once, since they keep theirs. */
  #returnToQueue(entries: readonly Entry[], gaps: readonly GapRecord[]): void {
    this.#retryMs = Math.min(retryMsMax, Math.max(retryMsMin, this.#retryMs * 2))
    this.#gaps.putBack(gaps)
    // Behind more calls than fit into a commit, others would be in none for as long as the store fails.
    this.#lose([...entries.filter(({ sender }) => sender), ...this.#queue.takeSenders()])
    this.#queue.putBack(entries.filter(({ sender }) => !sender))
    this.#lose(this.#queue.takeBeyond(this.#options.queueMax))
  }

  #stall(flight: Flight): void {
    flight.isStalled = true
    this.#health.failed('stalled')
    this.#dismissSenders()
  }

  #isStalled(): boolean {
    for (const { isStalled } of this.#flights) if (isStalled) return true
    return false
  }

  /**
   * Turns away those who have waited for the maximum time. What is being committed may still be stored; if sent again
   * it is a duplicate.
   */
  #dismissSenders(): void {
    for (const { entries } of this.#flights) this.#lose(entries.filter(({ sender }) => sender))
    this.#lose(this.#queue.takeSenders())
  }
}

/** Creates the writer of a process. Options in numbers of records and milliseconds. */
export function createEventWriter(store: Pick<Store, 'append'>, options: EventWriterOptions = {}): EventWriter {
  const defaults = {
    queueMax: 20_000,
    flushMs: 4,
    groupMin: 16,
    callFlushMs: 40,
    batchMax: 400,
    aheadMin: 200,
    stallMs: 5_000,
    closeTimeoutMs: 5_000,
    reports: {}
  }
  return new BatchingWriter(store, { ...defaults, ...options })
}
