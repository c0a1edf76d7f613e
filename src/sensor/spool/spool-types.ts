/** The types of a spool. */
import type { actions, SensorEvent, spoolProblems } from '../../protocol/events/event-schema.ts'

/** An event on its way: validated, and with the id that makes sending it twice harmless. */
export type SpooledEvent = SensorEvent & Required<Pick<SensorEvent, 'eventId' | 'occurredAt'>>

/** The order of eviction: `allow`, then `mask`, then `block`. An event without an action counts as `allow`. */
export type Rank = (typeof actions)[number]

/** Lowest first. */
export const ranks: readonly Rank[] = ['allow', 'mask', 'block']

/**
 * Where an event is. `disk`: synced, so that it survives the process and a power failure. `memory`: the disk failed;
 * the event is sent from memory, and lost with the process. `dropped`: there was no room, or the spool is closed.
 */
export type Kept = 'disk' | 'memory' | 'dropped'

/** Why events are not kept on disk, as named in the protocol. */
export type DiskProblem = (typeof spoolProblems)[number]

/** A stored event: one line of JSON, and how many lost events it reports. */
export interface SpoolEntry {
  readonly json: string
  readonly rank: Rank
  /** Above 0 in an event that exists to report losses. */
  readonly lost: number
}

/** Events to send in one request, in order. */
export interface Batch {
  /** JSON of each event. */
  readonly events: readonly string[]
}

export interface SpoolOptions {
  /** A folder for this sensor only, created if missing. Without one, events are kept in memory only. */
  readonly dir?: string | undefined
  /** Most bytes on disk. Default: 64 MiB. */
  readonly bytesMax?: number
  /** Age at which an event is dropped unsent. Default: 72 hours. The service remembers an id for 7 days. */
  readonly ageMaxMs?: number
  /** Most bytes in memory, on the way to the disk or instead of it. Default: 8 MiB. */
  readonly memoryBytesMax?: number
  /** Delay between two attempts on a failing disk. Default: 5 seconds. */
  readonly diskRetryMs?: number
  /**
   * Minimum time between two writes, so that a busy sensor syncs what accumulates together. Default: 0. Blocking events
   * are written without this wait.
   */
  readonly commitGapMs?: number
  /** Fields of the events that report losses, such as `platform` and `sensorId`. */
  readonly stamp?: Partial<SensorEvent>
  /** Called when there is something to send. */
  readonly onEvent?: () => void
  /** Called when the disk begins to fail, fails in another way, or works again (undefined). */
  readonly onDiskProblem?: (problem: DiskProblem | undefined) => void
  /** The time of day in milliseconds since 1970. */
  readonly wallMs?: () => number
}

export interface SpoolStats {
  /** Events waiting on disk, and their bytes. Both are 0 without a disk. */
  readonly onDisk: number
  readonly bytesOnDisk: number
  /** Events that are only in memory. */
  readonly inMemory: number
  /** Events dropped since the spool was opened: evicted, expired, damaged on disk, or rejected by the service. */
  readonly lost: number
  /** How many of these no event on disk or at the service reports yet. */
  readonly lostUntold: number
  readonly problem: DiskProblem | undefined
}
