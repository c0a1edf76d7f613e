/**
 * The store's records: plain data, times as numbers (milliseconds since 1970, UTC), independent of vendor and engine.
 */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. Undefined members are omitted when it is written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** A customer of one installation; every other record belongs to one. */
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly createdAt: number
}

/** Something that happened, metadata only: reported by a sensor, or observed by the service itself. */
export interface WorkspaceEvent {
  /** The idempotency key, unique in its workspace and lineage. */
  readonly eventId: string
  readonly workspaceId: string
  /** Lineage of the token that sent it; null for events of the service itself. */
  readonly lineageId: string | null
  readonly kind: string
  /** The source. A sensor cannot write events of the service. */
  readonly origin: 'service' | 'sensor'
  readonly requestId: string | null
  readonly tokenId: string | null
  readonly occurredAt: number
  readonly receivedAt: number
  readonly policyRevision: string | null
  readonly sensorMetadata: JsonObject
}

/** An event as read back. */
export interface StoredEvent extends WorkspaceEvent {
  /** Increases in the order of commits within its workspace, with gaps. */
  readonly sequence: number
}

/** Actions of audit rows for the service's own acts. Calls and enforcement events use their event's `kind`. */
export const auditActions = {
  workspaceCreated: 'workspace_created',
  tokenCreated: 'token_created',
  tokenRevoked: 'token_revoked',
  tokenRotated: 'token_rotated',
  policyPublished: 'policy_published',
  userCreated: 'user_created',
  userChanged: 'user_changed',
  userRemoved: 'user_removed',
  /** A link that sets a password was created; its code is recorded nowhere. */
  linkCreated: 'link_created',
  passwordSet: 'password_set',
  signedIn: 'signed_in',
  /** Only for existing users; other names that were tried are not recorded. */
  signInFailed: 'sign_in_failed',
  signedOut: 'signed_out',
  /** A day of records dropped by retention: `detail` is `{records, day, rows}`. */
  recordsExpired: 'records_expired',
  /** A writer that ended without notice: `detail` is `{writerId, lastAt}`. Up to 40 ms of its records may be lost. */
  writerLost: 'writer_lost',
  /**
   * Records that were lost: `detail` is `{from, to, count}`, the times of the first and the last one, and their number.
   */
  gap: 'gap'
} as const

/** One row of the audit trail: who did what, when, to which call. */
export interface AuditRow {
  /** Increases in the order of commits within its workspace, with gaps. */
  readonly sequence: number
  readonly workspaceId: string
  readonly at: number
  readonly requestId: string | null
  readonly tokenId: string | null
  /** `token:<id>`, `user:<name>`, `service`, or the name of an administrative surface, such as `cli`. */
  readonly actor: string
  readonly action: string
  readonly detail: JsonObject
}

/** An audit row that is not written yet. */
export interface AuditEntry extends Omit<AuditRow, 'sequence'> {
  /**
   * Index, in the same batch, of the event that this row records. If that event is a duplicate, the row is omitted with
   * it.
   */
  readonly eventIndex?: number
}

/** A stored workspace token: everything but the token itself. */
export interface TokenRecord {
  readonly id: string
  readonly workspaceId: string
  /** Id of the first token of its lineage: its own, or that of the token from which it was rotated. */
  readonly lineageId: string
  /** Keyed hash of the whole token, base64url. */
  readonly hash: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number | null
}

/** A token as read back. */
export interface StoredToken extends TokenRecord {
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  /** Value of the change counter when the token was created or revoked. */
  readonly change: number
}

/** One published policy. Rows are never changed; a rollback is a new one. */
export interface PolicyRevision {
  readonly workspaceId: string
  /** 1 for the first of a workspace, then increasing by one. */
  readonly sequence: number
  /** The identifier that clients see. */
  readonly revision: string
  readonly mcpToolPolicy: Readonly<Record<string, unknown>>
  readonly redactionProfile: Readonly<Record<string, unknown>>
  readonly author: string
  readonly note: string
  readonly publishedAt: number
}

/** The last heartbeat of one sensor. */
export interface SensorRecord {
  readonly workspaceId: string
  /** Of its token, so that it stays the same sensor after a rotation. */
  readonly lineageId: string
  /** The id that it gives itself; empty if none. */
  readonly sensorId: string
  readonly tokenId: string
  readonly lastSeenAt: number
  readonly report: Readonly<Record<string, unknown>>
}

/** Most sensors of a workspace that are kept: those heard of last. */
export const sensorsMax = 10_000
/** Days of silence after which a sensor is deleted. */
export const sensorDays = 7

export interface KnownSensor extends SensorRecord {
  readonly firstSeenAt: number
}
