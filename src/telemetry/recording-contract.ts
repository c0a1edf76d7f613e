/** The contract of the event writer: its options, methods and counters. */
import type { AppendBatch, AuditEntry, EventOutcome, WorkspaceEvent } from '../store/store.ts'
import type { RecordingReports, RecordingState } from './recording-health.ts'

export interface EventWriterOptions {
  /** Most records that may wait. Beyond this, a call's record becomes a gap. Sensors' events may fill half of it. */
  readonly queueMax?: number
  /** Minimum time that records with a waiting sender are held, so that others can share their commit. */
  readonly flushMs?: number
  /**
   * Number of waiting senders from which none is held any longer: otherwise, if all senders arrive together, service
   * and store would take turns.
   */
  readonly groupMin?: number
  /** How long a call's record is held, for which nobody waits: fewer and larger commits cost less. */
  readonly callFlushMs?: number
  /** Most records per commit, unless a single entry is larger. */
  readonly batchMax?: number
  /** Records that must wait before a second commit is started behind one in progress. */
  readonly aheadMin?: number
  /** How long a commit may take before waiting senders are told to retry. */
  readonly stallMs?: number
  /** How long `close` tries to write what is left. */
  readonly closeTimeoutMs?: number
  /** Called when recording fails, works again, or loses something. */
  readonly reports?: RecordingReports
}

/** Totals since the start; `queued` and those that end in `Pending` are current values. */
export interface EventWriterCounters {
  /** Events on disk, of calls and of sensors; gaps are counted separately. */
  readonly recorded: number
  /** Sensors' events that were already on disk. */
  readonly duplicates: number
  /** Losses that are in a gap on disk, and losses that are not yet. */
  readonly gapsWritten: number
  readonly gapsPending: number
  /** Waiting records, including those being committed. */
  readonly queued: number
  /** Losses for which not even a gap could be written because their workspace does not exist: a bug. */
  readonly unrecordable: number
  /** Commits that failed. */
  readonly failures: number
}

export interface EventWriter {
  /** Queues the record of a call. Never throws, never waits. */
  record(event: WorkspaceEvent, audit?: AuditEntry | null): void
  /**
   * Queues records whose sender waits; resolves once they are on disk, all in one commit or none. Audit rows on their
   * own are accepted too; they may use the whole queue, since a model call waits for them.
   * @returns one outcome for each event, in order
   * @throws StoreError `overloaded` or `unavailable`: not acknowledged, so the sender keeps them and retries; `closed`;
   *   `unknown_workspace` or `invalid` if a record itself is faulty
   */
  recordDurably(batch: AppendBatch): Promise<EventOutcome[]>
  counters(): EventWriterCounters
  /** Whether records currently reach the disk, for the service's readiness. */
  state(): RecordingState
  /**
   * Writes what is queued without further delay, so that the next read of the store finds what was recorded before.
   * Returns after a time limit if the store does not answer, and never rejects.
   */
  flush(): Promise<void>
  /**
   * Accepts no more, and writes what is left within a time limit. @returns the last counters; what is still queued is
   * lost
   */
  close(): Promise<EventWriterCounters>
}
