/** The current user's draft, and the policy on which it is based. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { PolicyDocuments } from '../../../../src/policy/revision.ts'
import type { RevisionBody, RevisionHead } from '../../../../src/protocol/api/policy-schema.ts'
import { useSession } from '../../api/session.ts'
import { readText, textOf, type Read } from './documents.ts'
import { draftKey, useStoredDraft } from './draft-store.ts'
import { headQuery, revisionQuery } from './policy-queries.ts'

export interface PolicyDraft {
  /** The newest revision. */
  readonly head: RevisionHead
  readonly current: RevisionBody
  /** The revision on which the draft is based; the newest one if there is no draft. */
  readonly base: RevisionBody
  readonly text: string
  readonly read: Read
  /** The initial note of the publication. */
  readonly note: string
  readonly isChanged: boolean
  /** Whether somebody has published since the draft was begun. */
  readonly isOverTaken: boolean
  setText(text: string): void
  setDocuments(documents: PolicyDocuments, note?: string): void
  /** Continues from the newest revision with these documents. */
  rebase(documents: PolicyDocuments, note?: string): void
  discard(): void
}

/** What to show: the draft, or why there is none yet. */
type DraftState =
  | { readonly draft: PolicyDraft; readonly error: null }
  | { readonly draft: undefined; readonly error: Error | null; retry(): void }

export function useDraft(): DraftState {
  const { data: session } = useSession()
  const key = draftKey(session?.workspace?.id ?? '', session?.user?.id ?? '')
  // After a session has ended, its draft stays on the page.
  const [stored, write] = useStoredDraft(useLast(session?.user ? key : undefined) ?? key)
  const head = useQuery(headQuery)
  const newest = head.data?.revision
  const current = useQuery({
    ...revisionQuery(newest ?? ''),
    enabled: newest !== undefined,
    placeholderData: keepPreviousData
  })
  const based = stored?.base ?? newest
  const base = useQuery({
    ...revisionQuery(based ?? ''),
    enabled: based !== undefined,
    placeholderData: keepPreviousData
  })
  const shown = stored?.text ?? (base.data && textOf(base.data))
  const read = useMemo(() => (shown === undefined ? undefined : readText(shown)), [shown])
  const now = current.data
  // A draft of another installation at this URL is based on a revision that does not exist here.
  const from = base.data ?? (base.error ? now : undefined)
  if (!head.data || !now || !from || shown === undefined || read === undefined) {
    const failed = [head, current, base].filter(({ isError }) => isError)
    const retry = (): void => void Promise.all(failed.map(({ refetch }) => refetch()))
    return { draft: undefined, error: failed[0]?.error ?? null, retry }
  }
  const begin = (text: string, revision: RevisionBody, note: string): void => {
    write(text === textOf(revision) ? null : { text, base: revision.revision, note })
  }
  return {
    error: null,
    draft: {
      head: head.data,
      current: now,
      base: from,
      text: shown,
      read,
      note: stored?.note ?? '',
      isChanged: stored !== null,
      isOverTaken: stored !== null && from.sequence !== head.data.sequence,
      setText: (text) => begin(text, from, stored?.note ?? ''),
      setDocuments: (documents, note) => begin(textOf(documents), from, note ?? stored?.note ?? ''),
      rebase: (documents, note) => begin(textOf(documents), now, note ?? stored?.note ?? ''),
      discard: () => write(null)
    }
  }
}

/** The last defined value. */
function useLast(value: string | undefined): string | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
