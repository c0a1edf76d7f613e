/** Who is signed in, and what they may do. */
import { notifications } from '@mantine/notifications'
import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import type { Permission } from '../../../src/protocol/roles.ts'
import {
  sessionBody,
  setupCheckBody,
  type SessionBody,
  type SetupRequest,
  type SignInRequest
} from '../../../src/protocol/api/session-schema.ts'
import { get, send, setOwnSession } from './client.ts'
import { ApiError } from './problem.ts'

/** A session as the pages use it. */
interface KnownSession extends SessionBody {
  /**
   * Whether the session has ended under an open page. Its user stays known until somebody signs in again, so that
   * nothing that depends on their permissions disappears together with what was typed into it.
   */
  readonly isEnded: boolean
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal, client }): Promise<KnownSession> => {
    const session = await get('/api/session', sessionBody, { signal })
    const known = client.getQueryData<KnownSession>(['session'])
    // Somebody else has signed in through another tab: what this one shows and holds is not for them.
    if (known?.user && session.user && session.user.id !== known.user.id) location.assign('/')
    else remember(session)
    return known?.user && !session.user ? { ...known, isEnded: true } : { ...session, isEnded: false }
  },
  // Long enough not to ask for each page, short enough to notice a changed role.
  staleTime: 60_000,
  refetchInterval: 300_000
})

function remember(session: SessionBody): SessionBody {
  setOwnSession(session)
  return session
}

export const useSession = () => useQuery(sessionQuery)

/** Whether the signed-in user may do this. The service checks again; this only decides what is offered. */
export function useMay(permission: Permission): boolean {
  const { data } = useSession()
  return data?.user?.permissions.includes(permission) ?? false
}

/** Replaces the session, and refetches everything on the page. */
async function takeOver(client: QueryClient, session: SessionBody): Promise<void> {
  const before = client.getQueryData(sessionQuery.queryKey)?.user
  // What another person saw and typed is not for this one.
  if (before && before.id !== session.user?.id) return location.assign('/')
  client.setQueryData(sessionQuery.queryKey, { ...remember(session), isEnded: false })
  await client.invalidateQueries({ predicate: isNotSession })
}

const isNotSession = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean => queryKey[0] !== 'session'

/**
 * A newly opened session, if the browser keeps it. A browser that dropped the cookie would otherwise show the sign-in
 * form again and again, without explanation.
 */
async function kept(opened: SessionBody): Promise<SessionBody> {
  const { user } = await get('/api/session', sessionBody)
  if (user !== null || opened.user === null) return opened
  const why =
    opened.secureUrl === null
      ? 'Allow cookies for this address.'
      : `The browser keeps it only over https: use ${opened.secureUrl}, or correct SERVICE_PUBLIC_URL.`
  throw new ApiError(`The name and the password are right, but this browser did not keep the session. ${why}`, {
    status: 0,
    code: 'session_not_kept'
  })
}

export function useSignIn() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: SignInRequest) =>
      await kept((await send('POST', '/api/session', sessionBody, { body })).body),
    onSuccess: (session) => takeOver(client, session)
  })
}

export function useSetup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: SetupRequest) =>
      await kept((await send('POST', '/api/setup', sessionBody, { body })).body),
    onSuccess: (session) => takeOver(client, session)
  })
}

/** What a set-up link is for. */
export async function checkSetup(code: string, signal: AbortSignal) {
  return (await send('POST', '/api/setup/check', setupCheckBody, { body: { code }, signal })).body
}

const leave = (): void => location.assign('/sign-in')

/** Signs out, here or in every browser. The page then reloads, so that nothing of the session stays in memory. */
export function useSignOut() {
  return useMutation({
    mutationFn: async ({ everywhere }: { readonly everywhere: boolean }) =>
      await send('DELETE', '/api/session', z.unknown(), { query: { everywhere: everywhere ? 1 : undefined } }),
    onSuccess: leave,
    onError: (error) => {
      // A session that has already ended is what was wanted; after any other failure it may still be valid.
      if (error instanceof ApiError && error.status === 401) return leave()
      notifications.show({ color: 'red', title: 'You are still signed in', message: error.message })
    }
  })
}
