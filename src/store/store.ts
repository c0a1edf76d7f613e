/**
 * The contract of a store. Every engine passes the same suite (`store.contract.ts`), and nothing here shows which one
 * runs. What an `await` of a writing method returns is on disk: losing the process or the machine does not lose it.
 */
import type { AccountStore } from './accounts.ts'
import type {
  AuditEntry,
  AuditRow,
  KnownSensor,
  PolicyRevision,
  SensorRecord,
  StoredEvent,
  StoredToken,
  TokenRecord,
  Workspace,
  WorkspaceEvent
} from './records.ts'
import type { SeriesPoint, SeriesQuery } from './series-query.ts'

export * from './accounts.ts'
export * from './records.ts'
export * from './series-query.ts'

/**
 * `unavailable`: the engine or the disk fails; the same call may succeed later. `overloaded`: too much is waiting.
 * `closed`: the store was closed. `conflict`: a record with this key exists. `unknown_workspace`: the record belongs to
 * a workspace that does not exist. `invalid`: the record cannot be written as it is.
 */
export type StoreErrorCode = 'unavailable' | 'overloaded' | 'closed' | 'conflict' | 'unknown_workspace' | 'invalid'

/** The only error of a store. Its message is a fixed sentence and never holds a value of a record. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Most rows that one reading call returns, and that one batch of tokens uses may have. */
export const rowsMax = 1000

/** Most events and most audit rows that one `append` takes. */
export const appendRowsMax = 5000

export interface AppendBatch {
  readonly events: readonly WorkspaceEvent[]
  readonly audit: readonly AuditEntry[]
}

/**
 * `duplicate`: an event with this id of the same token lineage was stored in the last {@link idempotencyDays} days, and
 * nothing was written for this one.
 */
export type EventOutcome = 'stored' | 'duplicate'

/** How long the id of an event is known. */
export const idempotencyDays = 7

/** What every page of rows says: rows in the order asked for, and where the next page begins. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  /**
   * Cursor of the next page, or null where there is none. A page may be short, or empty, and have a next one: reading is
   * bounded in rows looked at, not only in rows found.
   */
  readonly next: string | null
}

export interface PageQuery {
  readonly workspaceId: string
  /** Only rows of calls and events of this token. */
  readonly tokenId?: string | undefined
  /** Only rows received at or after this time, in milliseconds since 1970. */
  readonly from?: number | undefined
  /** Only rows received before this time. */
  readonly to?: number | undefined
  readonly requestId?: string | undefined
  /** `newest` first (the default) or `oldest` first, by arrival. */
  readonly order?: 'newest' | 'oldest' | undefined
  /** From 1 to {@link rowsMax}. */
  readonly limit: number
  /** `next` of the page before, of a query that is otherwise the same. */
  readonly cursor?: string | undefined
}

/** Facets of an event that can be asked for; each is a column, read from the event's metadata when it is written. */
export const eventFacets = [
  'action',
  'riskTier',
  'clientSurface',
  'modelProvider',
  'modelId',
  'mcpToolName',
  'downstreamServer',
  'sensorId'
] as const
export type EventFacet = (typeof eventFacets)[number]

export interface EventQuery extends PageQuery {
  readonly kind?: string | undefined
  readonly origin?: 'service' | 'sensor' | undefined
  /** Only events with exactly these values. */
  readonly facets?: Readonly<Partial<Record<EventFacet, string>>> | undefined
  /** Only events whose `entityCounts` count this kind. */
  readonly entityKind?: string | undefined
}

export interface AuditQuery extends PageQuery {
  readonly action?: string | undefined
  readonly actor?: string | undefined
}

/** Where the chain of one writer stands. */
export interface AuditHead {
  readonly writerId: string
  /** Rows that the writer has written in this workspace. */
  readonly rows: number
  /** Hash of the last one, 64 hexadecimal characters. */
  readonly hash: string
  readonly startedAt: number
  /** Time of the last row or sign of life. */
  readonly lastAt: number
  /** When the writer said that it ends, or was found lost; null while it runs. */
  readonly closedAt: number | null
  /** Whether it was found lost and has not come back. */
  readonly isLost: boolean
}

/** A row with all that its hash is made of: see `audit/chain.ts`. */
export interface ChainedAuditRow {
  readonly writerId: string
  /** 1 for the first row of a writer in a workspace, then one more each time, without holes. */
  readonly writerSequence: number
  /** The day, counted from 1970, of the partition that the row stands in. */
  readonly day: number
  readonly payload: string
  readonly previousHash: string
  readonly hash: string
  /** The row as its columns give it, to be compared with its payload. */
  readonly row: AuditRow
}

