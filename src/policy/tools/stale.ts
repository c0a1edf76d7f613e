/** What holds where a policy could not be renewed for as long as it says itself. */
import type { ToolPolicy } from './policy.ts'

/**
 * @param isFresh whether the service confirms the policy now
 * @param ageMs since it last did
 * @returns what calls then lead to at least; undefined where the policy holds as it stands
 */
export function staleEffect(
  { effect, afterSeconds }: ToolPolicy['stale'],
  isFresh: boolean,
  ageMs: number
): 'ask' | 'deny' | undefined {
  return effect === 'keep' || isFresh || ageMs <= afterSeconds * 1000 ? undefined : effect
}
