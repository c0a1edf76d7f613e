/** The compiled policy of each workspace, kept in memory and refreshed when the store changes. */
import { createHash, createHmac, type KeyObject } from 'node:crypto'
import { deriveKey } from '../config/master-key.ts'
import type { Detector } from '../detection/detector.ts'
import type { IngressPolicy } from '../ingress/handle-call.ts'
import { Refused } from '../ingress/refused.ts'
import { compileRestore } from '../ingress/restore-plan.ts'
import { createProfileScanner } from '../policy/profile-scanner.ts'
import { compileProfile } from '../policy/redaction-decide.ts'
import { effectivePolicy, readRedactionProfile } from '../policy/revision.ts'
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
  /** The built-in kinds that traffic is scanned for. */
  readonly detectors: readonly Detector[]
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Starts a source. It polls the store's change counter once a second; what it loaded stays in force while the store is away. */
export function createPolicySource(options: PolicySourceOptions): PolicySource {
  const { store, masterKey, blockHighRisk, detectors } = options
  const known = new Map<string, { readonly sequence: number; readonly policy: IngressPolicy }>()
  let seen = -1
  let isPolling = false

  function compile(revision: PolicyRevision): IngressPolicy {
    const effective = effectivePolicy(revision, { blockHighRisk }, sha256Hex)
    const profile = readRedactionProfile(effective.redactionProfile)
    const placeholderKey = deriveKey(masterKey, 'placeholder', revision.workspaceId)
    const allowKey = deriveKey(masterKey, 'allow-list', revision.workspaceId)
    const compiled = compileProfile(profile, { blockHighRisk })
    const scanner = createProfileScanner(profile, {
      detectors,
      hash: (value) => createHmac('sha256', allowKey).update(value).digest('hex')
    })
    return {
      revision: effective.revision,
      profile: compiled,
      scanner,
      restore: compileRestore(compiled, scanner),
      digest: (value) => createHmac('sha256', placeholderKey).update(value).digest()
    }
  }

  async function load(workspaceId: string): Promise<IngressPolicy> {
    const revision = await store.currentPolicyRevision(workspaceId).catch(() => undefined)
    if (revision === undefined) throw new Refused('store_unavailable')
    const before = known.get(workspaceId)
    if (before !== undefined && before.sequence >= revision.sequence) return before.policy
    const policy = compile(revision)
    known.set(workspaceId, { sequence: revision.sequence, policy })
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
    policyOf: (workspaceId) => known.get(workspaceId)?.policy ?? load(workspaceId),
    close: () => clearInterval(timer)
  }
}