/** A sealed root of a workspace: signed, chained, and kept for good. */
export interface AuditRoot {
  readonly workspaceId: string
  /** 1 for the first root of a workspace, then one more each time. */
  readonly sequence: number
  readonly sealedAt: number
  /** Canonical JSON of what was signed. */
  readonly payload: string
  readonly hash: string
  readonly signature: string
}

export interface MaintenancePlan {
  readonly now: number
  /** Whole days that raw events and audit rows are kept. */
  readonly eventDays: number
  readonly auditDays: number
  readonly minuteRollupDays: number
  /** Cap on the size of the database; the oldest days of events go earlier when it is passed. 0 for none. */
  readonly bytesMax: number
}

export interface MaintenanceReport {
  readonly dropped: readonly { readonly records: 'events' | 'audit'; readonly day: number; readonly rows: number }[]
  readonly bytes: number
  readonly oldestEventDay: number | null
}

export interface TokenUse {
  readonly tokenId: string
  readonly at: number
}

/** All methods reject with {@link StoreError} alone. A `limit` out of its range is a RangeError. */
export interface Store extends AccountStore, AsyncDisposable {
  /**
   * Creates the workspace unless one with this id exists; `audit` is written only when it was created.
   * @returns the workspace as it stands, with the name that it was created with
   */
  ensureWorkspace(
    workspace: Workspace,
    audit: AuditEntry
  ): Promise<{ readonly workspace: Workspace; readonly created: boolean }>
  findWorkspace(id: string): Promise<Workspace | undefined>
  /** In the order of ids, those after `after`. */
  listWorkspaces(query: { readonly limit: number; readonly after?: string | undefined }): Promise<Workspace[]>

  /** @throws StoreError `conflict` where the id is taken, `unknown_workspace` */
  insertToken(token: TokenRecord, audit: AuditEntry): Promise<void>
  findToken(id: string): Promise<StoredToken | undefined>
  /** Tokens of a workspace in the order of making, those with a smaller `change` left out by `after`. */
  listTokens(query: {
    readonly workspaceId: string
    readonly limit: number
    readonly after?: number | undefined
  }): Promise<StoredToken[]>
  /** Tokens of all workspaces whose `change` is greater, in its order: with 0 all of them, page by page. */
  tokensChangedAfter(change: number, limit: number): Promise<StoredToken[]>
  /**
   * Adds `token`, of the lineage of `old`, and lets `old` expire at `oldExpiresAt` where it would not before.
   * @returns `not_found` where `old` is not a token of the workspace or was revoked; nothing is written then
   */
  rotateToken(
    old: { readonly id: string; readonly oldExpiresAt: number },
    token: TokenRecord,
    audit: AuditEntry
  ): Promise<'rotated' | 'not_found'>
  /**
   * Revokes a token once; `audit` is written only by the call that did it.
   * @returns `revoked`, `already_revoked`, or `not_found` in this workspace
   */
  revokeToken(
    token: { readonly workspaceId: string; readonly id: string; readonly revokedAt: number },
    audit: AuditEntry
  ): Promise<'revoked' | 'already_revoked' | 'not_found'>
  /** Sets the time of last use where it is later than the one known. At most {@link rowsMax}; unknown ids are skipped. */
  touchTokens(uses: readonly TokenUse[]): Promise<void>

  /** @throws StoreError `conflict` where the sequence is taken: another publisher was faster, so read again */
  insertPolicyRevision(revision: PolicyRevision, audit: AuditEntry): Promise<void>
  /** The revision with the highest sequence. */
  currentPolicyRevision(workspaceId: string): Promise<PolicyRevision | undefined>
  findPolicyRevision(workspaceId: string, revision: string): Promise<PolicyRevision | undefined>
  /** Newest first, those with a smaller sequence than `before`. */
  listPolicyRevisions(query: {
    readonly workspaceId: string
    readonly limit: number
    readonly before?: number | undefined
  }): Promise<PolicyRevision[]>

  /**
   * Writes events and audit rows in one durable transaction: all of it or nothing. Calls that wait for each other
   * share a commit, and the fault of one batch does not touch another.
   * @returns one outcome for each event, in order
   * @throws StoreError `overloaded` at once when too much waits; RangeError for more than {@link appendRowsMax} rows
   */
  append(batch: AppendBatch): Promise<EventOutcome[]>
  findEvents(query: EventQuery): Promise<Page<StoredEvent>>
  /**
   * Events that arrived after the one with this sequence, oldest first: the way to follow a workspace without losing
   * one, since sequences rise in the order of commits.
   */
  eventsAfter(query: {
    readonly workspaceId: string
    readonly sequence: number
    readonly limit: number
  }): Promise<StoredEvent[]>
  /** The sequence of the newest event, 0 where there is none. */
  lastEventSequence(workspaceId: string): Promise<number>
  /** Notes signs of life, each for the one before of its sensor; {@link sensorsMax} in a workspace are kept. */
  putSensors(sensors: readonly SensorRecord[]): Promise<void>
  /** Those heard of last first. */
  listSensors(query: Pick<PageQuery, 'workspaceId' | 'limit'>): Promise<KnownSensor[]>
  /** From rollups alone, in the order of time; never reads a raw event. */
  eventSeries(query: SeriesQuery): Promise<SeriesPoint[]>
  findAudit(query: AuditQuery): Promise<Page<AuditRow>>

