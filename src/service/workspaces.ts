/** Workspaces and their initial policy. */
import { createHash } from 'node:crypto'
import { revisionId, standardPolicy } from '../policy/revision.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
import {
  auditActions,
  StoreError,
  type AuditEntry,
  type PolicyRevision,
  type Store,
  type Workspace
} from '../store/store.ts'

function entry(workspaceId: string, actor: string, action: string, detail: AuditEntry['detail']): AuditEntry {
  return { workspaceId, at: Date.now(), requestId: null, tokenId: null, actor, action, detail }
}

function firstRevision(workspaceId: string): PolicyRevision {
  const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
  const documents = JSON.parse(canonicalJson(standardPolicy)) as typeof standardPolicy
  return {
    workspaceId,
    sequence: 1,
    revision: revisionId(1, documents, sha256Hex),
    mcpToolPolicy: documents.mcpToolPolicy,
    redactionProfile: documents.redactionProfile,
    author: 'service',
    note: 'The policy that every workspace starts with (preset standard).',
    publishedAt: Date.now()
  }
}

/**
 * Ensures that a workspace and its first policy revision exist. Safe to call from several processes at once.
 * @param actor who asks, for the audit trail: `service`, `cli`
 */
export async function ensureWorkspace(
  store: Store,
  id: string,
  actor: string
): Promise<{ readonly workspace: Workspace; readonly created: boolean }> {
  const result = await store.ensureWorkspace(
    { id, name: id, createdAt: Date.now() },
    entry(id, actor, auditActions.workspaceCreated, { workspaceId: id })
  )
  if ((await store.currentPolicyRevision(id)) === undefined) await publishFirst(store, id, actor)
  return result
}

async function publishFirst(store: Store, workspaceId: string, actor: string): Promise<void> {
  const revision = firstRevision(workspaceId)
  const detail = { revision: revision.revision, note: revision.note }
  try {
    await store.insertPolicyRevision(revision, entry(workspaceId, actor, auditActions.policyPublished, detail))
  } catch (error) {
    // Another process has just published it, which is just as good.
    if (!(error instanceof StoreError && error.code === 'conflict')) throw error
  }
}
