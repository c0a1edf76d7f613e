/** The policy in force of each workspace: compiled for the hot path, and as the documents that are streamed. */
import type { KeyObject } from 'node:crypto'
import type { Detector } from '../../detection/detector.ts'
import type { IngressPolicy } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import type { EffectivePolicy } from '../../policy/revision.ts'
import type { Store } from '../../store/store.ts'
import { ChangeFollower } from './change-follower.ts'
import type { CompiledDraft } from './compile-draft.ts'
import { PolicyCompiler, type CompiledRevision, type PolicyCompilerOptions } from './policy-compiler.ts'
import { resultWithin } from '../../timing/within.ts'

export interface PolicySource {
  /**
   * The policy in force. A call keeps the object that it got, so that no request is judged by two revisions.
   * @throws Refused `store_unavailable`, `policy_unreadable`, as a rejection, if a workspace's policy was never loaded
   *   and cannot be loaded now
   */
  policyOf(workspaceId: string): IngressPolicy | Promise<IngressPolicy>
  /** The same as documents, read from the store. @throws Refused as `policyOf` does */
  effective(workspaceId: string): Promise<EffectivePolicy>
  /** Compiles a profile that passes its lint, as it would be enforced in a workspace. */
  compile(workspaceId: string, redactionProfile: unknown): CompiledDraft
  /** The key of a workspace's allow list. */
  allowKey(workspaceId: string): KeyObject
  /** Compiles every policy in force again, for other built-in kinds than those of the start. */
  useDetectors(detectors: readonly Detector[]): void
  /** Calls `listener` with each policy that takes effect in a workspace that was requested before. */
  onPolicy(listener: (workspaceId: string, policy: EffectivePolicy) => void): void
  close(): void
}

interface PolicySourceOptions extends PolicyCompilerOptions {
  readonly store: Store
  /** Called for a policy that could not be loaded; the last one stays in force. */
  readonly onFailure?: (workspaceId: string) => void
}

/**
 * A read that takes longer may hang on a connection that died silently, which the store's own timeouts detect only
 * after many seconds: another read is started in parallel, on another connection.
 */
const patienceMs = 1500

/** Creates a source. It follows the store; what was loaded stays in force while the store is unreachable. */
export function createPolicySource(options: PolicySourceOptions): PolicySource {
  const { store } = options
  const compiler = new PolicyCompiler(options)
  const known = new Map<string, CompiledRevision>()
  /** Workspaces that are loaded, and those whose first read is in progress: a change could occur during the read. */
  const followed = new Set<string>()
  const failing = new Set<string>()
  const listeners: ((workspaceId: string, policy: EffectivePolicy) => void)[] = []

  async function load(workspaceId: string): Promise<CompiledRevision> {
    followed.add(workspaceId)
    const revision = await store.currentPolicyRevision(workspaceId).catch(() => undefined)
    if (revision === undefined) throw new Refused('store_unavailable')
    const before = known.get(workspaceId)
    if (before !== undefined && before.source.sequence >= revision.sequence) return before
    const inForce = compiler.revision(revision)
    known.set(workspaceId, inForce)
    for (const listener of listeners) listener(workspaceId, inForce.effective)
    return inForce
  }

  /** Reads a policy again. @returns whether it must be retried */
  async function reload(workspaceId: string): Promise<boolean> {
    try {
      await resultWithin(patienceMs, load(workspaceId), () => new Refused('store_unavailable'))
      failing.delete(workspaceId)
      return false
    } catch (error) {
      if (!failing.has(workspaceId)) options.onFailure?.(workspaceId)
      failing.add(workspaceId)
      // An unreadable document stays so until there is another, which the store reports.
      return error instanceof Refused && error.code === 'store_unavailable'
    }
  }

  const follower = new ChangeFollower(store, async () => (await Promise.all([...followed].map(reload))).includes(true))
  return {
    policyOf: (workspaceId) => known.get(workspaceId)?.policy ?? load(workspaceId).then(({ policy }) => policy),
    effective: async (workspaceId) => (await load(workspaceId)).effective,
    compile: (workspaceId, redactionProfile) => compiler.profile(workspaceId, redactionProfile),
    allowKey: (workspaceId) => compiler.allowKey(workspaceId),
    useDetectors(detectors) {
      compiler.detectors = detectors
      for (const [workspaceId, { source }] of known) known.set(workspaceId, compiler.revision(source))
    },
    onPolicy: (listener) => void listeners.push(listener),
    close: () => follower.close()
  }
}
