/** `/api/session`: who is signed in, signing in and out; `/api/setup`: links that set a password. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { SignInConfig } from '../../config/sign-in.ts'
import { Refused } from '../../ingress/refusal/refused.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { permissionsOfRole } from '../../protocol/roles.ts'
import * as schemas from '../../protocol/api/session-schema.ts'
import type { Store, StoredUser } from '../../store/store.ts'
import { callerOf, refuseCrossSite, signedInBy, type Access } from '../access.ts'
import type { Attempts } from '../accounts/attempts.ts'
import type { PasswordLinks } from '../accounts/links.ts'
import { asTakenName, type People } from '../accounts/people.ts'
import type { SignedIn } from '../accounts/sessions.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { answered } from './answered.ts'
import { countingFailures, countSignIn, type SignInMetrics } from './count-sign-in.ts'
import { readBodyAs } from './read-body-as.ts'
import type { JsonReader } from './read-json.ts'
import { queryRules, readQuery } from './read-query.ts'
import { faultAt } from './policy.ts'
import { isoTime } from '../../timing/iso-time.ts'

export interface SessionDependencies extends JsonReader {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly store: Pick<Store, 'hasUsers' | 'findWorkspace'>
  readonly people: People
  readonly links: PasswordLinks
  readonly attempts: Attempts
  readonly metrics: SignInMetrics
  readonly config: SignInConfig
  readonly version: string
}

/** Anyone may send one, so it must not be able to use memory that model calls need. */
const bodyBytesMax = 16_384

export function registerSession(app: FastifyInstance, given: SessionDependencies): void {
  const limits = { ...given.limits, bodyBytesMax, inflatedBytesMax: bodyBytesMax }
  const to = { ...given, limits }
  const onRequest = admission(to.lifecycle)
  app.get('/api/session', { onRequest }, async (request, reply) => {
    const signedIn = await signedInBy(to.access, request)
    if (!signedIn && to.access.cookie.read(request) !== undefined) to.access.cookie.clear(reply)
    return await answerSession(request, reply, signedIn, to)
  })
  app.post('/api/session', { onRequest }, async (request, reply) => {
    refuseCrossSite(to.access.cookie.publicHost, request)
    const given = await readBodyAs(schemas.signInRequest, request, to)
    if (!to.config.takesPasswords) throw new Refused('local_sign_in_off')
    const opened = await countingFailures(to.metrics, 'password', async () => {
      const user = await answered(to.people.signIn(given, { address: request.ip, requestId: request.id }))
      return await openSession(request, reply, user, to.access)
    })
    countSignIn(to.metrics, 'password', 'signed_in')
    return await answerSession(request, reply, opened, to)
  })
  app.delete('/api/session', { onRequest }, async (request, reply) => {
    const { signedIn } = await callerOf(to.access, request)
    const { everywhere } = readQuery({ everywhere: queryRules.text(1).optional() }, request.query)
    if (signedIn) await answered(to.access.sessions.end(signedIn, everywhere === '1', request.id))
    to.access.cookie.clear(reply)
    return await answerSession(request, reply, undefined, to)
  })
  app.post('/api/session/password', { onRequest }, async (request, reply) => {
    const { signedIn } = await callerOf(to.access, request)
    const given = await readBodyAs(schemas.passwordRequest, request, to)
    if (!signedIn) throw new Refused('session_over')
    refuseWeak(given.password, signedIn.user.name)
    const { sessionHash, user } = signedIn
    await answered(to.people.changePassword(user, given, { address: request.ip, requestId: request.id, sessionHash }))
    return await answerSession(request, reply, signedIn, to)
  })
  registerSetup(app, to)
}

function registerSetup(app: FastifyInstance, to: SessionDependencies): void {
  const onRequest = admission(to.lifecycle)
  app.post('/api/setup/check', { onRequest }, async (request, reply) => {
    refuseCrossSite(to.access.cookie.publicHost, request)
    const { code } = await readBodyAs(schemas.setupCheckRequest, request, to)
    const giveBack = to.attempts.take(request.ip, undefined)
    const link = await answered(to.links.look(code))
    if (!link) throw new Refused('link_over')
    giveBack()
    const body: z.output<typeof schemas.setupCheckBody> = { ...link, expiresAt: isoTime(link.expiresAt) }
    return await reply.headers(privately(request)).send(body)
  })
  app.post('/api/setup', { onRequest }, async (request, reply) => {
    refuseCrossSite(to.access.cookie.publicHost, request)
    const { code, name, password } = await readBodyAs(schemas.setupRequest, request, to)
    if (!to.config.takesPasswords) throw new Refused('local_sign_in_off')
    const giveBack = to.attempts.take(request.ip, undefined)
    const link = await answered(to.links.look(code))
    if (!link) throw new Refused('link_over')
    if (link.purpose === 'first' && name === undefined) throw faultAt('/name', 'must be given by the first user')
    refuseWeak(password, link.name ?? name ?? '')
    const user = await answered(to.links.use(code, name, password, request.id).catch(asTakenName))
    if (!user || user.disabledAt !== null) throw new Refused('link_over')
    giveBack()
    return await answerSession(request, reply, await openSession(request, reply, user, to.access), to)
  })
}

/** Opens a session in place of the browser's current one. */
export async function openSession(
  request: FastifyRequest,
  reply: FastifyReply,
  user: StoredUser,
  access: Access
): Promise<SignedIn> {
  const before = await signedInBy(access, request)
  if (before) await answered(access.sessions.end(before, false, request.id))
  const { cookie, signedIn } = await answered(access.sessions.open(user, request.id))
  access.cookie.set(reply, cookie, signedIn.endsAt - Date.now())
  return signedIn
}

async function answerSession(
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn | undefined,
  to: SessionDependencies
): Promise<FastifyReply> {
  const { store, config, version } = to
  const workspace = signedIn && (await answered(store.findWorkspace(signedIn.user.workspaceId)))
  const body: schemas.SessionBody = {
    user: signedIn ? userOf(signedIn) : null,
    csrfToken: signedIn?.csrfToken ?? null,
    idleEndsAt: signedIn ? isoTime(signedIn.idleEndsAt) : null,
    endsAt: signedIn ? isoTime(signedIn.endsAt) : null,
    setupNeeded: !signedIn && config.takesPasswords && !(await answered(store.hasUsers())),
    localSignIn: config.takesPasswords,
    oidc: config.oidc ? { name: config.oidc.name } : null,
    secureUrl: to.access.cookie.isSecure ? (config.publicUrl ?? null) : null,
    workspace: workspace ? { id: workspace.id, name: workspace.name } : null,
    version
  }
  return reply.headers(privately(request)).send(body)
}

function userOf({ user: { id, name, role, provider } }: SignedIn): schemas.SessionUser {
  return { id, name, role, provider, permissions: [...permissionsOfRole[role]] }
}

/** Headers of an answer that no cache may store. */
export const privately = (request: FastifyRequest) => ({
  [responseHeaders.requestId]: request.id,
  'cache-control': 'no-store'
})

const distinctMin = 5

/** Length matters most; this refuses the passwords that everyone tries first. @throws Refused `invalid_value` */
function refuseWeak(password: string, name: string): void {
  const lower = password.toLowerCase()
  if (name.length >= 4 && lower.includes(name)) throw faultAt('/password', 'must not contain the name')
  if (new Set(lower).size < distinctMin) {
    throw faultAt('/password', `must have at least ${distinctMin} different characters`)
  }
}
