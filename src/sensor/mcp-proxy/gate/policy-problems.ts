/** Why there is no policy, or no newer one, as the end of a sentence. */
import type { SubscriberProblem } from '../../../policy-stream/subscriber.ts'

export const policyProblems: Readonly<Record<SubscriberProblem, string>> = {
  unauthorized: 'the service does not accept the token of the proxy',
  forbidden: 'the token of the proxy lacks the scope policy:read',
  not_found: 'SERVICE_INGRESS_TARGET is not the address of the service',
  unavailable: 'the service is overloaded, stopping or failing',
  unreachable: 'the service cannot be reached',
  silent: 'the service is silent',
  rejected: 'this version cannot use the policy of the service'
}

/** Problems that waiting does not mend. */
export function isLasting(problem: SubscriberProblem | undefined): boolean {
  return problem === 'unauthorized' || problem === 'forbidden' || problem === 'not_found' || problem === 'rejected'
}
