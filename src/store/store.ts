/**
 * The contract of a store. Every engine passes the same suite (`store.contract.ts`), and nothing here depends on the
 * engine. Once a writing method resolves, its data is on disk: losing the process or the machine does not lose it.
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

/** Most rows returned by one reading call, and most token uses in a batch. */
export const rowsMax = 1000

/** Most events and most audit rows in one `append`. */
export const appendRowsMax = 5000

export interface AppendBatch {
  readonly events: readonly WorkspaceEvent[]
  readonly audit: readonly AuditEntry[]
}

/**
 * `duplicate`: an event with this id of the same token lineage was stored within the last {@link idempotencyDays} days,
 * and nothing was written for this one.
 */
export type EventOutcome = 'stored' | 'duplicate'

/** How long the id of an event is remembered. */
export const idempotencyDays = 7

/** A page of rows: rows in the requested order, and where the next page begins. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  /**
   * Cursor of the next page, or null if there is none. A page may be short, or empty, and still have a next one:
   * reading is limited by rows examined, not only by rows found.
   */
  readonly next: string | null
}

export interface PageQuery {
  readonly workspaceId: string
  /** Only rows of this token's calls and events. */
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
  /** `next` of the previous page; the query must otherwise be the same. */
  readonly cursor?: string | undefined
}

/** Facets by which events can be filtered; each is a column, filled from the event's metadata when it is written. */
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
  /** Only events whose `entityCounts` contain this kind. */
  readonly entityKind?: string | undefined
}

export interface AuditQuery extends PageQuery {
  readonly action?: string | undefined
  readonly actor?: string | undefined
}

/** The end of one writer's chain. */
export interface AuditHead {
  readonly writerId: string
  /** Rows that the writer has written in this workspace. */
  readonly rows: number
  /** Hash of the last one, 64 hexadecimal characters. */
  readonly hash: string
  readonly startedAt: number
  /** Time of the last row or heartbeat. */
  readonly lastAt: number
  /** When the writer closed, or was found lost; null while it runs. */
  readonly closedAt: number | null
  /** Whether it was found lost and has not returned. */
  readonly isLost: boolean
}

/** A row with everything that its hash covers: see `audit/chain.ts`. */
export interface ChainedAuditRow {
  readonly writerId: string
  /** 1 for the first row of a writer in a workspace, then increasing by one, without gaps. */
  readonly writerSequence: number
  /** The day of the row's partition, counted from 1970. */
  readonly day: number
  readonly payload: string
  readonly previousHash: string
  readonly hash: string
  /** The row according to its columns, to be compared with its payload. */
  readonly row: AuditRow
}

/** A sealed root of a workspace: signed, chained, and kept permanently. */
export interface AuditRoot {
  readonly workspaceId: string
  /** 1 for the first root of a workspace, then increasing by one. */
  readonly sequence: number
  readonly sealedAt: number
  /** Canonical JSON of what was signed. */
  readonly payload: string
  readonly hash: string
  readonly signature: string
}

export interface MaintenancePlan {
  readonly now: number
  /** How many whole days raw events and audit rows are kept. */
  readonly eventDays: number
  readonly auditDays: number
  readonly minuteRollupDays: number
  /** Limit on the size of the database; beyond it, the oldest days of events are dropped early. 0 for none. */
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

/** All methods reject only with {@link StoreError}. A `limit` out of its range is a RangeError. */
export interface Store extends AccountStore, AsyncDisposable {
  /**
   * Creates the workspace unless one with this id exists; `audit` is written only if it was created.
   * @returns the current workspace, with the name with which it was created
   */
  ensureWorkspace(
    workspace: Workspace,
    audit: AuditEntry
  ): Promise<{ readonly workspace: Workspace; readonly created: boolean }>
  findWorkspace(id: string): Promise<Workspace | undefined>
  /** Ordered by id, after `after`. */
  listWorkspaces(query: { readonly limit: number; readonly after?: string | undefined }): Promise<Workspace[]>

  /** @throws StoreError `conflict` if the id is taken, `unknown_workspace` */
  insertToken(token: TokenRecord, audit: AuditEntry): Promise<void>
  findToken(id: string): Promise<StoredToken | undefined>
  /** The token of a lineage that was made last: no rotation has shortened its life. */
  newestToken(lineageId: string): Promise<StoredToken | undefined>
  /** Tokens of a workspace in the order of creation, after the `change` in `after`. */
  listTokens(query: {
    readonly workspaceId: string
    readonly limit: number
    readonly after?: number | undefined
  }): Promise<StoredToken[]>
  /** Tokens of all workspaces whose `change` is greater, ordered by it: with 0, all of them, page by page. */
  tokensChangedAfter(change: number, limit: number): Promise<StoredToken[]>
  /**
   * Adds `token`, of the lineage of `old`, and lets `old` expire at `oldExpiresAt` unless it expires earlier.
   * @returns `not_found` if `old` is not a token of the workspace or was revoked; nothing is written then
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
  /** Sets the time of last use if it is later than the known one. At most {@link rowsMax}; unknown ids are skipped. */
  touchTokens(uses: readonly TokenUse[]): Promise<void>

  /** @throws StoreError `conflict` if the sequence is taken: another publisher was faster, so read again */
  insertPolicyRevision(revision: PolicyRevision, audit: AuditEntry): Promise<void>
  /** The revision with the highest sequence. */
  currentPolicyRevision(workspaceId: string): Promise<PolicyRevision | undefined>
  findPolicyRevision(workspaceId: string, revision: string): Promise<PolicyRevision | undefined>
  /** Newest first, with a smaller sequence than `before`. */
  listPolicyRevisions(query: {
    readonly workspaceId: string
    readonly limit: number
    readonly before?: number | undefined
  }): Promise<PolicyRevision[]>

