/** Tracks whether recording works, and reports changes. */
import type { EventWriterCounters } from './recording-contract.ts'

/** Callbacks of the writer. Each is optional, and their errors are dropped: recording must continue. */
export interface RecordingReports {
  /**
   * The first failure in a row of failed commits, or the first for a new reason. `code` is that of a StoreError,
   * `stalled` or `internal_error`; `reason` is the store's description, which contains nothing of a record.
   */
  failed?(code: string, reason?: string): void
  /** Commits work again, after `failedMs` milliseconds without one. */
  recovered?(failedMs: number): void
  /** Losses were written as gap rows. */
  gapsWritten?(count: number): void
  /** Losses for which not even a gap row could be written. */
  unrecordable?(count: number): void
  /** The writer closed, and `count` records and losses did not reach the disk. */
  lostAtClose?(count: number, counters: EventWriterCounters): void
}

export interface RecordingState {
  /** Milliseconds since 1970 of the first of the current failures; undefined while recording works. */
  readonly failingSince: number | undefined
  readonly isQueueFull: boolean
}

export class RecordingHealth {
  readonly #reports: RecordingReports
  #failingSince: number | undefined
  /** Reasons reported since then: a server that stops first reports its shutdown, then becomes unreachable. */
  readonly #reasons = new Set<string>()

  constructor(reports: RecordingReports) {
    this.#reports = reports
  }

  get failingSince(): number | undefined {
    return this.#failingSince
  }

  failed(code: string, reason?: string): void {
    this.#failingSince ??= Date.now()
    const name = `${code} ${reason}`
    if (this.#reasons.has(name)) return
    this.#reasons.add(name)
    this.#tell((reports) => reports.failed?.(code, reason))
  }

  /** @param gapsWritten losses that the commit recorded */
  succeeded(gapsWritten: number): void {
    const since = this.#failingSince
    this.#failingSince = undefined
    this.#reasons.clear()
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
      // A failing log must not stop the recording that it reports on.
    }
  }
}
