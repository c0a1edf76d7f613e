/**
 * Events on disk, in segments of one rank each, so that eviction removes whole files, lowest rank and oldest first. A
 * loss is recorded, naming the file, before the file is removed: a process that is killed in between neither forgets
 * the loss nor sends what it reported as lost.
 */
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { makeFolder } from '../../config/make-folder.ts'
import { syncFolder } from '../../config/sync-folder.ts'
import { FolderGone } from './disk-problem.ts'
import { takeFolder, type Ownership } from './owner.ts'
import { encodeRecord, type ReadRecord, type SpoolRecord } from './record.ts'
import { byRankAndAge, Segment } from './segment.ts'
import { ranks, type Batch, type Rank, type SpoolEntry } from './spool-types.ts'

interface DiskQueueOptions {
  readonly dir: string
  readonly bytesMax: number
  readonly ageMaxMs: number
  /** JSON of an event that reports losses; with a new id if none is given. */
  readonly lossEvent: (dropped: number, eventId?: string) => string
}

export interface DiskBatch extends Batch {
  readonly segment: Segment
  readonly records: readonly ReadRecord[]
  readonly end: number
}

/** The outcome for the entries of a commit. Those in neither set are not on disk, and `error` says why. */
export interface CommitOutcome {
  readonly onDisk: ReadonlySet<SpoolEntry>
  /** Entries for which there was no room. */
  readonly dropped: ReadonlySet<SpoolEntry>
  /** Reporters' events that are lost, including evicted ones. Already recorded on disk. */
  readonly lost: number
  readonly error?: unknown
}

/** What remains of a folder that is gone. */
interface Left {
  readonly entries: readonly SpoolEntry[]
  /** Reporters' events that can no longer be read. */
  readonly lost: number
}

interface Writing extends SpoolRecord {
  readonly rank: Rank
  readonly bytes: Buffer
  /** The entry that is written; undefined for the record of this commit's losses. */
  readonly entry?: SpoolEntry
}

/** What a commit will do. */
interface Plan {
  readonly victims: ReadonlySet<Segment>
  readonly dropped: ReadonlySet<SpoolEntry>
  readonly lost: number
  readonly written: readonly Writing[]
}

/** The size limit holds at least so many segments, so that little is lost at once. */
const segmentsMin = 64
const segmentBytesMax = 1024 * 1024
const segmentBytesMin = 4096
/** A segment's age is that of its newest record, so one that is written to is closed after this time. */
const segmentAgeMaxMs = 3_600_000

export class DiskQueue {
  /** Damaged records found when the folder was opened. */
  damaged = 0
  readonly #options: DiskQueueOptions
  readonly #segmentBytesMax: number
  readonly #owner: Ownership
  readonly #folder: Stats
  #segments: Segment[] = []
  #sequence = 0
  #inFlight: Segment | undefined
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(options: DiskQueueOptions, owner: Ownership, folder: Stats) {
    this.#options = options
    this.#owner = owner
    this.#folder = folder
    this.#segmentBytesMax = Math.min(segmentBytesMax, Math.max(segmentBytesMin, options.bytesMax / segmentsMin))
  }

  /**
   * Opens a folder, including what an earlier process left there.
   * @throws SpoolInUse, or a file system error
   */
  static async open(options: DiskQueueOptions): Promise<DiskQueue> {
    await makeFolder(options.dir)
    const owner = await takeFolder(options.dir)
    try {
      const queue = new DiskQueue(options, owner, await stat(options.dir))
      await queue.#load()
      return queue
    } catch (error) {
      await owner.release()
      throw error
    }
  }

