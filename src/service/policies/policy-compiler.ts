/** Compiles the policy of a workspace for the hot path, with the keys of that workspace. */
import { createHash, type KeyObject } from 'node:crypto'
import { deriveKey } from '../../config/master-key.ts'
import { createShortHmac } from '../../config/short-hmac.ts'
import type { Detector } from '../../detection/detector.ts'
import type { IngressPolicy } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { compileRestore } from '../../ingress/restore/plan.ts'
import { effectivePolicy, type EffectivePolicy } from '../../policy/revision.ts'
import type { PolicyRevision } from '../../store/store.ts'
import { compileDraft, type CompiledDraft } from './compile-draft.ts'

export interface PolicyCompilerOptions {
  readonly masterKey: KeyObject
  /** The server's switch; if false, no profile can block. */
  readonly blockHighRisk: boolean
  /** The built-in kinds for which traffic is scanned. */
  readonly detectors: readonly Detector[]
}

/** A revision, compiled and as documents. */
export interface CompiledRevision {
  readonly source: PolicyRevision
  readonly policy: IngressPolicy
  readonly effective: EffectivePolicy
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

export class PolicyCompiler {
  readonly #options: PolicyCompilerOptions
  /** Replaced if the service gets new credentials. */
  detectors: readonly Detector[]

  constructor(options: PolicyCompilerOptions) {
    this.#options = options
    this.detectors = options.detectors
  }

  /** The key of a workspace's allow list. */
  allowKey(workspaceId: string): KeyObject {
    return deriveKey(this.#options.masterKey, 'allow-list', workspaceId)
  }

  /** Compiles a profile that passes its lint, as it would be enforced in a workspace. */
  profile(workspaceId: string, redactionProfile: unknown): CompiledDraft {
    const { blockHighRisk } = this.#options
    const { detectors } = this
    return compileDraft(redactionProfile, { allowKey: this.allowKey(workspaceId), blockHighRisk, detectors })
  }

  /** @throws Refused `policy_unreadable` for documents that this version does not know */
  revision(source: PolicyRevision): CompiledRevision {
    const { masterKey, blockHighRisk } = this.#options
    const { workspaceId } = source
    const effective = effectivePolicy(source, { blockHighRisk }, sha256Hex)
    const digest = createShortHmac(deriveKey(masterKey, 'placeholder', workspaceId)).bytes
    try {
      const { profile, scanner } = this.profile(workspaceId, effective.redactionProfile)
      const restore = compileRestore(profile, scanner)
      return { source, effective, policy: { revision: effective.revision, profile, scanner, digest, restore } }
    } catch {
      throw new Refused('policy_unreadable')
    }
  }
}
