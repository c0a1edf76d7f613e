/** Identifies the caller of a request by its token or session cookie. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { presentedToken } from '../ingress/headers/credentials.ts'
import { Refused } from '../ingress/refusal/refused.ts'
import { permissionsOfRole, type Permission } from '../protocol/roles.ts'
import { csrfHeader } from '../protocol/api/session-schema.ts'
import type { Sessions, SignedIn } from './accounts/sessions.ts'
import type { SessionCookie } from './accounts/cookies.ts'
import { accessOf } from './route-access.ts'
import { answered } from './routes/answered.ts'
import { grants, type Authentication, type Principal, type Scope, type TokenService } from './tokens/tokens.ts'

/**
 * Authenticates a request by its token. Answers synchronously for a known token, since the hot path asks on every call.
 * @param scope the scope that the request needs; undefined if any valid token will do
 * @throws Refused 401, 403 or 503, synchronously or as a rejection
 */
export function authenticate(
  tokens: TokenService,
  headers: IncomingHttpHeaders,
  scope: Scope | undefined
): Principal | Promise<Principal> {
  const presented = presentedToken(headers)
  if (!presented.ok) throw new Refused(presented.code)
  const result = tokens.authenticate(presented.token, scope)
  return result instanceof Promise ? result.then(accept) : accept(result)
}

function accept(result: Authentication): Principal {
  if (result.ok) return result.principal
  throw new Refused(result.code, result.code === 'missing_scope' ? { fill: { scope: result.scope } } : {})
}

/** The caller of one of the service's own endpoints. */
export interface Caller {
  readonly workspaceId: string
  /** Name in the audit trail: `token:<id>` or `user:<name>`. */
  readonly actor: string
  /** The token's id, if the caller used one. */
  readonly tokenId: string | null
  /** The session, if the caller used one. */
  readonly signedIn: SignedIn | null
  /** The key under which per-caller limits are counted. */
  readonly key: string
  /** Whether the caller sees all rows of the workspace, and not only those that came with the token. */
  readonly seesAll: boolean
  readonly mayWritePolicy: boolean
}

export interface Access {
  readonly tokens: TokenService
  readonly sessions: Sessions
  readonly cookie: SessionCookie
}

/**
 * The caller of a request, if the route table admits them.
 * @throws Refused 401, 403 or 503
 */
export async function callerOf(access: Access, request: FastifyRequest): Promise<Caller> {
  const rule = accessOf(request.method, request.routeOptions.url ?? '')
  if (rule === undefined || rule.by === 'anyone' || rule.by === 'token') {
    throw new TypeError('the route does not ask who calls')
  }
  const presented = presentedToken(request.headers)
  const hasToken = presented.ok || presented.code === 'token_conflict'
  if (hasToken && rule.by === 'both') {
    const scope = rule.scope === 'own' ? undefined : rule.scope
    return tokenCaller(await authenticate(access.tokens, request.headers, scope))
  }
  const signedIn = await signedInBy(access, request)
  if (signedIn === undefined)
    throw new Refused(access.cookie.read(request) === undefined ? 'missing_token' : 'session_over')
  refuseForged(access, request, signedIn)
  const held: readonly Permission[] = permissionsOfRole[signedIn.user.role]
  if (rule.by === 'both' && !held.includes(rule.permission)) {
    throw new Refused('missing_permission', { fill: { permission: rule.permission } })
  }
  return sessionCaller(signedIn)
}

/** The session of a request, if it has a valid one. @throws Refused `store_unavailable` */
export async function signedInBy(access: Access, request: FastifyRequest): Promise<SignedIn | undefined> {
  const cookie = access.cookie.read(request)
  return cookie === undefined ? undefined : await answered(access.sessions.find(cookie))
}

/** Whether the token or session with which a caller opened something is still valid. */
export async function isStillGood(access: Access, caller: Caller): Promise<boolean> {
  if (caller.signedIn) return await access.sessions.isGood(caller.signedIn.sessionHash)
  return caller.tokenId !== null && access.tokens.isGood(caller.tokenId)
}

const tokenCaller = ({ tokenId, workspaceId, scopes }: Principal): Caller => ({
  workspaceId,
  actor: `token:${tokenId}`,
  tokenId,
  signedIn: null,
  key: tokenId,
  seesAll: grants(scopes, 'audit:read'),
  mayWritePolicy: grants(scopes, 'policy:write')
})

const sessionCaller = (signedIn: SignedIn): Caller => ({
  workspaceId: signedIn.user.workspaceId,
  actor: `user:${signedIn.user.name}`,
  tokenId: null,
  signedIn,
  key: `user:${signedIn.user.id}`,
  seesAll: true,
  mayWritePolicy: permissionsOfRole[signedIn.user.role].includes('policy:write')
})

/**
 * A browser also sends the cookie with requests of pages from other sites. A request that changes something must
 * therefore come from one of our pages, according to the browser, and carry the token that only such a page can read.
 */
function refuseForged(access: Access, request: FastifyRequest, signedIn: SignedIn): void {
  if (['GET', 'HEAD'].includes(request.method)) return
  refuseCrossSite(access.cookie.publicHost, request)
  if (!access.sessions.isOwnCsrfToken(signedIn, request.headers[csrfHeader])) throw new Refused('csrf_refused')
}

/**
 * Refuses requests that, according to the browser, come from a page of another origin. Programs send neither header,
 * and hold no cookie by accident. `Sec-Fetch-Site` is the browser's own judgement, by the URL that it sees; only if it
 * is missing (older browsers, plain http) is the origin compared with the host, which a proxy may have changed on the
 * way (decision 126).
 * @param publicHost the host that people use, if it differs from the request's
 * @throws Refused `cross_site_refused`
 */
export function refuseCrossSite(publicHost: string | undefined, request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new Refused('cross_site_refused')
  const { origin } = request.headers
  if (site === 'same-origin' || origin === undefined) return
  const host = URL.parse(origin)?.host
  if (host === undefined || ![publicHost, request.host].includes(host)) throw new Refused('cross_site_refused')
}
