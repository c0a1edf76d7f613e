/** The compiled policy of each workspace, kept in memory and refreshed when the store changes. */
import { createHmac, type KeyObject } from 'node:crypto'
import { deriveKey } from '../config/master-key.ts'
import type { IngressPolicy } from '../ingress/handle-call.ts'
import { Refused } from '../ingress/refused.ts'
import { compileProfile } from '../policy/redaction-profile.ts'
import { readRedactionProfile } from '../policy/revision.ts'
import type { PolicyRevision, Store } from '../store/store.ts'

const pollMs = 1000

export interface PolicySource {
  /**
   * The policy in force. A call keeps the object that it got, so that one request is never judged by two revisions.
   * @throws Refused `store_unavailable`, as a rejection, when a workspace's policy was never loaded and cannot be now
   */
  policyOf(workspaceId: string): IngressPolicy | Promise<IngressPolicy>
  close(): void
}

export interface PolicySourceOptions {
  readonly store: Store
  readonly masterKey: KeyObject
  /** The server's switch; when false no profile can block. */
  readonly blockHighRisk: boolean
}

/** Starts a source. It polls the store's change counter once a second; what it loaded stays in force while the store is away. */
export function createPolicySource({ store, masterKey, blockHighRisk }: PolicySourceOptions): PolicySource {
  const known = new Map<string, IngressPolicy>()
  let seen = -1
  let isPolling = false

  function compile(revision: PolicyRevision): IngressPolicy {
    const key = deriveKey(masterKey, 'placeholder', revision.workspaceId)
    return {
      revision: revision.revision,
      profile: compileProfile(readRedactionProfile(revision.redactionProfile), { blockHighRisk }),
      digest: (value) => createHmac('sha256', key).update(value).digest()
    }
  }

  async function load(workspaceId: string): Promise<IngressPolicy> {
    const revision = await store.currentPolicyRevision(workspaceId).catch(() => undefined)
    if (revision === undefined) throw new Refused('store_unavailable')
    const before = known.get(workspaceId)
    const policy = before?.revision === revision.revision ? before : compile(revision)
    known.set(workspaceId, policy)
    return policy
  }

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    try {
      const counter = await store.changeCounter()
      if (counter === seen) return
      await Promise.all([...known.keys()].map(load))
      seen = counter
    } catch {
      // The last policy stays in force; the next poll tries again.
    } finally {
      isPolling = false
    }
  }

  const timer = setInterval(() => void poll(), pollMs).unref()
  return {
    policyOf: (workspaceId) => known.get(workspaceId) ?? load(workspaceId),
    close: () => clearInterval(timer)
  }
}
