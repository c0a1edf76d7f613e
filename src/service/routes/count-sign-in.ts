/** Counts how attempts to sign in ended. */
import { Refused } from '../../ingress/refusal/refused.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

export type SignInMethod = 'password' | 'provider'

/** What counts them. */
export type SignInMetrics = Pick<Metrics, 'add'>

/** @param outcome `signed_in`, or the code of what went wrong: one of our own words, never what somebody sent */
export function countSignIn(metrics: SignInMetrics, method: SignInMethod, outcome: string): void {
  metrics.add('signIns', 1, { method, outcome })
}

/** Does what signs somebody in, and counts it where it fails. @throws what the work throws */
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
