/** `/api/session/oidc`: to the provider and back. A failure leads to the sign-in page, which explains it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../ingress/refusal/refused.ts'
import { type SignInProblem } from '../../protocol/api/session-schema.ts'
import type { Access } from '../access.ts'
import { callbackPath, OidcProblem, transactionMs } from '../accounts/oidc-journey.ts'
import type { OidcSignIn } from '../accounts/oidc.ts'
import type { People } from '../accounts/people.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { answered } from './answered.ts'
import { countingFailures, countSignIn, type SignInMetrics } from './count-sign-in.ts'
import { openSession, privately } from './session.ts'
import { z } from 'zod'

export interface OidcDependencies {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly people: People
  readonly metrics: SignInMetrics
  /** Undefined if no provider is configured. */
  readonly oidc: OidcSignIn | undefined
}

/**
 * Paths of our own: two slashes, or a slash and a backslash, would lead to another host. The length is what fits into
 * the sealed cookie.
 */
const ownPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/)
  .default('/')
const query = z.object({ to: ownPath })

export function registerOidc(app: FastifyInstance, to: OidcDependencies): void {
  const onRequest = admission(to.lifecycle)
  const { access, people, oidc, metrics } = to
  const { journeys } = access.cookie
  const failed = (request: FastifyRequest, reply: FastifyReply, problem: SignInProblem): FastifyReply => {
    countSignIn(metrics, 'provider', problem)
    return goTo(request, reply, `/sign-in?problem=${problem}`)
  }
  app.get('/api/session/oidc', { onRequest }, async (request, reply) => {
    if (!oidc) throw new Refused('not_found')
    const asked = query.safeParse(request.query)
    if (!asked.success) return failed(request, reply, 'bad_return')
    const begun = await countingFailures(metrics, 'provider', () => oidc.begin(asked.data.to).catch(asProblem))
    if (typeof begun === 'string') return failed(request, reply, begun)
    journeys.set(request, reply, begun.state, begun.sealed, transactionMs)
    return goTo(request, reply, begun.url)
  })
  app.get(callbackPath, { onRequest }, async (request, reply) => {
    if (!oidc) throw new Refused('not_found')
    const { state } = request.query as { readonly state?: unknown }
    const kept = journeys.take(request, reply, state)
    const search = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
    const ended = await countingFailures(metrics, 'provider', async () => {
      const finished = await oidc.finish(search, kept).catch(asProblem)
      if (typeof finished === 'string') return finished
      const user = await answered(people.signInByProvider(finished.identity, request.id))
      if (user === 'disabled') return 'oidc_disabled'
      await openSession(request, reply, user, access)
      return finished
    })
    if (typeof ended === 'string') return failed(request, reply, ended)
    countSignIn(metrics, 'provider', 'signed_in')
    return goTo(request, reply, ended.returnTo)
  })
}

function asProblem(error: unknown): SignInProblem {
  if (error instanceof OidcProblem) return error.problem
  throw error
}

const goTo = (request: FastifyRequest, reply: FastifyReply, url: string): FastifyReply =>
  reply.headers(privately(request)).redirect(url, 302)
