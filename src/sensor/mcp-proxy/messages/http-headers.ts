/** Which headers go on, in either direction. All that is the client's and the server's own passes; what belongs to one connection does not. */
import type { IncomingHttpHeaders } from 'node:http'
import { isUtf8 } from '../../../protocol/charset.ts'

export const sessionHeader = 'mcp-session-id'
export const versionHeader = 'mcp-protocol-version'

const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade'
]

/**
 * The body is measured anew and never compressed, and named anew as what it was judged as; `origin` was this proxy's to judge; a cookie could be one of the
 * operator's session; the workspace token is nobody's but the service's.
 */
const notUp = new Set([
  ...hopByHop,
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'expect',
  'accept-encoding',
  'origin',
  'cookie',
  'x-service-workspace-token'
])
const notDown = new Set([
  ...hopByHop,
  'content-length',
  'content-encoding',
  'set-cookie',
  'alt-svc',
  'strict-transport-security'
])

const tokenPattern = /svw_[0-9A-Za-z]/

/**
 * The headers for a server.
 * @param own those that the operator set, lower case; each takes the place of the client's of the same name
 */
export function headersUp(
  headers: IncomingHttpHeaders,
  own: Readonly<Record<string, string>> = {}
): Record<string, string | string[]> {
  const named = namedByConnection(headers.connection)
  const up: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || notUp.has(name) || named.includes(name) || tokenPattern.test(String(value))) continue
    up[name] = value
  }
  return { ...up, 'accept-encoding': 'identity', ...own }
}

/** The headers for a client. */
export function headersDown(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = namedByConnection(headers.connection)
  const down: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notDown.has(name) && !named.includes(name)) down[name] = value
  return down
}

/**
 * The headers of an answer that the gate has read as messages in UTF-8. Where the server names another charset it is left out:
 * some clients decode events by it, and in UTF-7 the text of one message can hold others that nobody has judged.
 */
export function readHeadersDown(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const down = headersDown(headers)
  const type = down['content-type']
  if (type !== undefined && !isUtf8(String(type))) down['content-type'] = mediaTypeOf(type)
  return down
}

function namedByConnection(connection: string | string[] | undefined): string[] {
  return String(connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
}

/** The media type alone, lower case. */
export function mediaTypeOf(contentType: string | string[] | undefined): string {
  return (String(contentType ?? '').split(';', 1)[0] ?? '').trim().toLowerCase()
}
