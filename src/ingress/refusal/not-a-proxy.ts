/**
 * Answers clients that use the base URL as the address of a proxy (`HTTP_PROXY`): they put absolute URLs into their
 * request lines, or ask for a tunnel. Nothing is forwarded there; the error says what to set instead.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { dialects } from '../../dialects/index.ts'
import { errorEntry } from '../../protocol/error-catalogue.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import { requestIdHeaders } from './answer.ts'
import { Refused } from './refused.ts'

export interface RequestTarget {
  /** The host of a target in absolute form (RFC 9112, 3.2.2), in lower case, with its port if it has one. */
  readonly authority?: string
  /** What follows the host, or the whole target if there is no host. */
  readonly path: string
}

/** Parses the target of a request line. */
export function readTarget(target: string): RequestTarget {
  const parts = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target)
  if (parts === null) return { path: target }
  const [, authority = '', path = ''] = parts
  return { authority: authority.toLowerCase(), path: path.startsWith('/') ? path : `/${path}` }
}

/** @param base the base URL that such a client should use */
export function notAProxy(base: string): Refused {
  const sentence = `This address is not an HTTP proxy, and nothing was forwarded. Use ${base} as the base URL instead.`
  return new Refused('not_a_proxy', { sentence })
}

/** How long a client may take to close its side. */
const closeGraceMs = 1000

/** Answers `CONNECT`; without a listener, Node closes the connection without an answer. */
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