  /** Number of reporters' events. */
  get count(): number {
    return this.#segments.reduce((sum, { count }) => sum + count, 0)
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0)
  }

  /** Whether there are events that the next commit will drop whatever it writes. */
  hasExpired(nowMs: number): boolean {
    return this.#segments.some((segment) => this.#isExpired(segment, nowMs))
  }

  /** Writes entries and syncs them, after making room and dropping what is too old. Never rejects. */
  commit(entries: readonly SpoolEntry[], nowMs: number): Promise<CommitOutcome> {
    return this.#exclusively(async () => {
      const plan = this.#plan(entries, nowMs)
      const onDisk = new Set<SpoolEntry>()
      const nothing = { onDisk, dropped: new Set<SpoolEntry>(), lost: 0 }
      try {
        await this.#expectFolder()
        // The highest rank first, which includes the record of losses, before anything else takes the room.
        await this.#append('block', plan, onDisk, nowMs)
      } catch (error) {
        return { ...nothing, error }
      }
      try {
        await this.#remove(plan.victims)
        await this.#append('mask', plan, onDisk, nowMs)
        await this.#append('allow', plan, onDisk, nowMs)
        return { onDisk, dropped: plan.dropped, lost: plan.lost }
      } catch (error) {
        return { onDisk, dropped: plan.dropped, lost: plan.lost, error }
      }
    })
  }

  /** Events to send, of one segment: highest rank first, then oldest. They stay until they are released. */
  next({ eventsMax, bytesMax }: { eventsMax: number; bytesMax: number }): Promise<DiskBatch | undefined> {
    return this.#exclusively(async () => {
      this.#inFlight = undefined
      for (const rank of ranks.toReversed()) {
        const isDue = (one: Segment): boolean => one.rank === rank && one.size > one.acknowledged && !one.isBroken
        const segment = this.#segments.find(isDue)
        if (segment === undefined) continue
        const { records, end } = await segment.read(eventsMax, bytesMax)
        if (records.length === 0) {
          segment.isBroken = true
          continue
        }
        this.#inFlight = segment
        return { events: records.map(({ json }) => json), segment, records, end }
      }
      return undefined
    })
  }

  /** The events of a batch need not be sent again. */
  release({ segment, records, end }: DiskBatch): Promise<void> {
    return this.#exclusively(async () => {
      if (!this.#segments.includes(segment)) return
      this.#inFlight = undefined
      segment.acknowledge(end, records)
      if (segment.acknowledged < segment.size) return
      if (segment.isOpen && segment === this.#newest(segment.rank)) return segment.reset()
      await this.#remove(new Set([segment]))
    })
  }

  /**
   * Leaves a folder that is gone, with what can still be read: open files remain readable after their removal.
   * @param taken a batch that is being sent or was acknowledged, and no longer belongs to the queue
   */
  leave(taken: DiskBatch | undefined): Promise<Left> {
    return this.#exclusively(async () => {
      const entries: SpoolEntry[] = []
      let lost = 0
      for (const segment of this.#segments.splice(0)) {
        const out = segment === taken?.segment ? taken.records : []
        const records = await segment.read(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).then(
          (read) => read.records.slice(out.length),
          () => []
        )
        entries.push(...records.map(({ json, lost: told }) => ({ json, rank: segment.rank, lost: told })))
        const found = [...out, ...records].filter((record) => record.lost === 0).length
        lost += Math.max(0, segment.count - found)
        await segment.seal().catch(() => undefined)
      }
      await this.#owner.release()
      return { entries, lost }
    })
  }

  close(): Promise<void> {
    return this.#exclusively(async () => {
      for (const segment of this.#segments) await (segment.size === 0 ? segment.remove() : segment.seal())
      await this.#owner.release()
    })
  }

  /** @throws FolderGone if the next process would not find what is written */
  async #expectFolder(): Promise<void> {
    const { dev, ino } = this.#folder
    const now = await stat(this.#options.dir).catch(() => undefined)
    if (now?.dev !== dev || now.ino !== ino) throw new FolderGone()
    for (const segment of this.#segments) if (await segment.isUnlinked()) throw new FolderGone()
  }

  #newest(rank: Rank): Segment | undefined {
    return this.#segments.findLast((segment) => segment.rank === rank)
  }

  #isExpired(segment: Segment, nowMs: number): boolean {
    if (segment.size === 0 || segment === this.#inFlight) return false
    return segment.isBroken || nowMs - segment.newestMs > this.#options.ageMaxMs
  }

  async #remove(segments: ReadonlySet<Segment>): Promise<void> {
    this.#segments = this.#segments.filter((segment) => !segments.has(segment))
    for (const segment of segments) await segment.remove()
  }

  #plan(entries: readonly SpoolEntry[], nowMs: number): Plan {
    const victims = new Set(this.#segments.filter((segment) => this.#isExpired(segment, nowMs)))
    const evictable = this.#segments
      .filter((segment) => segment.size > 0 && segment !== this.#inFlight && !victims.has(segment))
      .toSorted(byRankAndAge)
    const dropped = new Set<SpoolEntry>()
    const written: Writing[] = []
    let room = this.#options.bytesMax - this.bytes + [...victims].reduce((sum, { size }) => sum + size, 0)
    for (const entry of entries.toSorted((a, b) => ranks.indexOf(b.rank) - ranks.indexOf(a.rank))) {
      const record = { json: entry.json, lost: entry.lost, replaces: [] }
      const bytes = encodeRecord(record)
      while (room < bytes.length) {
        const [oldest] = evictable
        if (oldest === undefined || ranks.indexOf(oldest.rank) > ranks.indexOf(entry.rank)) break
        evictable.shift()
        victims.add(oldest)
        room += oldest.size
      }
      if (room < bytes.length) {
        dropped.add(entry)
      } else {
        room -= bytes.length
        written.push({ ...record, rank: entry.rank, bytes, entry })
      }
    }
    return this.#withLosses(victims, dropped, written)
  }

  /** Adds the record of what the plan drops. It may exceed the size limit by its own size. */
  #withLosses(victims: ReadonlySet<Segment>, dropped: ReadonlySet<SpoolEntry>, written: readonly Writing[]): Plan {
    let lost = 0
    let told = 0
    for (const segment of victims) {
      lost += segment.count
      told += segment.lostTold
    }
    for (const entry of dropped) {
      if (entry.lost > 0) told += entry.lost
      else lost++
    }
    if (lost + told === 0) return { victims, dropped, lost, written }
    const replaces = [...victims].map(({ name }) => name)
    const record = lossRecord(this.#options.lossEvent(lost + told), lost + told, replaces)
    return { victims, dropped, lost, written: [record, ...written] }
  }

  async #append(rank: Rank, plan: Plan, onDisk: Set<SpoolEntry>, nowMs: number): Promise<void> {
    const records = plan.written.filter((record) => record.rank === rank)
    if (records.length === 0) return
    let segment = this.#newest(rank)
    if (segment === undefined || plan.victims.has(segment) || !this.#hasRoom(segment, nowMs)) {
      await segment?.seal()
      segment = new Segment(this.#options.dir, rank, ++this.#sequence)
      await segment.create()
      this.#segments.push(segment)
      await syncFolder(this.#options.dir)
    }
    try {
      await segment.append(Buffer.concat(records.map(({ bytes }) => bytes)), records, nowMs)
    } catch (error) {
      // A full disk has room for the name of a file, so every attempt would leave an empty one.
      if (segment.size === 0) await this.#remove(new Set([segment])).catch(() => undefined)
      throw error
    }
    for (const { entry } of records) if (entry !== undefined) onDisk.add(entry)
  }

  #hasRoom(segment: Segment, nowMs: number): boolean {
    if (!segment.isOpen || segment.size >= this.#segmentBytesMax) return false
    return segment.size === 0 || Math.abs(nowMs - segment.oldestMs) < segmentAgeMaxMs
  }

  async #load(): Promise<void> {
    const { dir, lossEvent } = this.#options
    const segments = (await readdir(dir)).map((name) => Segment.named(dir, name)).filter((one) => one !== undefined)
    const replaced = new Set<string>()
    const losses: Writing[] = []
    for (const segment of segments.toSorted((a, b) => a.sequence - b.sequence)) {
      const { bytes, records, damaged } = await segment.load()
      for (const record of records) for (const name of record.replaces) replaced.add(name)
      if (damaged > 0) {
        // The same damage is found at each opening; a fixed id makes it a single event.
        losses.push(lossRecord(lossEvent(damaged, idOf(segment.name, bytes)), damaged, []))
        this.damaged += damaged
      }
      this.#segments.push(segment)
    }
    // A name that a record replaces must not be reused while the record exists.
    const taken = [...replaced].map((name) => Segment.named(dir, name)?.sequence ?? 0)
    this.#sequence = Math.max(0, ...taken, ...segments.map(({ sequence }) => sequence))
    const gone = this.#segments.filter((segment) => segment.isEmpty || replaced.has(segment.name))
    const plan = { victims: new Set(gone), dropped: new Set<SpoolEntry>(), lost: 0, written: losses }
    await this.#append('block', plan, new Set(), Date.now())
    await this.#remove(plan.victims)
  }

  /** Runs one operation at a time on the files. */
  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }
}

function lossRecord(json: string, lost: number, replaces: readonly string[]): Writing {
  const record = { json, lost, replaces }
  return { ...record, rank: 'block', bytes: encodeRecord(record) }
}

/** A UUID that is the same for the same bytes (version 8 of RFC 9562, whose contents are free). */
function idOf(name: string, bytes: Buffer): string {
  const hex = createHash('sha256').update(name).update(bytes).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
