/**
 * The contract of a store. Every engine passes the same suite (`store.contract.ts`), and nothing here shows which one
 * runs. What an `await` of a writing method returns is on disk: losing the process or the machine does not lose it.
 */
import type {
  AuditEntry,
  AuditRow,
  PolicyRevision,
  StoredEvent,
  StoredToken,
  TokenRecord,
  Workspace,
  WorkspaceEvent
} from './records.ts'

export * from './records.ts'

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

/** `duplicate`: an event with this id is in the workspace already, and nothing was written for this one. */
export type EventOutcome = 'stored' | 'duplicate'

export interface RowQuery {
  readonly workspaceId: string
  /** Only rows of calls and events of this token. */
  readonly tokenId?: string | undefined
  /** From 1 to {@link rowsMax}. */
  readonly limit: number
}

export interface LatestQuery extends RowQuery {
  /** Only rows with a smaller sequence: the last one of the page before. */
  readonly before?: number | undefined
}

export interface RequestQuery extends RowQuery {
  readonly requestId: string
}

export interface TokenUse {
  readonly tokenId: string
  readonly at: number
}

/** All methods reject with {@link StoreError} alone. A `limit` out of its range is a RangeError. */
export interface Store extends AsyncDisposable {
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

  /**
   * Writes events and audit rows in one durable transaction: all of it or nothing. Calls that wait for each other
   * share a commit, and the fault of one batch does not touch another.
   * @returns one outcome for each event, in order
   * @throws StoreError `overloaded` at once when too much waits; RangeError for more than {@link appendRowsMax} rows
   */
  append(batch: AppendBatch): Promise<EventOutcome[]>
  /** Newest first by arrival. */
  latestEvents(query: LatestQuery): Promise<StoredEvent[]>
  /** Oldest first. */
  eventsOfRequest(query: RequestQuery): Promise<StoredEvent[]>
  /** Newest first. */
  latestAudit(query: LatestQuery): Promise<AuditRow[]>
  /** Oldest first. */
  auditOfRequest(query: RequestQuery): Promise<AuditRow[]>

  getMeta(key: string): Promise<string | undefined>
  /** Writes the value unless the key has one. @returns the value that stands, so that all processes agree on one */
  putMetaIfAbsent(key: string, value: string): Promise<string>
  putMeta(key: string, value: string): Promise<void>

  /**
   * A number that rises whenever a workspace, a token or a policy is made or changed, by whichever process. One cheap
   * read, made to be polled. Events, audit rows and last uses do not move it.
   */
  changeCounter(): Promise<number>

  /** Takes no more calls, finishes those under way, within a bound of its own. A second call waits for the first. */
  close(): Promise<void>
}