  /** Identifies this opening of the store among all writers of audit rows. */
  readonly writerId: string
  /**
   * A sign of life of this writer: sets `lastAt`, and takes back `closedAt`, of its heads in all workspaces. Then closes
   * every open head whose last sign of life lies before `lostBefore` and writes, in the same transaction and by the chain
   * of this writer, one `writer_lost` row for it; of several instances that call at once, one does.
   * @returns the heads that were closed
   */
  heartbeat(times: {
    readonly now: number
    readonly lostBefore: number
  }): Promise<readonly { readonly workspaceId: string; readonly writerId: string; readonly lastAt: number }[]>
  auditHeads(workspaceId: string): Promise<AuditHead[]>
  /** Rows of one writer in the order of its chain, those after `after`. */
  auditChain(query: {
    readonly workspaceId: string
    readonly writerId: string
    readonly after: number
    readonly limit: number
  }): Promise<ChainedAuditRow[]>
  lastAuditRoot(workspaceId: string): Promise<AuditRoot | undefined>
  auditRoots(query: {
    readonly workspaceId: string
    readonly after: number
    readonly limit: number
  }): Promise<AuditRoot[]>
  /**
   * Sequence of the newest root that was ever stored, 0 for none. It stands beside the roots, so that it tells of those
   * that are gone.
   */
  auditRootsStored(workspaceId: string): Promise<number>
  /** @throws StoreError `conflict` where the sequence is taken: another instance has sealed */
  insertAuditRoot(root: AuditRoot): Promise<void>

  /**
   * Takes a lease, or renews it: of all openings of the store one has it at a time. Times are of the caller's clock; a
   * clock that is ahead may take it early, so the work under it must bear being done twice.
   * @returns whether this opening has it now
   */
  takeLease(lease: { readonly name: string; readonly now: number; readonly expiresAt: number }): Promise<boolean>
  /** Gives a lease back that this opening has. */
  dropLease(name: string): Promise<void>
  /**
   * Workspaces in which records were written since the cursor of an export, in the order of ids, those after `after`.
   * `sequence` is the cursor, 0 where there is none; `end` is the newest record's: every event up to it can be read.
   */
  exportsPending(query: {
    readonly name: string
    readonly limit: number
    readonly after?: string | undefined
  }): Promise<readonly { readonly workspaceId: string; readonly sequence: number; readonly end: number }[]>
  /** Moves cursors of an export forward; one that stands further stays. At most {@link rowsMax}. */
  moveExportCursors(moves: {
    readonly name: string
    readonly cursors: readonly { readonly workspaceId: string; readonly sequence: number }[]
  }): Promise<void>
  /** Events that retention took before the cursor of an export reached them, each told once; {@link rowsMax} at most. */
  takeExportLosses(name: string): Promise<readonly { readonly workspaceId: string; readonly rows: number }[]>

  /**
   * Drops what is past its time, whole days at once, and forgets ids and rollups that are. Of several instances that
   * call at once, one works. Each workspace that loses rows gets an audit row that says so.
   */
  maintain(plan: MaintenancePlan): Promise<MaintenanceReport>
  /**
   * Copies the whole database while it is in use. @throws StoreError `invalid` where the engine has tools of its own
   * for it
   * @param file a path that does not exist yet
   */
  backup(file: string, onProgress?: (done: number) => void): Promise<void>

  getMeta(key: string): Promise<string | undefined>
  /** Writes the value unless the key has one. @returns the value that stands, so that all processes agree on one */
  putMetaIfAbsent(key: string, value: string): Promise<string>
  putMeta(key: string, value: string): Promise<void>

  /**
   * A number that rises whenever a workspace, a token or a policy is made or changed, by whichever process. One cheap
   * read, made to be polled. Events, audit rows and last uses do not move it.
   */
  changeCounter(): Promise<number>
  /**
   * Calls `listener` soon after the change counter moved, whoever moved it, and after every loss of contact, when a
   * change could have been missed; the first listener is called once at the beginning for the same reason. Changes that
   * come together are one call.
   * @returns a function that ends it
   */
  onChange(listener: () => void): () => void

  /** Takes no more calls, finishes those under way, within a bound of its own. A second call waits for the first. */
  close(): Promise<void>
}
