/**
 * Clients that take a base URL for the address of a proxy (`HTTP_PROXY`): they write whole addresses into their request
 * lines, or ask for a tunnel. Nothing goes on to where they point; they are told what to set instead.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { dialects } from '../../dialects/index.ts'
import { errorEntry } from '../../protocol/error-catalogue.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import { requestIdHeaders } from './answer.ts'
import { Refused } from './refused.ts'

export interface RequestTarget {
  /** The host that a target in absolute form (RFC 9112, 3.2.2) names, in lower case, with its port if it has one. */
  readonly authority?: string
  /** What stands behind it, or the whole target where it has no host. */
  readonly path: string
}

/** Reads what stands in a request line. */
export function readTarget(target: string): RequestTarget {
  const parts = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target)
  if (parts === null) return { path: target }
  const [, authority = '', path = ''] = parts
  return { authority: authority.toLowerCase(), path: path.startsWith('/') ? path : `/${path}` }
}

/** @param base what such a client should have as base URL */
export function notAProxy(base: string): Refused {
  const sentence = `This address is not an HTTP proxy, and nothing was forwarded. Use ${base} as the base URL instead.`
  return new Refused('not_a_proxy', { sentence })
}

/** So long a client may take to close its side. */
const closeGraceMs = 1000

/** Answers `CONNECT`, which Node would hang up on without a word. */
export function refuseTunnels(server: Pick<Server, 'on'>, base: () => string): void {
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    const requestId = timeOrderedId()
    const refused = notAProxy(base())
    const { code } = refused
    const { status } = errorEntry(code)
    const refusal = { status, code, message: refused.sentence(requestId), requestId }
    const body = JSON.stringify(dialects['chat-completions'].errorBody(refusal))
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
      ...requestIdHeaders(requestId)
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.on('error', () => socket.destroy())
    socket.resume()
    socket.end([`HTTP/1.1 ${status} Misdirected Request`, ...lines, '', body].join('\r\n'))
    setTimeout(() => socket.destroy(), closeGraceMs).unref()
  })
}
