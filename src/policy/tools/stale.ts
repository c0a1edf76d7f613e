/** The minimum effect if a policy could not be refreshed for as long as it allows. */
import type { ToolPolicy } from './policy.ts'

/**
 * @param isFresh whether the service currently confirms the policy
 * @param ageMs time since it last did
 * @returns the minimum effect of calls; undefined if the policy applies unchanged
 */
export function staleEffect(
  { effect, afterSeconds }: ToolPolicy['stale'],
  isFresh: boolean,
  ageMs: number
): 'ask' | 'deny' | undefined {
  return effect === 'keep' || isFresh || ageMs <= afterSeconds * 1000 ? undefined : effect
}
