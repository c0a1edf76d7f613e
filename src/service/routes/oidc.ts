/** `/api/session/oidc`: to the provider and back. What fails ends on the sign-in page, which says why in words. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../ingress/refusal/refused.ts'
import { type SignInProblem } from '../../protocol/api/session-schema.ts'
import type { Access } from '../access.ts'
import { callbackPath, OidcProblem, transactionMs } from '../accounts/oidc-journey.ts'
import type { OidcSignIn } from '../accounts/oidc.ts'
import type { People } from '../accounts/people.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { answered } from './answered.ts'
import { openSession, privately } from './session.ts'
import { z } from 'zod'

export interface OidcDependencies {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly people: People
  /** Undefined where no provider is configured. */
  readonly oidc: OidcSignIn | undefined
}

/**
 * Paths of our own: two slashes, or a slash and a backslash, would lead to another host. What a browser keeps meanwhile
 * has room for so long a one.
 */
const ownPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/)
  .default('/')
const query = z.object({ to: ownPath })

export function registerOidc(app: FastifyInstance, to: OidcDependencies): void {
  const onRequest = admission(to.lifecycle)
  const { access, people, oidc } = to
  const { transaction } = access.cookie
  app.get('/api/session/oidc', { onRequest }, async (request, reply) => {
    if (!oidc) throw new Refused('not_found')
    const asked = query.safeParse(request.query)
    if (!asked.success) return goTo(request, reply, problemPage('bad_return'))
    const begun = await oidc.begin(asked.data.to).catch(asProblem)
    if (typeof begun === 'string') return goTo(request, reply, problemPage(begun))
    transaction.set(reply, begun.sealed, transactionMs)
    return goTo(request, reply, begun.url)
  })
  app.get(callbackPath, { onRequest }, async (request, reply) => {
    if (!oidc) throw new Refused('not_found')
    const kept = transaction.read(request)
    transaction.clear(reply)
    const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
    const finished = await oidc.finish(search, kept).catch(asProblem)
    if (typeof finished === 'string') return goTo(request, reply, problemPage(finished))
    const user = await answered(people.signInByProvider(finished.identity, request.id))
    if (user === 'disabled') return goTo(request, reply, problemPage('oidc_disabled'))
    await openSession(request, reply, user, access)
    return goTo(request, reply, finished.returnTo)
  })
}

const problemPage = (problem: SignInProblem): string => `/sign-in?problem=${problem}`

function asProblem(error: unknown): SignInProblem {
  if (error instanceof OidcProblem) return error.problem
  throw error
}

const goTo = (request: FastifyRequest, reply: FastifyReply, url: string): FastifyReply =>
  reply.headers(privately(request)).redirect(url, 302)
