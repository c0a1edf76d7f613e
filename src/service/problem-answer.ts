/** Answers of our own endpoints when something is wrong: RFC 9457 problem bodies. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseHeaders } from '../protocol/headers.ts'
import { problem, problemContentType, type Fault } from '../protocol/problem.ts'
import type { Refused } from '../ingress/refused.ts'
import { apiHeaders } from './dashboard.ts'

/** Sends a refusal as a problem. The connection closes where the body was not read to its end. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refused,
  errors: readonly Fault<string>[] | undefined = refused.details.faults
): FastifyReply {
  const requestId = request.id
  const { status, headers, body } = problem(refused.code, {
    requestId,
    ...(errors ? { errors } : {}),
    ...(refused.details.fill ? { details: refused.details.fill } : {})
  })
  if (!request.raw.complete) {
    request.raw.resume()
    void reply.header('connection', 'close')
  }
  return reply
    .code(status)
    .headers({ ...headers, ...refused.details.headers, [responseHeaders.requestId]: requestId })
    .send(JSON.stringify(body))
}

/** The type of a problem that is written without the framework, which says by itself how text is encoded. */
export const problemTextType = `${problemContentType}; charset=utf-8`

/** The same where the framework has no part in the answer. */
export function writeProblem(
  req: IncomingMessage,
  res: ServerResponse,
  { code, details }: Refused,
  requestId: string
): void {
  const { faults: errors, fill } = details
  const { status, headers, body } = problem(code, {
    requestId,
    ...(errors ? { errors } : {}),
    ...(fill ? { details: fill } : {})
  })
  const text = JSON.stringify(body)
  if (!req.complete) req.resume()
  res.writeHead(status, {
    ...apiHeaders,
    [responseHeaders.requestId]: requestId,
    ...(req.complete ? {} : { connection: 'close' }),
    ...headers,
    ...details.headers,
    'content-type': problemTextType,
    'content-length': Buffer.byteLength(text)
  })
  res.end(text)
}
