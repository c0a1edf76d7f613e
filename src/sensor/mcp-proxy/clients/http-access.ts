/**
 * Who may use the listener. It may hold the operator's credentials, so no web page may reach it: neither through a name
 * that points to this machine (DNS rebinding, `Host`), nor from another site (`Origin`).
 */
import type { IncomingMessage } from 'node:http'

export interface AccessRules {
  /** The listening port. */
  readonly port: number
  /** Accepted names besides the loopback ones, in lower case, each with or without a port. */
  readonly knownHosts: readonly string[]
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Why a request is refused, as a full sentence; undefined if it is not. */
export function accessProblem({ headers }: IncomingMessage, rules: AccessRules): string | undefined {
  const host = (headers.host ?? '').toLowerCase()
  if (!isKnown(host, rules)) return 'The Host header names no host of this proxy. SERVICE_MCP_PROXY_HOSTS can add it.'
  const { origin } = headers
  if (origin !== undefined && !isKnownOrigin(origin, rules))
    return 'The Origin header names a page that may not use this proxy. SERVICE_MCP_PROXY_HOSTS can add its host.'
  if (headers['sec-fetch-site'] === 'cross-site') return 'A page of another site may not use this proxy.'
  return undefined
}

function isKnown(host: string, { port, knownHosts }: AccessRules): boolean {
  const bare = withoutPort(host)
  const isLoopback = loopbackNames.includes(bare) && (host === `${bare}:${port}` || (port === 80 && host === bare))
  return isLoopback || knownHosts.includes(host) || knownHosts.includes(bare)
}

/** A local tool's own pages (such as an inspector) may be on any port. */
function isKnownOrigin(origin: string, rules: AccessRules): boolean {
  const url = URL.parse(origin)
  if (url === null || !(url.protocol in defaultPorts)) return false
  const host = `${url.hostname}:${url.port || defaultPorts[url.protocol]}`
  return loopbackNames.includes(url.hostname) || isKnown(host, rules)
}

const withoutPort = (host: string): string => host.replace(/:[0-9]{1,5}$/, '')
