/** Whether recording works, and who is told when that changes. */
import type { EventWriterCounters } from './recording-contract.ts'

/** What the writer tells. Each is optional, and what one of them throws is dropped: recording must go on. */
export interface RecordingReports {
  /** The first commit of a row that failed. `code` is one of a StoreError, `stalled` or `internal_error`; `reason` says it in
   * words of the store's, which hold nothing of a record. */
  failed?(code: string, reason?: string): void
  /** Commits work again after `failedMs` milliseconds without one. */
  recovered?(failedMs: number): void
  /** Losses were written down as gap rows. */
  gapsWritten?(count: number): void
  /** Losses of which not even a gap row could be written. */
  unrecordable?(count: number): void
  /** The writer closed and `count` records and losses did not reach the disk. */
  lostAtClose?(count: number, counters: EventWriterCounters): void
}

export interface RecordingState {
  /** Milliseconds since 1970 at the first failure of a row that has not ended; undefined while recording works. */
  readonly failingSince: number | undefined
  readonly isQueueFull: boolean
}

export class RecordingHealth {
  readonly #reports: RecordingReports
  #failingSince: number | undefined

  constructor(reports: RecordingReports) {
    this.#reports = reports
  }

  get failingSince(): number | undefined {
    return this.#failingSince
  }

  failed(code: string, reason?: string): void {
    if (this.#failingSince !== undefined) return
    this.#failingSince = Date.now()
    this.#tell((reports) => reports.failed?.(code, reason))
  }

  /** @param gapsWritten losses that the commit wrote down */
  succeeded(gapsWritten: number): void {
    const since = this.#failingSince
    this.#failingSince = undefined
    if (since !== undefined) this.#tell((reports) => reports.recovered?.(Math.max(0, Date.now() - since)))
    if (gapsWritten > 0) this.#tell((reports) => reports.gapsWritten?.(gapsWritten))
  }

  unrecordable(count: number): void {
    this.#tell((reports) => reports.unrecordable?.(count))
  }

  closed(counters: EventWriterCounters): void {
    const count = counters.queued + counters.gapsPending
    if (count > 0) this.#tell((reports) => reports.lostAtClose?.(count, counters))
  }

  #tell(report: (reports: RecordingReports) => void): void {
    try {
      report(this.#reports)
    } catch {
      // A log that fails must not stop the recording of which it tells.
    }
  }
}
