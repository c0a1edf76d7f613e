/** Answers of our own endpoints when something is wrong: RFC 9457 problem bodies. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { responseHeaders } from '../protocol/headers.ts'
import { problem, type Fault } from '../protocol/problem.ts'
import type { Refused } from '../ingress/refused.ts'

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
