/**
 * Events that wait to be sent: on disk if possible, otherwise in memory, with a limit on each. Nothing is lost
 * silently: whatever is dropped is counted, and the count is sent as `dropped` in an event of the spool's own.
 */
import { randomUUID } from 'node:crypto'
import { lossKind, type SensorEvent } from '../../protocol/events/event-schema.ts'
import { DiskQueue, type CommitOutcome, type DiskBatch } from './disk-queue.ts'
import { diskProblem, FolderGone } from './disk-problem.ts'
import { Pace } from './pace.ts'
import { MemoryQueue, type MemoryEntry } from './memory-queue.ts'
import type { Batch, DiskProblem, Kept, SpooledEvent, SpoolEntry, SpoolOptions, SpoolStats } from './spool-types.ts'

export * from './spool-types.ts'

const mebibyte = 1024 * 1024
const defaults = {
  bytesMax: 64 * mebibyte,
  ageMaxMs: 72 * 3_600_000,
  memoryBytesMax: 8 * mebibyte,
  diskRetryMs: 5000,
  commitGapMs: 0
} as const

/** The most that one write contains, so that those who wait for it do not wait long. */
const commitBytesMax = mebibyte

/** A batch and its source, which only the spool needs to know. */
type Taken =
  | { readonly from: 'disk'; readonly batch: DiskBatch }
  | { readonly from: 'memory'; readonly entries: readonly MemoryEntry[] }

/** Opens a spool. Returns at once, and accepts events at once. */
export function openSpool(options: SpoolOptions): Spool {
  return new Spool(options)
}

export class Spool {
  readonly #options: SpoolOptions & Readonly<Record<keyof typeof defaults, number>>
  readonly #memory: MemoryQueue
  readonly #wallMs: () => number
  #disk: DiskQueue | undefined
  #problem: DiskProblem | undefined
  #work: Promise<void> | undefined
  #isDue = false
  #retryTimer: NodeJS.Timeout | undefined
  #taken: (Taken & { readonly to: Batch }) | undefined
  /** A batch that is done with once the losses in it are on disk. */
  #acknowledged: Taken | undefined
  #lost = 0
  #lostUntold = 0
  #isClosing = false
  readonly #pace: Pace

  constructor(options: SpoolOptions) {
    this.#options = withDefaults(options)
    this.#memory = new MemoryQueue(this.#options.memoryBytesMax)
    this.#wallMs = options.wallMs ?? Date.now
    this.#pace = new Pace(this.#options.commitGapMs)
    this.#kick()
  }

  get stats(): SpoolStats {
    const disk = this.#disk
    const inFlight = this.#taken?.from === 'memory' ? this.#taken.entries.length : 0
    return {
      onDisk: disk?.count ?? 0,
      bytesOnDisk: disk?.bytes ?? 0,
      inMemory: this.#memory.count + inFlight,
      lost: this.#lost,
      lostUntold: this.#lostUntold,
      problem: this.#problem
    }
  }

  /** Adds a validated event. Never rejects and never waits for room; resolves when it is known where the event is. */
  append(event: SpooledEvent): Promise<Kept> {
    const { promise, resolve } = Promise.withResolvers<Kept>()
    if (this.#isClosing) {
      this.#lose(1)
      return Promise.resolve('dropped')
    }
    const json = JSON.stringify(event)
    this.#push({ json, rank: event.action ?? 'allow', lost: 0, resolve })
    if (this.#isOnDisk) {
      if (event.action === 'block') this.#pace.hurry()
      this.#kick()
    } else {
      resolve('memory')
      this.#options.onEvent?.()
    }
    return promise
  }

