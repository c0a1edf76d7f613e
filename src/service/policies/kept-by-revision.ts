/** What is found out about a revision once, for all who ask. */
import type { PolicyRevision } from '../../store/store.ts'

/**
 * Caches the findings of the newest revision of each workspace. The documents of a revision never change, and every
 * open page asks once a minute, so each is examined once; concurrent requests wait for the same result.
 */
export function keptByRevision<Found>(
  find: (policy: PolicyRevision) => Promise<Found>
): (policy: PolicyRevision) => Promise<Found> {
  const kept = new Map<string, { readonly revision: string; readonly found: Promise<Found> }>()
  return (policy) => {
    const { workspaceId, revision } = policy
    const known = kept.get(workspaceId)
    if (known?.revision === revision) return known.found
    const found = find(policy)
    kept.set(workspaceId, { revision, found })
    // The next request tries again.
    found.catch(() => {
      if (kept.get(workspaceId)?.found === found) kept.delete(workspaceId)
    })
    return found
  }
}
