/**
 * Who may speak to the listener. It may hold credentials of the operator's, so a web page must not reach it: not by a
 * name that was pointed at this machine (DNS rebinding, `Host`), nor from another site (`Origin`).
 */
import type { IncomingMessage } from 'node:http'

export interface AccessRules {
  /** The port that is listened on. */
  readonly port: number
  /** Names beside the loopback ones, in lower case, each with or without a port. */
  readonly knownHosts: readonly string[]
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** A full sentence that says what keeps a request out, or nothing. */
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

/** A tool on this machine's own pages (an inspector) may use any port. */
function isKnownOrigin(origin: string, rules: AccessRules): boolean {
  const url = URL.parse(origin)
  if (url === null || !(url.protocol in defaultPorts)) return false
  const host = `${url.hostname}:${url.port || defaultPorts[url.protocol]}`
  return loopbackNames.includes(url.hostname) || isKnown(host, rules)
}

const withoutPort = (host: string): string => host.replace(/:[0-9]{1,5}$/, '')
