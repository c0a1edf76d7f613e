/**
 * Where calls go. Upstream paths come from this table, never from the client; a base comes from the configuration. The
 * two bases follow the habit of each vendor's own SDK: the chat-completions base holds the version path, the messages
 * base does not.
 */
import type { Config } from '../config/config.ts'
import type { Secret } from '../config/secret.ts'
import type { DialectName } from '../dialects/dialect.ts'

/** One upstream API as the proxy calls it. */
export interface UpstreamTarget {
  readonly dialect: DialectName
  /** Scheme, host and port. */
  readonly origin: string
  /** Path of the call, without a query. */
  readonly path: string
  /** The credential header, or nothing where the upstream takes none. */
  readonly credential: UpstreamCredential | undefined
  /** False when calls cannot succeed: the vendor's own base without a key. */
  readonly configured: boolean
  /** The vendor behind the default base; nothing for a base of the operator's own. */
  readonly vendor: 'openai' | 'anthropic' | undefined
}

export interface UpstreamCredential {
  readonly header: 'authorization' | 'x-api-key'
  readonly secret: Secret
}

const table = {
  'chat-completions': { append: '/chat/completions', header: 'authorization', vendor: 'openai' },
  messages: { append: '/v1/messages', header: 'x-api-key', vendor: 'anthropic' }
} as const

/** The value of the credential header. Call it at the moment of sending and keep it nowhere. */
export function credentialValue(credential: UpstreamCredential): string {
  return credential.header === 'authorization' ? `Bearer ${credential.secret.reveal()}` : credential.secret.reveal()
}

/** Joins the configured bases with the paths of the table. */
export function upstreamTargets(config: Pick<Config, 'upstream'>): Record<DialectName, UpstreamTarget> {
  const target = (dialect: DialectName, settings: Config['upstream']['chat']): UpstreamTarget => {
    const { append, header, vendor } = table[dialect]
    const url = new URL(settings.base + append)
    return {
      dialect,
      origin: url.origin,
      path: url.pathname,
      credential: settings.key && { header, secret: settings.key },
      configured: settings.key !== undefined || !settings.isDefaultBase,
      vendor: settings.isDefaultBase ? vendor : undefined
    }
  }
  return {
    'chat-completions': target('chat-completions', config.upstream.chat),
    messages: target('messages', config.upstream.messages)
  }
}
