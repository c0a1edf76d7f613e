/** Counts the outcomes of attempts to sign in. */
import { Refused } from '../../ingress/refusal/refused.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

type SignInMethod = 'password' | 'provider'

/** The metrics that count them. */
export type SignInMetrics = Pick<Metrics, 'add'>

/** @param outcome `signed_in`, or the code of the failure: one of our own words, never text that somebody sent */
export function countSignIn(metrics: SignInMetrics, method: SignInMethod, outcome: string): void {
  metrics.add('signIns', 1, { method, outcome })
}

/** Does the work of signing in, and counts its failure. @throws what the work throws */
export async function countingFailures<T>(
  metrics: SignInMetrics,
  method: SignInMethod,
  work: () => Promise<T>
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    countSignIn(metrics, method, error instanceof Refused ? error.code : 'failed')
    throw error
  }
}
