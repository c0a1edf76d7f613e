/** What a spool takes, gives and says. */
import type { actions, SensorEvent, spoolProblems } from '../../protocol/events/event-schema.ts'

/** An event on its way: judged, and with the id that makes sending it twice harmless. */
export type SpooledEvent = SensorEvent & Required<Pick<SensorEvent, 'eventId' | 'occurredAt'>>

/** What goes first when room is short: `allow`, then `mask`, then `block`. An event without an action counts as `allow`. */
export type Rank = (typeof actions)[number]

/** Lowest first. */
export const ranks: readonly Rank[] = ['allow', 'mask', 'block']

/**
 * Where an event is. `disk`: synced, so that it survives the process and a power cut. `memory`: the disk would not take
 * it; it is sent from memory, and lost with the process. `dropped`: there was no room, or the spool is closed.
 */
export type Kept = 'disk' | 'memory' | 'dropped'

/** Why events are not kept on disk, in the words of the wire. */
export type DiskProblem = (typeof spoolProblems)[number]

/** An event as it is kept: one line of JSON, and how many lost events it tells of. */
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
  /** A folder of this sensor alone, made where it is not there. Without one events are kept in memory only. */
  readonly dir?: string | undefined
  /** Most bytes on disk; 64 MiB. */
  readonly bytesMax?: number
  /** Age beyond which an event is no longer worth sending; 72 hours. The service knows an id for 7 days. */
  readonly ageMaxMs?: number
  /** Most bytes in memory, on the way to the disk or in its place; 8 MiB. */
  readonly memoryBytesMax?: number
  /** From one try of a disk that fails to the next; 5 seconds. */
  readonly diskRetryMs?: number
  /**
   * Least time from one writing to the next, so that a busy sensor syncs what comes meanwhile at once; 0. What blocks is
   * written without such a wait.
   */
  readonly commitGapMs?: number
  /** Fields of the events that tell of losses, such as `platform` and `sensorId`. */
  readonly stamp?: Partial<SensorEvent>
  /** Told when there is something to send. */
  readonly onEvent?: () => void
  /** Told when the disk begins to fail, fails in another way, or works again (undefined). */
  readonly onDiskProblem?: (problem: DiskProblem | undefined) => void
  /** The time of day in milliseconds since 1970. */
  readonly wallMs?: () => number
}

export interface SpoolStats {
  /** Events that wait on disk, and their bytes. Both are 0 where there is no disk. */
  readonly onDisk: number
  readonly bytesOnDisk: number
  /** Events that are in memory alone. */
  readonly inMemory: number
  /** Events that were given up since the spool was opened: evicted, expired, damaged on disk, or refused by the service. */
  readonly lost: number
  /** Of those, the ones of which no event on disk or at the service tells yet. */
  readonly lostUntold: number
  readonly problem: DiskProblem | undefined
}
