/** What the event writer is told, what it does, and what it counts. */
import type { AppendBatch, AuditEntry, EventOutcome, WorkspaceEvent } from '../store/store.ts'
import type { RecordingReports, RecordingState } from './recording-health.ts'

export interface EventWriterOptions {
  /** Most records that wait. Beyond it a call's record becomes a gap. Sensors' events may fill half of it. */
  readonly queueMax?: number
  /** How long records whose sender waits are held at least, for others to share their commit. */
  readonly flushMs?: number
  /** Senders; so many are held no longer, or else all of them come together, and service and store take turns. */
  readonly groupMin?: number
  /** How long the record of a call is held, for which nobody waits: fewer and larger commits cost less. */
  readonly callFlushMs?: number
  /** Records of one commit, beyond which only an entry that is larger by itself goes. */
  readonly batchMax?: number
  /** Records that must wait before a second commit is handed over while one is under way. */
  readonly aheadMin?: number
  /** How long a commit may take before senders who wait for it are told to come again. */
  readonly stallMs?: number
  /** How long `close` tries to write what is left. */
  readonly closeTimeoutMs?: number
  /** Is told when recording fails, works again, or loses something; silent where it is left out. */
  readonly reports?: RecordingReports
}

/** Numbers since the start; those that end in `Pending` and `queued` are as of now. */
export interface EventWriterCounters {
  /** Events on disk, of calls and of sensors; gaps are counted by themselves. */
  readonly recorded: number
  /** Of sensors' events: those that were on disk before. */
  readonly duplicates: number
  /** Losses that stand in a gap on disk, and those that do not yet. */
  readonly gapsWritten: number
  readonly gapsPending: number
  /** Records that wait, with those whose commit is under way. */
  readonly queued: number
  /** Losses of which not even a gap could be written, since their workspace does not exist: a fault of the program. */
  readonly unrecordable: number
  /** Commits that failed. */
  readonly failures: number
}

export interface EventWriter {
  /** Takes the record of a call. Never throws, never waits. */
  record(event: WorkspaceEvent, audit?: AuditEntry | null): void
  /**
   * Takes records whose sender waits, and answers when they are on disk: all of them in one commit, or none. Audit rows
   * alone are taken as well; they may use the whole queue, since a model call waits for them.
   * @returns one outcome for each event, in order
   * @throws StoreError `overloaded` or `unavailable`: not acknowledged, and the sender keeps them and comes again;
   *   `closed`; `unknown_workspace` or `invalid` where a record itself is at fault
   */
  recordDurably(batch: AppendBatch): Promise<EventOutcome[]>
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
