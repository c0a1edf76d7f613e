/** One server as the listener serves it: reads requests for its path, within limits, and passes them on. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { closingHeaders, endAnswer } from '../../../ingress/refusal/early-answer.ts'
import { ClientGone, Refused } from '../../../ingress/refusal/refused.ts'
import { readBody, type BodyLimits, type HeldBody } from '../../../ingress/body/read-body.ts'
import type { ByteBudget } from '../../../ingress/body/byte-budget.ts'
import { errorEntry } from '../../../protocol/error-catalogue.ts'
import { mediaTypeOf } from '../messages/http-headers.ts'
import { errorCodes, errorMessage } from '../messages/json-rpc-error.ts'

export interface McpEndpoint {
  /** Answers a request whose body has been read; `body` is empty for GET and DELETE. Never rejects. */
  handle(req: IncomingMessage, res: ServerResponse, body: Uint8Array): Promise<void>
  /** Answers a request for the server's login metadata; absent if clients cannot log in. Never rejects. */
  readonly login?: { serve(req: IncomingMessage, res: ServerResponse): Promise<void> } | undefined
  close(graceMs: number): Promise<void>
}

const methods = ['POST', 'GET', 'DELETE']

/** Answers with a JSON-RPC error that belongs to no request. */
export function refuse(res: ServerResponse, status: number, name: string, message: string, more = {}): void {
  if (res.headersSent || res.destroyed) return
  const body = errorMessage(undefined, {
    code: status >= 500 ? errorCodes.connectionClosed : errorCodes.invalidRequest,
    message,
    name,
    retryable: status === 503
  })
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...closingHeaders(res.req)
  }
  res.writeHead(status, { ...headers, ...more })
  endAnswer(res.req, res, body)
}

/** Reads a request within its limits and passes it to its endpoint. */
export async function serveEndpoint(
  req: IncomingMessage,
  res: ServerResponse,
  endpoint: McpEndpoint,
  { limits, budget }: { readonly limits: BodyLimits; readonly budget: ByteBudget }
): Promise<void> {
  const { method = '' } = req
  if (!methods.includes(method)) {
    return refuse(res, 405, 'method_not_allowed', 'This address takes POST, GET and DELETE.', {
      allow: methods.join(', ')
    })
  }
  if (method !== 'POST') {
    req.resume()
    return endpoint.handle(req, res, Buffer.alloc(0))
  }
  if (mediaTypeOf(req.headers['content-type']) !== 'application/json') {
    return refuse(res, 415, 'unsupported_media_type', 'An MCP message is sent as application/json.')
  }
  let body: HeldBody
  try {
    body = await readBody(req, limits, budget)
  } catch (error) {
    return refuseBody(res, error)
  }
  try {
    await endpoint.handle(req, res, body.bytes)
  } finally {
    body.release()
  }
}

function refuseBody(res: ServerResponse, error: unknown): void {
  if (error instanceof ClientGone) return
  const code = error instanceof Refused ? error.code : 'internal_error'
  const { status } = errorEntry(code)
  const message =
    code === 'body_too_large'
      ? 'The message is longer than SERVICE_MCP_MESSAGE_BYTES_MAX allows.'
      : `The message could not be read (${code}).`
  refuse(res, status, code, message, status === 503 ? { 'retry-after': '1' } : {})
}
