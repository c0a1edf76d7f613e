/**
 * Drafts of a policy, kept in this browser by workspace and user: they survive a reload, the end of a session and a
 * closed tab. If the storage does not accept a draft (it is full, or disabled), it is kept for as long as the page is
 * open.
 */
import { useCallback, useSyncExternalStore } from 'react'
import { z } from 'zod'

const storedDraft = z.object({
  text: z.string(),
  /** Id of the revision on which the draft is based. */
  base: z.string(),
  /** The note for its publication; suggested by whatever created the draft. */
  note: z.string()
})
export type Draft = z.output<typeof storedDraft>

interface Kept {
  /** As in the storage. */
  readonly stored: string | null
  readonly draft: Draft | null
}

const kept = new Map<string, Kept>()
const listeners = new Set<() => void>()

export const draftKey = (workspaceId: string, userId: string): string => `sluice.policy-draft.${workspaceId}.${userId}`

/** @returns null if there is no draft */
function readDraft(key: string): Draft | null {
  const known = kept.get(key)
  const stored = fromStorage(key)
  // A draft that the storage did not accept is only in memory.
  if (known && (stored === known.stored || stored === undefined)) return known.draft
  const draft = typeof stored === 'string' ? parse(stored) : null
  kept.set(key, { stored: stored ?? null, draft })
  return draft
}

/** Saves a draft, or deletes it if null. */
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

/** The draft of a key, including changes by other tabs of this browser. */
export function useStoredDraft(key: string): readonly [Draft | null, (draft: Draft | null) => void] {
  const draft = useSyncExternalStore(subscribe, () => readDraft(key))
  const write = useCallback((next: Draft | null) => writeDraft(key, next), [key])
  return [draft, write]
}
