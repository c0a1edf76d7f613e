/** Compiles a streamed policy to what the ingress enforces. */
import type { IngressPolicy } from '../../ingress/handle-call.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { compileRestore } from '../../ingress/restore/plan.ts'
import type {
  PolicyFrame,
  PolicySubscriber,
  SubscriberProblem,
  SubscriberStatus
} from '../../policy-stream/subscriber.ts'
import { certificateRemedy } from '../../protocol/connection-fault.ts'
import { createProfileScanner } from '../../policy/redaction/profile-scanner.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { readRedactionProfile } from '../../policy/revision.ts'
import type { CompilingParts } from '../service-link.ts'

/**
 * Compiles a policy. The streamed profile is the effective one, so no switch of this machine applies. `allow.hmacs`
 * lets nothing pass here: its key never leaves the service.
 * @throws Error for documents that this version does not know; the subscriber then keeps the previous policy
 */
export function compileFrame(
  { revision, redactionProfile }: PolicyFrame,
  { digest, detectors }: CompilingParts
): IngressPolicy {
  const parsed = readRedactionProfile(redactionProfile)
  const profile = compileProfile(parsed, { blockHighRisk: true })
  const scanner = createProfileScanner(parsed, { detectors })
  return { revision, profile, scanner, digest, restore: compileRestore(profile, scanner) }
}

type Followed = Pick<PolicySubscriber<IngressPolicy>, 'policy' | 'status'>

/** The state of the policy in the sidecar: that of its subscriber, or `baseline`. */
export function standing({ status }: Pick<Followed, 'status'>, baseline: IngressPolicy | undefined): Standing {
  return status.state === 'unresolved' && baseline
    ? { ...status, state: 'baseline', revision: baseline.revision }
    : status
}

export type Standing = Omit<SubscriberStatus, 'state'> & { readonly state: SubscriberStatus['state'] | 'baseline' }

/**
 * The policy to enforce: the service's, or the baseline if there has never been one.
 * @throws Refused `policy_unavailable` if there is neither, or the policy is too old
 */
export function policyInForce(subscriber: Followed, baseline?: IngressPolicy): IngressPolicy {
  const { policy, status } = subscriber
  if (policy) return policy.compiled
  if (status.state === 'unresolved' && baseline) return baseline
  const state =
    status.state === 'expired' ? 'has only a policy that the service confirmed too long ago' : 'has no policy yet'
  const cause = causeOf(status)
  throw new Refused('policy_unavailable', { sentence: `The sidecar ${state}, so it forwards nothing: ${cause}.` })
}

function causeOf({ problem, fault }: SubscriberStatus): string {
  if (problem === undefined) return 'it is still asking the service'
  return problem === 'untrusted' ? `${problems[problem]}: ${certificateRemedy(fault)}` : problems[problem]
}

const problems: Readonly<Record<SubscriberProblem, string>> = {
  unauthorized: 'the service does not accept its token',
  forbidden: 'its token lacks the scope policy:read',
  not_found: 'SERVICE_INGRESS_TARGET is not the address of the service',
  unavailable: 'the service is overloaded, stopping or failing',
  unreachable: 'the service cannot be reached',
  untrusted: 'the certificate of the service is not trusted here',
  silent: 'the service is silent',
  rejected: 'this version cannot use the policy of the service'
}
