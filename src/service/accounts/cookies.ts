/** The cookies of signing in: never readable by a script, never sent along with what other sites embed. */
// Teaches the framework's types what its plugin adds.
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

export interface SessionCookie {
  /** Whether browsers come by TLS. */
  readonly isSecure: boolean
  /** Host, with its port, of the address that people use, where one is configured. */
  readonly publicHost: string | undefined
  /** What the browser holds of a session; undefined where it holds nothing. */
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, value: string, lifetimeMs: number): void
  clear(reply: FastifyReply): void
  /** A second cookie, for the minutes that somebody is away at a provider. */
  readonly transaction: Pick<SessionCookie, 'read' | 'set' | 'clear'>
}

/**
 * @param config tells whether browsers come by TLS. Then cookies are sent over it alone, and have the prefix `__Host-`, so
 *   that no other host of the domain can set them.
 */
export function createSessionCookie(config: Pick<Config, 'listen' | 'signIn'>): SessionCookie {
  const { publicUrl } = config.signIn
  const isSecure = publicUrl === undefined ? config.listen.tls !== undefined : publicUrl.startsWith('https:')
  const prefix = isSecure ? '__Host-' : ''
  const session = cookie(`${prefix}sluice_session`, isSecure)
  const transaction = cookie(`${prefix}sluice_oidc`, isSecure)
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host
  return { isSecure, publicHost, ...session, transaction }
}

function cookie(name: string, secure: boolean): Pick<SessionCookie, 'read' | 'set' | 'clear'> {
  // Lax and not Strict: whoever comes back from a provider, or by a link in a message, is signed in. What changes
  // something is guarded by more than the cookie.
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return {
    read: (request) => request.cookies[name],
    set: (reply, value, lifetimeMs) =>
      void reply.setCookie(name, value, { ...attributes, maxAge: Math.floor(lifetimeMs / 1000) }),
    clear: (reply) => void reply.clearCookie(name, attributes)
  }
}
