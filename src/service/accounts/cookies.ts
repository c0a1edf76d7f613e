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
  readonly journeys: JourneyCookies
}

/**
 * What a browser keeps while somebody is at a provider: a cookie for each journey, since all tabs share their cookies,
 * and who signs in in two of them may finish either first.
 */
interface JourneyCookies {
  /** @param state the journey's, at least 16 letters and digits of base64url */
  set(request: FastifyRequest, reply: FastifyReply, state: string, value: string, lifetimeMs: number): void
  /** Reads and removes what was kept. @param state of the request with which the browser comes back */
  take(request: FastifyRequest, reply: FastifyReply, state: unknown): string | undefined
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
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host
  return { isSecure, publicHost, ...session, journeys: journeyCookies(`${prefix}sluice_oidc_`, isSecure) }
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

/**
 * What one browser keeps of all its journeys, in characters. Proxies limit the headers of a request, many of them to
 * 8,192 bytes; a journey takes some 320, and up to 3,000 if it is to return to a long address.
 */
const journeyUnitsMax = 4096
/** Enough of a random state to tell journeys apart; the state itself is in the sealed value. */
const statePattern = /^[\w-]{16}/

function journeyCookies(prefix: string, secure: boolean): JourneyCookies {
  const named = (name: string): Pick<SessionCookie, 'read' | 'set' | 'clear'> => cookie(name, secure)
  return {
    set(request, reply, state, value, lifetimeMs) {
      let room = journeyUnitsMax - value.length
      // Browsers send the oldest first (RFC 6265, 5.4): the newest stay.
      for (const [name, kept = ''] of Object.entries(request.cookies).toReversed()) {
        if (!name.startsWith(prefix)) continue
        room -= kept.length
        if (room < 0) named(name).clear(reply)
      }
      named(prefix + statePattern.exec(state)?.[0]).set(reply, value, lifetimeMs)
    },
    take(request, reply, state) {
      const known = typeof state === 'string' ? statePattern.exec(state)?.[0] : undefined
      if (known === undefined) return undefined
      const own = named(prefix + known)
      const value = own.read(request)
      if (value !== undefined) own.clear(reply)
      return value
    }
  }
}
