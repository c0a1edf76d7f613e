/**
 * The tables as Kysely sees them. JSON is stored as text, so that it keeps the order of its keys. The key of every
 * record table starts with the workspace, so that the tables can be sharded by it.
 */
import type { RollupDimension } from '../store.ts'

export interface EventColumns {
  workspace_id: string
  sequence: number
  /** Of `received_at`, counted from 1970: the row's partition. */
  day: number
  event_id: string
  /** Empty for events of the service itself. */
  lineage_id: string
  kind: string
  origin: 'service' | 'sensor'
  request_id: string | null
  token_id: string | null
  occurred_at: number
  received_at: number
  policy_revision: string | null
  action: string | null
  risk_tier: string | null
  client_surface: string | null
  model_provider: string | null
  model_id: string | null
  mcp_tool_name: string | null
  downstream_server: string | null
  sensor_id: string | null
  sensor_metadata: string
}

export interface AuditColumns {
  workspace_id: string
  sequence: number
  /** Of `at`, counted from 1970: the row's partition. */
  day: number
  writer_id: string
  writer_sequence: number
  at: number
  request_id: string | null
  token_id: string | null
  actor: string
  action: string
  /** See `auditPayload`; the columns before it repeat what is searched for. */
  payload: string
  previous_hash: string
  hash: string
}

export interface RollupColumns {
  workspace_id: string
  dimension: RollupDimension
  /** Start of the minute or hour. */
  at: number
  value: string
  kind: string
  action: string
  events: number
  entities_masked: number
}

export interface SensorColumns {
  workspace_id: string
  lineage_id: string
  sensor_id: string
  token_id: string
  first_seen_at: number
  last_seen_at: number
  /** Its last heartbeat, as JSON. */
  report: string
}

export interface Tables {
  workspaces: { id: string; name: string; created_at: number }
  /**
   * The last number assigned to an event or an audit row of a workspace. Every writer of records updates this row
   * first, for several workspaces in the order of their ids; the lock makes the order of commits in a workspace that of
   * sequences.
   */
  workspace_counters: { workspace_id: string; sequence: number }
  tokens: {
    id: string
    workspace_id: string
    lineage_id: string
    hash: string
    label: string
    scopes: string
    created_at: number
    expires_at: number | null
    revoked_at: number | null
    change: number
  }
  /** Separate from `tokens`, so that recording a use never rewrites, locks or counts as a change of the token. */
  token_uses: { token_id: string; last_used_at: number }
  policy_revisions: {
    workspace_id: string
    sequence: number
    revision: string
    mcp_tool_policy: string
    redaction_profile: string
    author: string
    note: string
    published_at: number
  }
  /** Partitioned by day: see `RecordTables`. */
  events: EventColumns
  audit: AuditColumns
  /** Ids of known events, and the day on which they were received. */
  event_keys: { workspace_id: string; lineage_id: string; event_id: string; day: number }
  /** What the partitions hold, by hours: tells a reader where to look, and how much there is. */
  record_hours: {
    workspace_id: string
    records: RecordKind
    /** Hours since 1970. */
    hour: number
    rows: number
    first_sequence: number
    last_sequence: number
  }
  /** The same for the rows of one audit writer, by days and by its own sequence. */
  audit_writer_days: {
    workspace_id: string
    writer_id: string
    day: number
    first_sequence: number
    last_sequence: number
  }
  rollup_minute: RollupColumns
  rollup_hour: RollupColumns
  audit_writers: {
    workspace_id: string
    writer_id: string
    rows: number
    hash: string
    started_at: number
    last_at: number
    closed_at: number | null
    /** When another writer closed it for lack of heartbeats. */
    lost_at: number | null
  }
  /** Openings of the store that are alive, by their last heartbeat; each has one row, however many heads it has. */
  live_writers: { writer_id: string; last_at: number }
  audit_roots: {
    workspace_id: string
    sequence: number
    sealed_at: number
    payload: string
    hash: string
    signature: string
  }
  users: {
    id: string
    workspace_id: string
    name: string
    role: string
    provider: 'local' | 'oidc'
    issuer: string | null
    subject: string | null
    password: string | null
    created_at: number
    disabled_at: number | null
    last_sign_in_at: number | null
  }
  sessions: { hash: string; user_id: string; created_at: number; last_used_at: number; ends_at: number }
  password_links: { hash: string; workspace_id: string; user_id: string | null; expires_at: number }
  /** Work that one of several instances does for all, until the given time unless it renews the lease. */
  leases: { name: string; holder: string; expires_at: number }
  /** How far events were exported, and how many retention dropped before that. */
  export_cursors: { name: string; workspace_id: string; sequence: number; lost: number }
  /** One row per sensor, replaced by each heartbeat. */
  sensors: SensorColumns
  meta: { key: string; value: string }
  /** One row. Its lock also serialises the transactions that change workspaces, tokens or policies. */
  change_counter: { id: number; value: number }
}

export type RecordKind = 'events' | 'audit'
export const recordKinds: readonly RecordKind[] = ['events', 'audit']

export const hoursPerDay = 24

type ColumnType = 'text not null' | 'text' | 'bigint not null'

/** Columns of the partitioned tables with types that both engines know, in the order in which rows are written. */
export const recordColumns: {
  readonly events: Readonly<Record<keyof EventColumns, ColumnType>>
  readonly audit: Readonly<Record<keyof AuditColumns, ColumnType>>
} = {
  events: {
    workspace_id: 'text not null',
    sequence: 'bigint not null',
    day: 'bigint not null',
    event_id: 'text not null',
    lineage_id: 'text not null',
    kind: 'text not null',
    origin: 'text not null',
    request_id: 'text',
    token_id: 'text',
    occurred_at: 'bigint not null',
    received_at: 'bigint not null',
    policy_revision: 'text',
    action: 'text',
    risk_tier: 'text',
    client_surface: 'text',
    model_provider: 'text',
    model_id: 'text',
    mcp_tool_name: 'text',
    downstream_server: 'text',
    sensor_id: 'text',
    sensor_metadata: 'text not null'
  },
  audit: {
    workspace_id: 'text not null',
    sequence: 'bigint not null',
    day: 'bigint not null',
    writer_id: 'text not null',
    writer_sequence: 'bigint not null',
    at: 'bigint not null',
    request_id: 'text',
    token_id: 'text',
    actor: 'text not null',
    action: 'text not null',
    payload: 'text not null',
    previous_hash: 'text not null',
    hash: 'text not null'
  }
}

/** Indexes of a partition besides its key, (workspace_id, sequence). Rows without the value are excluded. */
export const recordIndexes: Readonly<
  Record<RecordKind, readonly { readonly name: string; readonly columns: readonly string[]; readonly where?: string }[]>
> = {
  events: [
    { name: 'request', columns: ['workspace_id', 'request_id'], where: 'request_id is not null' },
    { name: 'token', columns: ['workspace_id', 'token_id', 'sequence'], where: 'token_id is not null' },
    { name: 'action', columns: ['workspace_id', 'action', 'sequence'], where: 'action is not null' }
  ],
  audit: [
    { name: 'request', columns: ['workspace_id', 'request_id'], where: 'request_id is not null' },
    { name: 'token', columns: ['workspace_id', 'token_id', 'sequence'], where: 'token_id is not null' },
    { name: 'action', columns: ['workspace_id', 'action', 'sequence'] },
    { name: 'writer', columns: ['workspace_id', 'writer_id', 'writer_sequence'] }
  ]
}

/** The columns of a record table as listed in a `create table` statement. */
export const columnList = (records: RecordKind): string =>
  Object.entries(recordColumns[records])
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')
