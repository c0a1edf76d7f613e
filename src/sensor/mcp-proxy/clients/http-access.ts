/**
 * Who may use the listener. It may hold the operator's credentials, so no web page may reach it: neither through a name
 * that points to this machine (DNS rebinding, `Host`), nor from another site (`Origin`).
 */
import type { IncomingMessage } from 'node:http'
import { isKnownHost, loopbackNames, type HostRules } from '../../known-host.ts'

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Why a request is refused, as a full sentence; undefined if it is not. */
export function accessProblem({ headers }: IncomingMessage, rules: HostRules): string | undefined {
  if (!isKnownHost(headers.host ?? '', rules))
    return 'The Host header names no host of this proxy. SERVICE_MCP_PROXY_HOSTS can add it.'
  const { origin } = headers
  if (origin !== undefined && !isKnownOrigin(origin, rules))
    return 'The Origin header names a page that may not use this proxy. SERVICE_MCP_PROXY_HOSTS can add its host.'
  if (headers['sec-fetch-site'] === 'cross-site') return 'A page of another site may not use this proxy.'
  return undefined
}

/** A local tool's own pages (such as an inspector) may be on any port. */
function isKnownOrigin(origin: string, rules: HostRules): boolean {
  const url = URL.parse(origin)
  if (url === null || !(url.protocol in defaultPorts)) return false
  const host = `${url.hostname}:${url.port || defaultPorts[url.protocol]}`
  return loopbackNames.includes(url.hostname) || isKnownHost(host, rules)
}
