/** What the store keeps: plain data with numbers for times (milliseconds since 1970, UTC) and no vendor or engine in it. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** An object of JSON. Members that are undefined are left out when it is written. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** A customer of one installation; every other record belongs to one. */
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly createdAt: number
}

/** One thing that happened, metadata only: what a sensor reported, or what the service saw itself. */
export interface WorkspaceEvent {
  /** The idempotency key, unique in its workspace and lineage. */
  readonly eventId: string
  readonly workspaceId: string
  /** Lineage of the token that sent it; null for events of the service itself. */
  readonly lineageId: string | null
  readonly kind: string
  /** Who says so. A sensor cannot write events of the service. */
  readonly origin: 'service' | 'sensor'
  readonly requestId: string | null
  readonly tokenId: string | null
  readonly occurredAt: number
  readonly receivedAt: number
  readonly policyRevision: string | null
  readonly sensorMetadata: JsonObject
}

/** An event as it is read back. */
export interface StoredEvent extends WorkspaceEvent {
  /** Rises in the order of commits within its workspace, with holes. */
  readonly sequence: number
}

/** Actions of audit rows that the service's own acts have. Calls and enforcement events use their event's `kind`. */
export const auditActions = {
  workspaceCreated: 'workspace_created',
  tokenCreated: 'token_created',
  tokenRevoked: 'token_revoked',
  tokenRotated: 'token_rotated',
  policyPublished: 'policy_published',
  userCreated: 'user_created',
  userChanged: 'user_changed',
  userRemoved: 'user_removed',
  /** A link that sets a password was made; the code of it is nowhere on record. */
  linkCreated: 'link_created',
  passwordSet: 'password_set',
  signedIn: 'signed_in',
  /** Of a user that there is; the names that strangers try are not kept. */
  signInFailed: 'sign_in_failed',
  signedOut: 'signed_out',
  /** A day of records that went by retention: `detail` is `{records, day, rows}`. */
  recordsExpired: 'records_expired',
  /** A writer that ended without saying so: `detail` is `{writerId, lastAt}`. Up to 40 ms of its records may be lost. */
  writerLost: 'writer_lost',
  /** Records that were lost: `detail` is `{from, to, count}`, the times of the first and the last one and how many. */
  gap: 'gap'
} as const

/** One line of the audit: who did what, when, to which call. */
export interface AuditRow {
  /** Rises in the order of commits within its workspace, with holes. */
  readonly sequence: number
  readonly workspaceId: string
  readonly at: number
  readonly requestId: string | null
  readonly tokenId: string | null
  /** `token:<id>`, `user:<name>`, `service`, or the name that an administrative surface gives, such as `cli`. */
  readonly actor: string
  readonly action: string
  readonly detail: JsonObject
}

/** An audit row that is not yet written. */
export interface AuditEntry extends Omit<AuditRow, 'sequence'> {
  /**
   * Place, in the same batch, of the event that this row tells of. Where that event turns out to be a duplicate the
   * row is left out with it.
   */
  readonly eventIndex?: number
}

/** A workspace token at rest: everything but the token. */
export interface TokenRecord {
  readonly id: string
  readonly workspaceId: string
  /** Id of the first token of its lineage: its own, or that of the token it was rotated from. */
  readonly lineageId: string
  /** Keyed hash of the whole token, base64url. */
  readonly hash: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number | null
}

/** A token as it is read back. */
export interface StoredToken extends TokenRecord {
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  /** Value of the change counter when the token was made or revoked. */
  readonly change: number
}

/** One published policy. Rows are never changed; a rollback is a new one. */
export interface PolicyRevision {
  readonly workspaceId: string
  /** 1 for the first of a workspace, then one more each time. */
  readonly sequence: number
  /** The identifier that clients see. */
  readonly revision: string
  readonly mcpToolPolicy: Readonly<Record<string, unknown>>
  readonly redactionProfile: Readonly<Record<string, unknown>>
  readonly author: string
  readonly note: string
  readonly publishedAt: number
}

/** The last sign of life of one sensor. */
export interface SensorRecord {
  readonly workspaceId: string
  /** Of its token, so that a rotation leaves it the same sensor. */
  readonly lineageId: string
  /** Its own word for itself; empty where it has none. */
  readonly sensorId: string
  readonly tokenId: string
  readonly lastSeenAt: number
  readonly report: Readonly<Record<string, unknown>>
}

/** Sensors of one workspace that are known at once; of more, those heard of last. */
export const sensorsMax = 10_000
/** Whole days after which a sensor that says nothing is forgotten. */
export const sensorDays = 7

export interface KnownSensor extends SensorRecord {
  readonly firstSeenAt: number
}
