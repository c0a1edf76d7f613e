/** The page's queries about workspace tokens. */
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  madeTokenBody,
  revokedTokenBody,
  tokensBody,
  type NewTokenRequest,
  type RotateTokenRequest
} from '../../../../src/protocol/api/token-schema.ts'
import { get, send } from '../../api/client.ts'

export const tokensQuery = infiniteQueryOptions({
  queryKey: ['tokens'],
  queryFn: ({ pageParam, signal }) => get('/api/tokens', tokensBody, { query: { after: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined
})

function useTokenMutation<Variables, Data>(mutationFn: (variables: Variables) => Promise<Data>) {
  const client = useQueryClient()
  // Not awaited: while the service is away, the list does not arrive, and what was started would seem to go on.
  return useMutation({ mutationFn, onSettled: () => void client.invalidateQueries({ queryKey: ['tokens'] }) })
}

export const useMakeToken = () =>
  useTokenMutation(async (body: NewTokenRequest) => (await send('POST', '/api/tokens', madeTokenBody, { body })).body)

export const useRotateToken = () =>
  useTokenMutation(
    async ({ id, ...body }: RotateTokenRequest & { readonly id: string }) =>
      (await send('POST', `/api/tokens/${encodeURIComponent(id)}/rotate`, madeTokenBody, { body })).body
  )

export const useRevokeToken = () =>
  useTokenMutation(
    async (id: string) => (await send('DELETE', `/api/tokens/${encodeURIComponent(id)}`, revokedTokenBody)).body
  )
