/**
 * Serves the requests of one connection one after the other. Node hands over all that came in one read at once, a
 * thousand short ones in 64 KiB, and keeps the answers behind the first: whoever sent them and read nothing would fill
 * the memory with answers, without a token.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Most that may wait behind one that is served. Clients send one at a time, or a few; who sends more is cut. */
const waitingMax = 32

type Request = readonly [IncomingMessage, ServerResponse]

/** @param listener is called for a request when the one before it on its connection has its answer, written out to the system */
export function inTurn(listener: RequestListener): RequestListener {
  /** Of each connection that is served, those that wait. */
  const waiting = new WeakMap<Socket, Request[]>()

  function serve(req: IncomingMessage, res: ServerResponse): void {
    res.once('close', () => next(req.socket))
    listener(req, res)
  }

  function next(socket: Socket): void {
    const request = waiting.get(socket)?.shift()
    // A connection that ends answers nothing more; what nobody hears of must not be done.
    if (request === undefined || socket.destroyed || socket.writableEnded) waiting.delete(socket)
    else serve(...request)
  }

  return (req, res) => {
    const behind = waiting.get(req.socket)
    if (behind === undefined) {
      waiting.set(req.socket, [])
      serve(req, res)
    } else if (behind.length < waitingMax) behind.push([req, res])
    else req.socket.destroy()
  }
}
