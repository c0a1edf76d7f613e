/** Separate from the commands that open a store: `serve` starts without what those load. */
import type { Config } from '../config/config.ts'

/** The URL at which people reach the service, as far as the configuration tells. */
export function addressOf({ signIn, listen }: Pick<Config, 'signIn' | 'listen'>): string {
  if (signIn.publicUrl !== undefined) return signIn.publicUrl
  const isEverywhere = ['0.0.0.0', '::'].includes(listen.host)
  return listenUrl({ ...listen, host: isEverywhere ? 'localhost' : listen.host })
}

/** The address on which the service listens, as a URL. */
export const listenUrl = ({ host, port, tls }: Config['listen']): string =>
  `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
