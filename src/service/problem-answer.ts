/** Error answers of our own endpoints: RFC 9457 problem bodies. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseHeaders } from '../protocol/headers.ts'
import { problem, problemContentType, type Fault } from '../protocol/problem.ts'
import { closingHeaders, endAnswer, isStillComing } from '../ingress/refusal/early-answer.ts'
import { Refused } from '../ingress/refusal/refused.ts'
import { apiHeaders } from './dashboard.ts'

/** Sends a refusal as a problem, bypassing the framework if the request is still arriving. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refused,
  errors: readonly Fault<string>[] | undefined = refused.details.faults
): FastifyReply {
  const requestId = request.id
  if (isStillComing(request.raw)) {
    const faults = errors ? { faults: errors } : {}
    writeProblem(
      request.raw,
      reply.hijack().raw,
      new Refused(refused.code, { ...refused.details, ...faults }),
      requestId
    )
    return reply
  }
  const { status, headers, body } = problem(refused.code, {
    requestId,
    ...(errors ? { errors } : {}),
    ...(refused.details.fill ? { details: refused.details.fill } : {})
  })
  return reply
    .code(status)
    .headers({ ...headers, ...refused.details.headers, [responseHeaders.requestId]: requestId })
    .send(JSON.stringify(body))
}

/** The content type of a problem that is written without the framework, which adds the charset itself. */
export const problemTextType = `${problemContentType}; charset=utf-8`

/** The same for answers without the framework. */
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
  res.writeHead(status, {
    ...apiHeaders,
    [responseHeaders.requestId]: requestId,
    ...closingHeaders(req),
    ...headers,
    ...details.headers,
    'content-type': problemTextType,
    'content-length': Buffer.byteLength(text)
  })
  endAnswer(req, res, text)
}
