/** Records for tests, complete and valid, with what matters to a test set by it. */
import { timeOrderedId } from '../telemetry/time-ordered-id.ts'
import type { AuditEntry, PolicyRevision, TokenRecord, WorkspaceEvent } from './store.ts'

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
