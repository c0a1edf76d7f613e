/**
 * Serves the requests of one connection one at a time. Node delivers all requests of one read at once (a thousand short
 * ones in 64 KiB) and queues the answers behind the first: a client that sends them and reads nothing could fill the
 * memory with answers, without a token.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The most requests that may wait behind the one being served. Clients send one at a time, or a few; more cuts the
 * connection.
 */
const waitingMax = 32

type Request = readonly [IncomingMessage, ServerResponse]

/** @param listener called for a request once the previous answer on its connection has been handed to the system */
export function inTurn(listener: RequestListener): RequestListener {
  /** The waiting requests of each connection that is being served. */
  const waiting = new WeakMap<Socket, Request[]>()

  function serve(req: IncomingMessage, res: ServerResponse): void {
    res.once('close', () => next(req.socket))
    listener(req, res)
  }

  function next(socket: Socket): void {
    const request = waiting.get(socket)?.shift()
    // A connection that is ending sends no more answers; work that nobody hears of must not be done.
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
