/**
 * Drafts of a policy, kept in this browser by workspace and user: a reload, an ended session and a closed tab leave them
 * where they are. What the storage does not take (it is full, or switched off) is kept as long as the page is open.
 */
import { useCallback, useSyncExternalStore } from 'react'
import { z } from 'zod'

const storedDraft = z.object({
  text: z.string(),
  /** Id of the revision that the draft began with. */
  base: z.string(),
  /** What its publication will be for; proposed by whatever made the draft. */
  note: z.string()
})
export type Draft = z.output<typeof storedDraft>

interface Kept {
  /** As it stands in the storage. */
  readonly stored: string | null
  readonly draft: Draft | null
}

const kept = new Map<string, Kept>()
const listeners = new Set<() => void>()

export const draftKey = (workspaceId: string, userId: string): string => `sluice.policy-draft.${workspaceId}.${userId}`

/** @returns null where there is no draft */
function readDraft(key: string): Draft | null {
  const known = kept.get(key)
  const stored = fromStorage(key)
  // A draft that the storage did not take stands in memory alone.
  if (known && (stored === known.stored || stored === undefined)) return known.draft
  const draft = typeof stored === 'string' ? parse(stored) : null
  kept.set(key, { stored: stored ?? null, draft })
  return draft
}

/** Keeps a draft, or with null forgets it. */
function writeDraft(key: string, draft: Draft | null): void {
  try {
    if (draft === null) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Kept in memory below.
  }
  kept.set(key, { stored: fromStorage(key) ?? null, draft })
  for (const listener of listeners) listener()
}

function fromStorage(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key)
  } catch {
    return undefined
  }
}

function parse(stored: string): Draft | null {
  try {
    return storedDraft.parse(JSON.parse(stored))
  } catch {
    return null
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The draft of a key, also as another tab of this browser changes it. */
export function useStoredDraft(key: string): readonly [Draft | null, (draft: Draft | null) => void] {
  const draft = useSyncExternalStore(subscribe, () => readDraft(key))
  const write = useCallback((next: Draft | null) => writeDraft(key, next), [key])
  return [draft, write]
}
