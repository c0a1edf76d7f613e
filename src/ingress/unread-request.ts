/**
 * Answers what Node cannot read as an HTTP request: headers that are too long, bytes that are none of HTTP, a request that
 * does not come to its end. Nobody knows then which address it was for, so that one answer has both forms: a problem, as
 * the service's own endpoints give, with the `error` in it that the SDKs of model APIs look for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { dialects } from '../dialects/index.ts'
import type { ErrorCode } from '../protocol/error-catalogue.ts'
import { problem } from '../protocol/problem.ts'
import { timeOrderedId } from '../telemetry/time-ordered-id.ts'
import { requestIdHeaders } from './answer.ts'
import { Refused } from './refused.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'upload_timeout'
}

/** So long a client may take to close its side. */
const closeGraceMs = 1000

/** The answer that each connection is for now. One that was given is let go of: it holds what its request said. */
const newest = new WeakMap<Duplex, ServerResponse>()

/** Notes which answer a connection is for, so that none is written into another. */
export function noteAnswer({ socket }: IncomingMessage, res: ServerResponse): void {
  newest.set(socket, res)
  res.once('close', () => {
    if (newest.get(socket) === res) newest.delete(socket)
  })
}

/** Takes the `clientError` of a server. */
export function answerUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The parser goes on with what still comes, and fails again.
  if (socket.destroyed || socket.writableEnded) return
  const under = newest.get(socket)
  if (error.code === 'ECONNRESET' || (under?.headersSent === true && !under.writableFinished)) {
    socket.destroy()
    return
  }
  const code = codes[error.code ?? ''] ?? 'invalid_http'
  const requestId = timeOrderedId()
  const { status, headers, body } = problem(code, { requestId })
  const message = new Refused(code).sentence(requestId)
  const text = JSON.stringify({
    ...body,
    ...dialects['chat-completions'].errorBody({ status, code, message, requestId })
  })
  const lines = Object.entries({
    ...headers,
    ...requestIdHeaders(requestId),
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${body.title}\r\n${lines.join('')}\r\n${text}`)
  // A client that is still sending must not be reset before it has read this.
  setTimeout(() => socket.destroy(), closeGraceMs).unref()
}
