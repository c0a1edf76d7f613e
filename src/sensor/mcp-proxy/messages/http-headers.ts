/**
 * Which headers are forwarded in each direction. Everything of the client and of the server passes, except what belongs
 * to a single connection.
 */
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
 * Not forwarded to the server. The body is measured again, is never compressed, and has the type as which it was
 * judged; `origin` was for this proxy to check; a cookie could belong to the operator's session; the workspace token is
 * for the service only.
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
 * @param own set by the operator, in lower case; each replaces the client's of the same name
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
 * The headers of a response that the gate has read as messages in UTF-8, without any other charset that the server
 * names: some clients decode events by it, and in UTF-7 the text of one message can contain others that the gate has
 * not seen.
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

/** The media type without parameters, in lower case. */
export function mediaTypeOf(contentType: string | string[] | undefined): string {
  return (String(contentType ?? '').split(';', 1)[0] ?? '').trim().toLowerCase()
}
