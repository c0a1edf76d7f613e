/** Error answers of our own endpoints: RFC 9457 problem bodies. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseHeaders } from '../protocol/headers.ts'
import { problem, problemContentType } from '../protocol/problem.ts'
import { closingHeaders, endAnswer, isStillComing } from '../ingress/refusal/early-answer.ts'
import type { Refused } from '../ingress/refusal/refused.ts'
import { apiHeaders } from './dashboard.ts'

/** Sends a refusal as a problem, bypassing the framework if the request is still arriving. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, refused: Refused): FastifyReply {
  const requestId = request.id
  if (isStillComing(request.raw)) {
    writeProblem(request.raw, reply.hijack().raw, refused, requestId)
    return reply
  }
  const { status, headers, body } = problemOf(refused, requestId)
  return reply
    .code(status)
    .headers({ ...headers, ...refused.details.headers, [responseHeaders.requestId]: requestId })
    .send(JSON.stringify(body))
}

function problemOf({ code, details: { faults, fill } }: Refused, requestId: string) {
  return problem(code, { requestId, ...(faults && { errors: faults }), ...(fill && { details: fill }) })
}

/** The content type of a problem that is written without the framework, which adds the charset itself. */
export const problemTextType = `${problemContentType}; charset=utf-8`

/** The same for answers without the framework. */
export function writeProblem(req: IncomingMessage, res: ServerResponse, refused: Refused, requestId: string): void {
  const { status, headers, body } = problemOf(refused, requestId)
  const text = JSON.stringify(body)
  res.writeHead(status, {
    ...apiHeaders,
    [responseHeaders.requestId]: requestId,
    ...closingHeaders(req),
    ...headers,
    ...refused.details.headers,
    'content-type': problemTextType,
    'content-length': Buffer.byteLength(text)
  })
  endAnswer(req, res, text)
}