  /**
   * The next events to send, highest rank first, then oldest; undefined if there are none. The same events are returned
   * until they are acknowledged, and only one batch is out at a time.
   */
  async next(limits: { readonly eventsMax: number; readonly bytesMax: number }): Promise<Batch | undefined> {
    if (this.#taken !== undefined) throw new Error('A batch is out already.')
    const fromDisk = await this.#fromDisk(limits)
    if (fromDisk !== undefined) {
      const to = { events: fromDisk.events }
      this.#taken = { from: 'disk', batch: fromDisk, to }
      return to
    }
    if (this.#isOnDisk) return undefined
    this.#tellLosses()
    const entries = this.#memory.take(limits.eventsMax, limits.bytesMax)
    if (entries.length === 0) return undefined
    const to = { events: entries.map(({ json }) => json) }
    this.#taken = { from: 'memory', entries, to }
    return to
  }

  /**
   * The service has these events, or will never accept them.
   * @param rejected indexes in the batch of those that it will never accept; they count as lost, and the loss is
   *   recorded before they are forgotten
   */
  async acknowledge(batch: Batch, rejected: readonly number[] = []): Promise<void> {
    const taken = this.#claim(batch)
    const entries = taken.from === 'disk' ? taken.batch.records : taken.entries
    // If a rejected report of losses were reported as lost, this would never end.
    const lost = rejected.filter((index) => entries[index]?.lost === 0).length
    if (lost > 0) {
      this.#lose(lost)
      this.#acknowledged = taken
      await this.flush()
      this.#acknowledged = undefined
    }
    if (taken.from === 'disk') await this.#disk?.release(taken.batch).catch((error) => this.#failed(error))
  }

  /** The events could not be sent; `next` returns them again. */
  abandon(batch: Batch): void {
    const taken = this.#claim(batch)
    if (taken.from === 'memory') this.#overflow(this.#memory.putBack(taken.entries))
  }

  /** Resolves when everything added before is on disk, or it is known that it cannot be. */
  async flush(): Promise<void> {
    this.#pace.hurry()
    this.#kick()
    await this.#written()
  }

  /** Writes what is left to disk and releases the folder. What stays in memory is lost, and counted. */
  async close(): Promise<void> {
    if (this.#isClosing) return
    if (this.#taken !== undefined) this.abandon(this.#taken.to)
    await this.flush()
    this.#isClosing = true
    clearTimeout(this.#retryTimer)
    await this.#written()
    this.#overflow(this.#memory.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY))
    // What was acknowledged is already synced; a disk that fails now loses nothing.
    await this.#disk?.close().catch(() => undefined)
  }

  get #isOnDisk(): boolean {
    return this.#options.dir !== undefined && this.#problem === undefined
  }

  #claim(batch: Batch): Taken {
    const taken = this.#taken
    if (taken?.to !== batch) throw new Error('This batch is not out.')
    this.#taken = undefined
    return taken
  }

  async #fromDisk(limits: { readonly eventsMax: number; readonly bytesMax: number }): Promise<DiskBatch | undefined> {
    try {
      const disk = this.#disk
      if (disk === undefined) return undefined
      for (;;) {
        if (disk.hasExpired(this.#wallMs())) await this.flush()
        const batch = await disk.next(limits)
        // Reading may have found damaged events; dropping them adds an event that says so.
        if (batch !== undefined || !this.#isOnDisk || !disk.hasExpired(this.#wallMs())) return batch
      }
    } catch (error) {
      this.#failed(error)
      return undefined
    }
  }

  #push(entry: MemoryEntry): void {
    this.#overflow(this.#memory.push(entry))
  }

  /** Handles what had no room in memory. An event that reported losses passes its count on. */
  #overflow(evicted: readonly MemoryEntry[]): void {
    for (const { lost, resolve } of evicted) {
      if (lost > 0) this.#lostUntold += lost
      else this.#lose(1)
      resolve('dropped')
    }
  }

  #lose(count: number): void {
    this.#lost += count
    this.#lostUntold += count
  }

  /** Turns the count of losses into an event, whose id and count are fixed from then on. */
  #tellLosses(): void {
    if (this.#lostUntold === 0) return
    const lost = this.#lostUntold
    this.#lostUntold = 0
    this.#push({ json: this.#lossEvent(lost), rank: 'block', lost, resolve: () => {} })
  }

  #lossEvent(dropped: number, eventId: string = randomUUID()): string {
    const occurredAt = new Date(this.#wallMs()).toISOString()
    const event: SensorEvent = { ...this.#options.stamp, kind: lossKind, eventId, occurredAt, dropped }
    return JSON.stringify(event)
  }

  #settleInMemory(): void {
    this.#memory.settle('memory')
    this.#options.onEvent?.()
  }

  /** Starts a write. If one is in progress, another follows: it may be past the new entries. */
  #kick(): void {
    if (this.#options.dir === undefined) return this.#settleInMemory()
    if (this.#isClosing) return
    this.#isDue = true
    this.#work ??= this.#write().finally(() => {
      this.#work = undefined
      if (this.#isOnDisk && this.#isDue) this.#kick()
    })
  }

  async #written(): Promise<void> {
    while (this.#work !== undefined) await this.#work
  }

  /** Opens the folder if necessary, and writes everything in memory. Never rejects. */
  async #write(): Promise<void> {
    // What is reported in one turn of the event loop is written together.
    await Promise.resolve()
    try {
      this.#disk ??= await this.#open()
      do {
        await this.#pace.next()
        this.#isDue = false
        this.#tellLosses()
        const entries = this.#memory.take(Number.POSITIVE_INFINITY, commitBytesMax)
        const outcome = await this.#disk.commit(entries, this.#wallMs())
        this.#settle(entries, outcome)
        if (outcome.error instanceof FolderGone) await this.#leave(this.#disk)
        if (outcome.error !== undefined) return this.#failed(outcome.error)
      } while (this.#memory.count > 0 || this.#lostUntold > 0 || this.#isDue)
      this.#tellProblem(undefined)
      this.#options.onEvent?.()
    } catch (error) {
      this.#failed(error)
    }
  }

  #settle(entries: readonly MemoryEntry[], { onDisk, dropped, lost }: CommitOutcome): void {
    for (const entry of onDisk) (entry as MemoryEntry).resolve('disk')
    for (const entry of dropped) (entry as MemoryEntry).resolve('dropped')
    this.#lost += lost
    this.#overflow(this.#memory.putBack(entries.filter((entry) => !onDisk.has(entry) && !dropped.has(entry))))
  }

  async #open(): Promise<DiskQueue> {
    const { dir, bytesMax, ageMaxMs } = this.#options
    const disk = await DiskQueue.open({
      dir: dir as string,
      bytesMax,
      ageMaxMs,
      lossEvent: (dropped, eventId) => this.#lossEvent(dropped, eventId)
    })
    this.#lost += disk.damaged
    return disk
  }

