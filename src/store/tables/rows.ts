/** Converts rows of the tables to records and back. */
import type { Selectable } from 'kysely'
import type { AuditColumns, EventColumns, Tables } from './schema.ts'
import {
  StoreError,
  type AuditHead,
  type AuditRoot,
  type AuditRow,
  type ChainedAuditRow,
  type JsonObject,
  type PolicyRevision,
  type StoredEvent,
  type StoredToken
} from '../store.ts'

/**
 * JSON is serialised on the caller's side, so that only the caller of a faulty record fails.
 * @throws StoreError `invalid` for what JSON cannot hold
 */
export function jsonText(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value) as string | undefined
  } catch {
    // The cause could quote the value, so it is not passed on.
  }
  if (text === undefined) throw new StoreError('invalid', 'The record holds a value that JSON cannot hold.')
  return text
}

/**
 * Parses JSON written by {@link jsonText}.
 * @throws StoreError `unavailable` if something else has changed it; the engine's own message would quote it
 */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StoreError('unavailable', 'A record of the store is damaged and cannot be read.')
  }
}

/** The columns of an audit row that are read back. */
export const auditReadColumns = [
  'sequence',
  'workspace_id',
  'at',
  'request_id',
  'token_id',
  'actor',
  'action',
  'payload'
] as const

/** The detail of a payload, or nothing if the payload was made unreadable: verification names that row. */
function detailOf(payload: string): JsonObject {
  try {
    return (JSON.parse(payload) as { detail?: JsonObject } | null)?.detail ?? {}
  } catch {
    return {}
  }
}

export function toAuditRow(row: Pick<AuditColumns, (typeof auditReadColumns)[number]>): AuditRow {
  return {
    sequence: row.sequence,
    workspaceId: row.workspace_id,
    at: row.at,
    requestId: row.request_id,
    tokenId: row.token_id,
    actor: row.actor,
    action: row.action,
    detail: detailOf(row.payload)
  }
}

export function toChainedAuditRow(row: AuditColumns): ChainedAuditRow {
  return {
    writerId: row.writer_id,
    writerSequence: row.writer_sequence,
    day: row.day,
    payload: row.payload,
    previousHash: row.previous_hash,
    hash: row.hash,
    row: toAuditRow(row)
  }
}

export function toAuditHead(row: Selectable<Tables['audit_writers']>): AuditHead {
  return {
    writerId: row.writer_id,
    rows: row.rows,
    hash: row.hash,
    startedAt: row.started_at,
    lastAt: row.last_at,
    closedAt: row.closed_at,
    // A writer that returned continues, and the mark of its loss no longer counts.
    isLost: row.closed_at !== null && row.lost_at !== null
  }
}

export function toAuditRoot(row: Selectable<Tables['audit_roots']>): AuditRoot {
  return {
    workspaceId: row.workspace_id,
    sequence: row.sequence,
    sealedAt: row.sealed_at,
    payload: row.payload,
    hash: row.hash,
    signature: row.signature
  }
}

/** The columns of an event that are read back; its facets are in its metadata too. */
export const eventReadColumns = [
  'sequence',
  'event_id',
  'workspace_id',
  'lineage_id',
  'kind',
  'origin',
  'request_id',
  'token_id',
  'occurred_at',
  'received_at',
  'policy_revision',
  'sensor_metadata'
] as const

export function toEvent(row: Pick<EventColumns, (typeof eventReadColumns)[number]>): StoredEvent {
  return {
    sequence: row.sequence,
    eventId: row.event_id,
    workspaceId: row.workspace_id,
    lineageId: row.lineage_id === '' ? null : row.lineage_id,
    kind: row.kind,
    origin: row.origin,
    requestId: row.request_id,
    tokenId: row.token_id,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    policyRevision: row.policy_revision,
    sensorMetadata: parsed(row.sensor_metadata) as JsonObject
  }
}

export function toToken(row: Selectable<Tables['tokens']> & { last_used_at: number | null }): StoredToken {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    lineageId: row.lineage_id,
    hash: row.hash,
    label: row.label,
    scopes: parsed(row.scopes) as readonly string[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    change: row.change
  }
}

export function toPolicyRevision(row: Selectable<Tables['policy_revisions']>): PolicyRevision {
  return {
    workspaceId: row.workspace_id,
    sequence: row.sequence,
    revision: row.revision,
    mcpToolPolicy: parsed(row.mcp_tool_policy) as JsonObject,
    redactionProfile: parsed(row.redaction_profile) as JsonObject,
    author: row.author,
    note: row.note,
    publishedAt: row.published_at
  }
}
