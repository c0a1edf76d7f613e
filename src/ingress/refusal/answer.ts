/** Writes Sluice's own answers on ingress routes, in the shape that the vendor's SDK raises as a typed error. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dialect } from '../../dialects/dialect.ts'
import type { RefusalAnswer } from '../../dialects/answer/refusal-answer.ts'
import { errorEntry, retryHeaders } from '../../protocol/error-catalogue.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { closingHeaders, endAnswer } from './early-answer.ts'
import type { Refused } from './refused.ts'

/** The request ID under both names that SDKs read, and under ours. */
export function requestIdHeaders(requestId: string): Record<string, string> {
  return { [responseHeaders.requestId]: requestId, [responseHeaders.upstreamRequestId]: requestId }
}

/** Answers with a refusal, even while the request is still arriving. */
export function writeRefusal(
  req: IncomingMessage,
  res: ServerResponse,
  dialect: Dialect,
  refused: Refused,
  requestId: string,
  headers: Readonly<Record<string, string>> = {}
): void {
  if (res.headersSent || res.destroyed) {
    res.destroy()
    return
  }
  const { status = errorEntry(refused.code).status } = refused.details
  const refusal = { status, code: refused.code, message: refused.sentence(requestId), requestId }
  const body = Buffer.from(JSON.stringify(dialect.errorBody(refusal)))
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    ...requestIdHeaders(requestId),
    ...(refused.details.status === undefined ? retryHeaders(refused.code) : {}),
    ...refused.details.headers,
    ...headers,
    ...closingHeaders(req)
  })
  endAnswer(req, res, body)
}

/** Answers a block like a model that declines to answer: status 200, for agents that hide an error's text. */
export function writeRefusalAnswer(
  res: ServerResponse,
  refusalAnswer: RefusalAnswer,
  refused: Refused,
  requestId: string,
  as: { readonly model: string; readonly stream: boolean; readonly headers: Readonly<Record<string, string>> }
): void {
  const { status } = errorEntry(refused.code)
  const refusal = { status, code: refused.code, message: refused.sentence(requestId), requestId }
  const createdAt = Math.floor(Date.now() / 1000)
  const body = Buffer.from(refusalAnswer(refusal, { model: as.model, stream: as.stream, createdAt }))
  res.writeHead(200, {
    'content-type': as.stream ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': body.length,
    ...requestIdHeaders(requestId),
    ...as.headers
  })
  res.end(body)
}
