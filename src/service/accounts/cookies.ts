/** The session cookies: never readable by scripts, never sent with requests embedded in other sites. */
// Adds the plugin's members to the framework's types.
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'

export interface SessionCookie {
  /** Whether browsers use TLS. */
  readonly isSecure: boolean
  /** Host and port of the public URL, if one is configured. */
  readonly publicHost: string | undefined
  /** The browser's session cookie; undefined if it has none. */
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, value: string, lifetimeMs: number): void
  clear(reply: FastifyReply): void
  /** A second cookie, for the minutes that somebody spends at a provider. */
  readonly transaction: Pick<SessionCookie, 'read' | 'set' | 'clear'>
}

/**
 * @param config says whether browsers use TLS. If so, cookies are restricted to it and have the prefix `__Host-`, so
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
  // Lax and not Strict: whoever returns from a provider, or follows a link in a message, stays signed in. Changes are
  // protected by more than the cookie.
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return {
    read: (request) => request.cookies[name],
    set: (reply, value, lifetimeMs) =>
      void reply.setCookie(name, value, { ...attributes, maxAge: Math.floor(lifetimeMs / 1000) }),
    clear: (reply) => void reply.clearCookie(name, attributes)
  }
}
