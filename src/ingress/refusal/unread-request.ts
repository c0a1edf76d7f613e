/**
 * Answers what Node cannot read as an HTTP request: headers that are too long, bytes that are not HTTP, a request that
 * never ends. It is unknown which route it was for, so one answer has both forms: a problem, as the service's own
 * endpoints send, which contains the `error` that the SDKs of model APIs look for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { dialects } from '../../dialects/index.ts'
import type { ErrorCode } from '../../protocol/error-catalogue.ts'
import { problem } from '../../protocol/problem.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import { requestIdHeaders } from './answer.ts'
import { closingHeaders, endAnswer } from './early-answer.ts'
import { Refused, type RefusedDetails } from './refused.ts'

const codes: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'upload_timeout'
}

/** What to look for if a header cannot be parsed: usually a token read from a file that holds more than the token. */
const brokenHeader = {
  sentence: 'A header of the request is broken.',
  remedy: 'Look for a line break or another control character in it, as a token that is read from a file may bring.'
}

/** Errors of Node's parser that say more than that the bytes are not HTTP. */
const known: Readonly<Record<string, Pick<RefusedDetails, 'sentence' | 'remedy'>>> = {
  HPE_INVALID_HEADER_TOKEN: brokenHeader,
  HPE_CR_EXPECTED: brokenHeader
}

/** How long a client may take to close its side. */
const closeGraceMs = 1000

/** The current answer of each connection. Removed when it closes, because it keeps what its request said. */
const newest = new WeakMap<Duplex, ServerResponse>()

/** Notes the current answer of a connection, so that no other is written into it. */
export function noteAnswer({ socket }: IncomingMessage, res: ServerResponse): void {
  newest.set(socket, res)
  res.once('close', () => {
    if (newest.get(socket) === res) newest.delete(socket)
  })
}

/** A `clientError` listener of an HTTP server. */
export function answerUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The parser continues with what arrives next, and fails again.
  if (socket.destroyed || socket.writableEnded) return
  const under = newest.get(socket)
  if (error.code === 'ECONNRESET' || (under?.headersSent === true && !under.writableFinished)) {
    socket.destroy()
    return
  }
  const fault = error.code ?? ''
  const { status, title, headers, text } = answerOf(codes[fault] ?? 'invalid_http', known[fault])
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('')}\r\n${text}`)
  // A client that is still sending must not be reset before it has read the answer.
  setTimeout(() => socket.destroy(), closeGraceMs).unref()
}

/** The answer in both forms. @param details replace the catalogue's */
function answerOf(code: ErrorCode, details: Pick<RefusedDetails, 'sentence' | 'remedy'> = {}) {
  const requestId = timeOrderedId()
  const { status, headers, body } = problem(code, { requestId })
  const message = new Refused(code, details).sentence(requestId)
  const text = JSON.stringify({
    ...body,
    ...(details.sentence === undefined ? {} : { detail: details.sentence }),
    ...dialects['chat-completions'].errorBody({ status, code, message, requestId })
  })
  const length = { 'content-length': String(Buffer.byteLength(text)) }
  return { status, title: body.title, headers: { ...headers, ...requestIdHeaders(requestId), ...length }, text }
}

const host = 'host'

/**
 * Refuses a request without a `Host` header, or with several, as RFC 9112, 3.2 demands: of several, Node keeps the
 * first, but a proxy in front of us may have used another. HTTP/1.0 has no such header.
 * @returns whether the request was refused
 */
export function refuseUnclearHost(req: IncomingMessage, res: ServerResponse): boolean {
  const { rawHeaders, httpVersion } = req
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === host.length && name.toLowerCase() === host) count++
  }
  if (count === 1 || (count === 0 && httpVersion === '1.0')) return false
  const { status, headers, text } = answerOf('invalid_http', {
    sentence: `The request has ${count === 0 ? 'no' : 'more than one'} \`Host\` header.`,
    remedy: 'Send it once.'
  })
  res.writeHead(status, { ...headers, ...closingHeaders(req) })
  endAnswer(req, res, text)
  return true
}

/** Options of a server that passes what Node would refuse in its own words to its listener. */
export const unrefused = { requireHostHeader: false } as const
