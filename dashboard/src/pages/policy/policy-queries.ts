/** The pages' queries about policies. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  lintBody,
  policySensorsBody,
  publishedBody,
  revisionBody,
  revisionsBody,
  type RevisionHead
} from '../../../../src/protocol/api/policy-schema.ts'
import { get, send } from '../../api/client.ts'
import type { Documents } from './documents.ts'

const base = '/api/workspace/policy'
const headKey = ['policy', 'head'] as const

/** The newest published revision; polled, since others publish as well. */
export const headQuery = queryOptions({
  queryKey: headKey,
  queryFn: async ({ signal, client }): Promise<RevisionHead | null> => {
    if (client.getQueryData(headKey) !== undefined) {
      return (await get(`${base}/revisions`, revisionsBody, { query: { limit: 1 }, signal })).revisions[0] ?? null
    }
    // The first caller needs the documents next: one request instead of two in a row.
    const newest = await get(`${base}/revisions/current`, revisionBody, { signal })
    client.setQueryData(revisionQuery(newest.revision).queryKey, newest)
    return newest
  },
  staleTime: 2000,
  refetchInterval: 10_000
})

/** @param revision id or sequence; a revision never changes */
export const revisionQuery = (revision: string) =>
  queryOptions({
    queryKey: ['policy', 'revision', revision],
    queryFn: ({ signal }) => get(`${base}/revisions/${encodeURIComponent(revision)}`, revisionBody, { signal }),
    staleTime: Infinity
  })

/** @param documents a draft; the same draft is linted once */
export const lintQuery = (text: string, documents: Documents) =>
  queryOptions({
    queryKey: ['policy', 'lint', text],
    queryFn: async ({ signal }) => (await send('POST', `${base}/lint`, lintBody, { body: documents, signal })).body,
    staleTime: 60_000,
    gcTime: 60_000
  })

export const sensorsQuery = queryOptions({
  queryKey: ['policy', 'sensors'],
  queryFn: ({ signal }) => get(`${base}/sensors`, policySensorsBody, { signal }),
  // Short while sensors have not received a new policy yet.
  refetchInterval: ({ state }) => (state.data?.sensors.some(({ isCurrent }) => !isCurrent) ? 2000 : 10_000)
})

export interface Publication {
  readonly documents: Documents
  readonly note: string
  readonly confirm: boolean
  /** Id of the revision from which the author started. */
  readonly base: string
}

/** Publishes a draft. @throws ApiError `policy_conflict` if somebody was faster */
export function usePublish() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ documents, note, confirm, base: from }: Publication) =>
      (
        await send('PUT', base, publishedBody, {
          body: { ...documents, note, confirm },
          headers: { 'if-match': `"${from}"` }
        })
      ).body,
    ...invalidating(client)
  })
}

/** Publishes the documents of an earlier revision again. */
export function useRollback() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (to: { readonly revision: string; readonly note: string; readonly base: string }) =>
      (
        await send('POST', `${base}/rollback`, publishedBody, {
          body: { revision: to.revision, note: to.note, confirm: true },
          headers: { 'if-match': `"${to.base}"` }
        })
      ).body,
    ...invalidating(client)
  })
}

/** A success is shown with what it changed; a failure at once, since nothing may arrive while the service is away. */
const invalidating = (client: ReturnType<typeof useQueryClient>) => ({
  onSuccess: () => invalidatePolicy(client),
  onError: () => void invalidatePolicy(client)
})

/** Everything that depends on the policy in force. */
async function invalidatePolicy(client: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all(
    [['policy', 'head'], ['policy', 'history'], ['policy', 'sensors'], ['warnings'], ['tools'], ['sensors']].map(
      (queryKey) => client.invalidateQueries({ queryKey })
    )
  )
}
