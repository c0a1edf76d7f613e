/** Rows of the tables to records and back. */
import type { Selectable } from 'kysely'
import type { Tables } from './schema.ts'
import {
  StoreError,
  type AuditEntry,
  type AuditRow,
  type PolicyRevision,
  type StoredEvent,
  type StoredToken
} from './store.ts'

/**
 * JSON is written on the caller's side, so that a record that cannot be written fails its caller alone.
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

/** The columns of an audit row that is to be written. */
export function auditRow(entry: AuditEntry, textOf: (value: object) => string = jsonText) {
  return {
    workspace_id: entry.workspaceId,
    at: entry.at,
    request_id: entry.requestId,
    token_id: entry.tokenId,
    actor: entry.actor,
    action: entry.action,
    detail: textOf(entry.detail)
  }
}

export function toAuditRow(row: Selectable<Tables['audit']>): AuditRow {
  return {
    sequence: row.sequence,
    workspaceId: row.workspace_id,
    at: row.at,
    requestId: row.request_id,
    tokenId: row.token_id,
    actor: row.actor,
    action: row.action,
    detail: JSON.parse(row.detail)
  }
}

export function toEvent(row: Selectable<Tables['events']>): StoredEvent {
  return {
    sequence: row.sequence,
    eventId: row.event_id,
    workspaceId: row.workspace_id,
    kind: row.kind,
    origin: row.origin,
    requestId: row.request_id,
    tokenId: row.token_id,
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    policyRevision: row.policy_revision,
    sensorMetadata: JSON.parse(row.sensor_metadata)
  }
}

export function toToken(row: Selectable<Tables['tokens']> & { last_used_at: number | null }): StoredToken {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    hash: row.hash,
    label: row.label,
    scopes: JSON.parse(row.scopes),
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
    mcpToolPolicy: JSON.parse(row.mcp_tool_policy),
    redactionProfile: JSON.parse(row.redaction_profile),
    author: row.author,
    note: row.note,
    publishedAt: row.published_at
  }
}
