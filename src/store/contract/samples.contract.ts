/** Complete and valid records for tests, which set the fields that matter to them. */
import assert from 'node:assert/strict'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import {
  StoreError,
  type AuditEntry,
  type PolicyRevision,
  type StoreErrorCode,
  type TokenRecord,
  type WorkspaceEvent
} from '../store.ts'
import { hourMs } from '../../timing/spans.ts'

export const auditOf = (fields: Partial<AuditEntry>): AuditEntry => ({
  workspaceId: 'acme',
  at: 1_000,
  requestId: null,
  tokenId: null,
  actor: 'test',
  action: 'tested',
  detail: {},
  ...fields
})

export const eventOf = (fields: Partial<WorkspaceEvent> = {}): WorkspaceEvent => ({
  eventId: timeOrderedId(),
  workspaceId: 'acme',
  lineageId: null,
  kind: 'ingress_proxy',
  origin: 'service',
  requestId: timeOrderedId(),
  tokenId: 'tok00001',
  occurredAt: 1_000,
  receivedAt: 1_001,
  policyRevision: '1-0123456789abcdef',
  sensorMetadata: { platform: 'ingress', entitiesMasked: 2, riskTier: 'low' },
  ...fields
})

export const tokenOf = (id: string, fields: Partial<TokenRecord> = {}): TokenRecord => ({
  id,
  workspaceId: 'acme',
  lineageId: id,
  hash: 'not-a-real-hash',
  label: 'test',
  scopes: ['events:write'],
  createdAt: 10,
  expiresAt: null,
  ...fields
})

export const policyOf = (sequence: number, fields: Partial<PolicyRevision> = {}): PolicyRevision => ({
  workspaceId: 'acme',
  sequence,
  revision: `${sequence}-0123456789abcdef`,
  mcpToolPolicy: { version: 1 },
  redactionProfile: { version: 1 },
  author: 'test',
  note: '',
  publishedAt: 20,
  ...fields
})

/** A time to count from: noon, so that an hour either way is the same day. */
export const noon = Date.UTC(2026, 0, 15, 12)
export const dayMs = 24 * hourMs

/** Checks the code of a rejection, and that it is a StoreError. */
export const rejectsWith = (promise: Promise<unknown>, code: StoreErrorCode) =>
  assert.rejects(promise, (error) => error instanceof StoreError && error.code === code)
