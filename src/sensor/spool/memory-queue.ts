/** Events in memory, limited by their bytes; evicted by rank, and within a rank by age. */
import { ranks, type Kept, type Rank, type SpoolEntry } from './spool-types.ts'

export interface MemoryEntry extends SpoolEntry {
  /** Tells the reporter where the event is; only the first call counts. */
  readonly resolve: (kept: Kept) => void
}

/** The cost of an entry besides its text. */
const overheadBytes = 200

const bytesOf = ({ json }: SpoolEntry): number => json.length * 2 + overheadBytes

export class MemoryQueue {
  readonly #bytesMax: number
  readonly #byRank: Readonly<Record<Rank, MemoryEntry[]>> = { allow: [], mask: [], block: [] }
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get count(): number {
    return ranks.reduce((sum, rank) => sum + this.#byRank[rank].length, 0)
  }

  /** @returns what was evicted, possibly the entry itself */
  push(entry: MemoryEntry): MemoryEntry[] {
    this.#byRank[entry.rank].push(entry)
    this.#bytes += bytesOf(entry)
    return this.#shrink()
  }

  /** Puts entries before those of their rank, in their order. @returns what was evicted */
  putBack(entries: readonly MemoryEntry[]): MemoryEntry[] {
    for (const rank of ranks) {
      const back = entries.filter((entry) => entry.rank === rank)
      if (back.length > 0) this.#byRank[rank].unshift(...back)
      for (const entry of back) this.#bytes += bytesOf(entry)
    }
    return this.#shrink()
  }

  /** Takes the highest rank first, then the oldest; at least one entry if there is any. */
  take(countMax: number, bytesMax: number): MemoryEntry[] {
    const taken: MemoryEntry[] = []
    let bytes = 0
    for (const rank of ranks.toReversed()) {
      const queue = this.#byRank[rank]
      let count = 0
      for (const entry of queue) {
        if (taken.length >= countMax || (taken.length > 0 && bytes + entry.json.length > bytesMax)) break
        bytes += entry.json.length
        taken.push(entry)
        count++
      }
      queue.splice(0, count)
    }
    for (const entry of taken) this.#bytes -= bytesOf(entry)
    return taken
  }

  /** Tells the reporters of everything in the queue where it is. */
  settle(kept: Kept): void {
    for (const rank of ranks) for (const { resolve } of this.#byRank[rank]) resolve(kept)
  }

  #shrink(): MemoryEntry[] {
    const evicted: MemoryEntry[] = []
    for (const rank of ranks) {
      const queue = this.#byRank[rank]
      let count = 0
      while (this.#bytes > this.#bytesMax && count < queue.length) {
        const entry = queue[count++] as MemoryEntry
        this.#bytes -= bytesOf(entry)
        evicted.push(entry)
      }
      queue.splice(0, count)
    }
    return evicted
  }
}
