/**
 * `Expect: 100-continue` (RFC 9110, 10.1.1): the client sends its body once it is told to. Node would tell it before
 * anybody has looked at the request, and have a body of any size sent that is then refused.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

/** Requests whose clients wait to be told. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * Has requests with an expectation served like others; {@link expectBody} answers it. An unknown one may be ignored, and
 * Node's own 417 says nothing that an SDK or a person could read.
 */
export function takeExpectations(server: Pick<Server, 'on'>, listener: RequestListener): void {
  server.on('checkExpectation', listener)
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    waiting.set(req, res)
    listener(req, res)
  })
}

/** Tells a client that waits for it to send its body. */
export function expectBody(req: IncomingMessage): void {
  waiting.get(req)?.writeContinue()
  waiting.delete(req)
}