  /**
   * Moves what was in a folder that is gone to memory, as far as it can be read; the next attempt opens a new folder.
   */
  async #leave(disk: DiskQueue): Promise<void> {
    const entryOf = (entry: SpoolEntry): MemoryEntry => ({ ...entry, resolve: () => {} })
    const taken = this.#taken?.from === 'disk' ? this.#taken : undefined
    if (taken !== undefined) {
      const { segment, records } = taken.batch
      const entries = records.map(({ json, lost }) => entryOf({ json, lost, rank: segment.rank }))
      this.#taken = { from: 'memory', entries, to: taken.to }
    }
    this.#disk = undefined
    const out = taken ?? this.#acknowledged
    const { entries, lost } = await disk.leave(out?.from === 'disk' ? out.batch : undefined)
    if (lost > 0) this.#lose(lost)
    this.#overflow(this.#memory.putBack(entries.map(entryOf)))
  }

  #failed(error: unknown): void {
    this.#tellProblem(diskProblem(error))
    this.#settleInMemory()
    clearTimeout(this.#retryTimer)
    if (this.#isClosing) return
    this.#retryTimer = setTimeout(() => this.#kick(), this.#options.diskRetryMs).unref()
  }

  #tellProblem(problem: DiskProblem | undefined): void {
    if (problem === this.#problem) return
    this.#problem = problem
    this.#options.onDiskProblem?.(problem)
  }
}

function withDefaults(options: SpoolOptions): SpoolOptions & Readonly<Record<keyof typeof defaults, number>> {
  const {
    bytesMax = defaults.bytesMax,
    ageMaxMs = defaults.ageMaxMs,
    memoryBytesMax = defaults.memoryBytesMax,
    diskRetryMs = defaults.diskRetryMs,
    commitGapMs = defaults.commitGapMs
  } = options
  return { ...options, bytesMax, ageMaxMs, memoryBytesMax, diskRetryMs, commitGapMs }
}
