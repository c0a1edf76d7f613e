/** One file of a spool: records of one rank, appended and never changed. */
import { constants } from 'node:fs'
import { open, readFile, stat, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeRecords, type ReadRecord } from './record.ts'
import { ranks, type Rank } from './spool-types.ts'

const namePattern = /^(allow|mask|block)-([0-9]{12})\.spool$/

/** What a record adds to a segment. */
interface Added {
  readonly lost: number
}

export class Segment {
  readonly name: string
  readonly rank: Rank
  readonly sequence: number
  /** Bytes of whole records. */
  size = 0
  /** Reporters' events that are not acknowledged. */
  count = 0
  /** Losses that unacknowledged records report. */
  lostTold = 0
  /** When the oldest record was written here by this process, and the newest by any, in milliseconds since 1970. */
  oldestMs = 0
  newestMs = 0
  /** Offset up to which records are acknowledged. */
  acknowledged = 0
  /** Nothing can be read from it any more. */
  isBroken = false
  readonly #path: string
  #file: FileHandle | undefined

  constructor(dir: string, rank: Rank, sequence: number) {
    this.rank = rank
    this.sequence = sequence
    this.name = `${rank}-${String(sequence).padStart(12, '0')}.spool`
    this.#path = join(dir, this.name)
  }

  /** @returns the segment with this file name; undefined for any other name */
  static named(dir: string, name: string): Segment | undefined {
    const match = namePattern.exec(name)
    return match === null ? undefined : new Segment(dir, match[1] as Rank, Number(match[2]))
  }

  /** Whether records can be appended: only to files that this process created, whose ends it knows. */
  get isOpen(): boolean {
    return this.#file !== undefined
  }

  /** Whether its file was removed while open: anything written then would be lost with the process. */
  async isUnlinked(): Promise<boolean> {
    return this.#file !== undefined && (await this.#file.stat()).nlink === 0
  }

  get isEmpty(): boolean {
    return this.count === 0 && this.lostTold === 0
  }

  /** Creates the file. @throws file system errors, also if it already exists */
  async create(): Promise<void> {
    const { O_CREAT, O_EXCL, O_RDWR } = constants
    this.#file = await open(this.#path, O_CREAT | O_EXCL | O_RDWR, 0o600)
  }

  /** Reads a file that an earlier process left. */
  async load(): Promise<{ readonly bytes: Buffer; readonly records: readonly ReadRecord[]; readonly damaged: number }> {
    const bytes = await readFile(this.#path)
    const { records, damaged, end } = decodeRecords(bytes)
    this.size = end
    this.newestMs = (await stat(this.#path)).mtimeMs
    this.#add(records)
    return { bytes, records, damaged }
  }

  /**
   * Appends records and syncs them. A failed write leaves nothing behind, and closes the segment for further records.
   */
  async append(bytes: Buffer, records: readonly Added[], nowMs: number): Promise<void> {
    const file = this.#file as FileHandle
    try {
      await writeAll(file, bytes, this.size)
      await file.datasync()
    } catch (error) {
      await file.truncate(this.size).catch(() => undefined)
      await this.seal()
      throw error
    }
    if (this.size === 0) this.oldestMs = nowMs
    this.size += bytes.length
    this.newestMs = nowMs
    this.#add(records)
  }

  /** Reads records that are not acknowledged; none if the file was removed. @throws other file system errors */
  async read(countMax: number, bytesMax: number): Promise<ReturnType<typeof decodeRecords>> {
    const file = this.#file ?? (await open(this.#path, 'r').catch(unlessAbsent))
    if (file === undefined) return decodeRecords(Buffer.alloc(0))
    try {
      const bytes = Buffer.alloc(this.size - this.acknowledged)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.acknowledged)
      return decodeRecords(bytes.subarray(0, bytesRead), 0, countMax, bytesMax)
    } finally {
      if (file !== this.#file) await file.close()
    }
  }

  /** @param end relative to what was acknowledged before */
  acknowledge(end: number, records: readonly Added[]): void {
    this.acknowledged += end
    for (const { lost } of records) {
      if (lost > 0) this.lostTold -= lost
      else this.count--
    }
  }

  /** Accepts no more records. */
  async seal(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  /** Forgets all records, and continues with an empty file. */
  async reset(): Promise<void> {
    await this.#file?.truncate(0)
    this.size = 0
    this.acknowledged = 0
    this.count = 0
    this.lostTold = 0
  }

  /** Removes the file. */
  async remove(): Promise<void> {
    await this.seal()
    await unlink(this.#path).catch(unlessAbsent)
  }

  #add(records: readonly Added[]): void {
    for (const { lost } of records) {
      if (lost > 0) this.lostTold += lost
      else this.count++
    }
  }
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Lowest rank first, and within a rank the oldest. */
export function byRankAndAge(a: Segment, b: Segment): number {
  return ranks.indexOf(a.rank) - ranks.indexOf(b.rank) || a.sequence - b.sequence
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
