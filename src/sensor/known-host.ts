/**
 * Whether a host name means the listener of a sensor. A listener on a loopback address must not be available to a web
 * page under a name that its author made point here (DNS rebinding).
 */

export interface HostRules {
  /** The listening port. */
  readonly port: number | undefined
  /** Accepted names besides the loopback ones, in lower case, each with or without a port. */
  readonly knownHosts: readonly string[]
}

export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
const httpPort = 80

/** @param host name and port, as in a `Host` header */
export function isKnownHost(host: string, { port, knownHosts }: HostRules): boolean {
  const name = host.toLowerCase()
  const bare = name.replace(/:[0-9]{1,5}$/, '')
  // A client omits the default port of its scheme.
  const isLoopback =
    loopbackNames.includes(bare) && (name === `${bare}:${port}` || (port === httpPort && name === bare))
  return isLoopback || knownHosts.includes(name) || knownHosts.includes(bare)
}
