/** From a presented token to a principal, for the routes of our own and for the ingress. */
import type { IncomingHttpHeaders } from 'node:http'
import { presentedToken } from '../ingress/credentials.ts'
import { Refused } from '../ingress/refused.ts'
import type { Authentication, Principal, Scope, TokenService } from './tokens.ts'

/**
 * Authenticates a request. Answers at once for a token that is known, without a promise, since the hot path asks on
 * every call.
 * @param scope the one that the request takes; undefined where any good token will do
 * @throws Refused 401, 403 or 503, thrown or as a rejection
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