  /**
   * Writes events and audit rows in one durable transaction: all or nothing. Concurrent calls share a commit, and a
   * fault in one batch does not affect another.
   * @returns one outcome for each event, in order
   * @throws StoreError `overloaded` at once if too much waits; RangeError for more than {@link appendRowsMax} rows
   */
  append(batch: AppendBatch): Promise<EventOutcome[]>
  findEvents(query: EventQuery): Promise<Page<StoredEvent>>
  /**
   * Events that arrived after the one with this sequence, oldest first. Follows a workspace without missing any, since
   * sequences increase in the order of commits.
   */
  eventsAfter(query: {
    readonly workspaceId: string
    readonly sequence: number
    readonly limit: number
  }): Promise<StoredEvent[]>
  /** The sequence of the newest event, 0 if there is none. */
  lastEventSequence(workspaceId: string): Promise<number>
  /** Records heartbeats, each replacing its sensor's previous one; {@link sensorsMax} per workspace are kept. */
  putSensors(sensors: readonly SensorRecord[]): Promise<void>
  /** Most recently heard first. */
  listSensors(query: Pick<PageQuery, 'workspaceId' | 'limit'>): Promise<KnownSensor[]>
  /** From rollups only, ordered by time; never reads a raw event. */
  eventSeries(query: SeriesQuery): Promise<SeriesPoint[]>
  findAudit(query: AuditQuery): Promise<Page<AuditRow>>

  /** Identifies this opening of the store among all writers of audit rows. */
  readonly writerId: string
  /**
   * A heartbeat of this writer: sets `lastAt`, and clears `closedAt`, of its heads in all workspaces. Then closes every
   * open head whose last heartbeat is before `lostBefore`, and writes one `writer_lost` row for it, in the same
   * transaction and in the chain of this writer; of several concurrent instances, one does.
   * @returns the heads that were closed
   */
  heartbeat(times: {
    readonly now: number
    readonly lostBefore: number
  }): Promise<readonly { readonly workspaceId: string; readonly writerId: string; readonly lastAt: number }[]>
  auditHeads(workspaceId: string): Promise<AuditHead[]>
  /** Rows of one writer in the order of its chain, after `after`. */
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
   * Sequence of the newest root that was ever stored, 0 for none. It is stored separately from the roots, so that it
   * reveals missing ones.
   */
  auditRootsStored(workspaceId: string): Promise<number>
  /** @throws StoreError `conflict` if the sequence is taken: another instance has sealed */
  insertAuditRoot(root: AuditRoot): Promise<void>

  /**
   * Takes or renews a lease: only one opening of the store holds it at a time. Times are by the caller's clock; a clock
   * that is ahead may take it early, so the work done under it must tolerate being done twice.
   * @returns whether this opening now holds it
   */
  takeLease(lease: { readonly name: string; readonly now: number; readonly expiresAt: number }): Promise<boolean>
  /** Releases a lease that this opening holds. */
  dropLease(name: string): Promise<void>
  /**
   * Workspaces in which records were written since the cursor of an export, ordered by id, after `after`. `sequence` is
   * the cursor, 0 if there is none; `end` is that of the newest record: every event up to it can be read.
   */
  exportsPending(query: {
    readonly name: string
    readonly limit: number
    readonly after?: string | undefined
  }): Promise<readonly { readonly workspaceId: string; readonly sequence: number; readonly end: number }[]>
  /** Moves cursors of an export forward; one that is already further stays. At most {@link rowsMax}. */
  moveExportCursors(moves: {
    readonly name: string
    readonly cursors: readonly { readonly workspaceId: string; readonly sequence: number }[]
  }): Promise<void>
  /**
   * Events that retention dropped before the cursor of an export reached them, each reported once; at most {@link
   * rowsMax}.
   */
  takeExportLosses(name: string): Promise<readonly { readonly workspaceId: string; readonly rows: number }[]>

  /**
   * Drops expired data, whole days at once, and deletes expired ids and rollups. Of several concurrent instances, one
   * works. Each workspace that loses rows gets an audit row about it.
   */
  maintain(plan: MaintenancePlan): Promise<MaintenanceReport>
  /**
   * Copies the whole database while it is in use.
   * @throws StoreError `invalid` if the engine has its own tools for that
   * @param file a path that does not exist yet
   */
  backup(file: string, onProgress?: (done: number) => void): Promise<void>

  getMeta(key: string): Promise<string | undefined>
  /** Writes the value unless the key has one. @returns the stored value, so that all processes agree on one */
  putMetaIfAbsent(key: string, value: string): Promise<string>
  putMeta(key: string, value: string): Promise<void>

  /**
   * A number that increases whenever a workspace, a token or a policy is created or changed, by any process. One cheap
   * read, intended for polling. Events, audit rows and last uses do not change it.
   */
  changeCounter(): Promise<number>
  /**
   * Calls `listener` soon after the change counter moved, whoever moved it, and after every loss of contact, when a
   * change could have been missed; the first listener is called once at the beginning for the same reason. Simultaneous
   * changes are one call.
   * @returns a function that unsubscribes
   */
  onChange(listener: () => void): () => void

  /** Accepts no more calls, and finishes those in progress, within a time limit. A second call waits for the first. */
  close(): Promise<void>
}
