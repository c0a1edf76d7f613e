/** Answers that may be sent while their request is still arriving. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long a client may continue to upload after it was answered, before its connection is cut, in milliseconds. */
const uploadGraceMs = 10_000
/** Milliseconds without a byte after which the upload is no longer awaited. */
const silenceGraceMs = 1000

/** Whether there is a body whose end has not arrived. */
export function isStillComing({ complete, headers }: Pick<IncomingMessage, 'complete' | 'headers'>): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * The `connection` header of an answer: if the request was not read to its end, the connection takes no further one.
 */
export const closingHeaders = (req: IncomingMessage): Readonly<Record<string, string>> =>
  isStillComing(req) ? { connection: 'close' } : {}

/**
 * Ends an answer whose headers, including its length, are written. If the request is still arriving, its rest is read
 * and dropped first: Node closes a connection with the end of its last answer, and a client that sees the reset while
 * it is still sending would report that, not the answer. Thanks to its length, the answer is complete before it ends.
 */
export function endAnswer(req: IncomingMessage, res: ServerResponse, body: string | Uint8Array): void {
  if (!isStillComing(req)) {
    res.end(body)
    return
  }
  res.write(body)
  const end = (): void => {
    clearTimeout(grace)
    clearTimeout(silence)
    res.end()
  }
  const grace = setTimeout(end, uploadGraceMs).unref()
  const silence = setTimeout(end, silenceGraceMs).unref()
  req.on('data', () => void silence.refresh())
  req.once('end', end).once('close', end).on('error', end)
  req.resume()
}
