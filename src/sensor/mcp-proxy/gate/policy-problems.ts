/** Why there is no policy, or no newer one. */
import { certificateRemedy } from '../../../protocol/connection-fault.ts'
import type { SubscriberProblem, SubscriberStatus } from '../../../policy-stream/subscriber.ts'

const policyProblems: Readonly<Record<SubscriberProblem, string>> = {
  unauthorized: 'the service does not accept the token of the proxy',
  forbidden: 'the token of the proxy lacks the scope policy:read',
  not_found: 'SERVICE_INGRESS_TARGET is not the address of the service',
  unavailable: 'the service is overloaded, stopping or failing',
  unreachable: 'the service cannot be reached',
  untrusted: 'the certificate of the service is not trusted here',
  silent: 'the service is silent',
  rejected: 'this version cannot use the policy of the service'
}

/** Worded as the end of a sentence. */
export function whyNoPolicy({ problem, fault }: Pick<SubscriberStatus, 'problem' | 'fault'>): string {
  if (problem === undefined) return 'the service was not reached yet'
  return problem === 'untrusted' ? `${policyProblems[problem]}: ${certificateRemedy(fault)}` : policyProblems[problem]
}

const lasting: ReadonlySet<SubscriberProblem> = new Set([
  'unauthorized',
  'forbidden',
  'not_found',
  'untrusted',
  'rejected'
])

/** Problems that waiting does not solve. */
export function isLasting(problem: SubscriberProblem | undefined): boolean {
  return problem !== undefined && lasting.has(problem)
}
