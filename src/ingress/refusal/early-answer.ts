/** Answers that may be given while their request is still coming in. */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Milliseconds that a client may go on uploading after it was answered, before its connection is cut. */
const uploadGraceMs = 10_000
/** Milliseconds without a byte after which nothing more is waited for. */
const silenceGraceMs = 1000

/** Whether there is a body of which the end has not arrived. */
export function isStillComing({ complete, headers }: Pick<IncomingMessage, 'complete' | 'headers'>): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** What an answer says of its connection: one whose request was not read to its end takes no other. */
export const closingHeaders = (req: IncomingMessage): Readonly<Record<string, string>> =>
  isStillComing(req) ? { connection: 'close' } : {}

/**
 * Ends an answer whose headers, its length among them, are written. Where the request is still coming in, its rest is
 * read and dropped first: Node closes a connection with the end of its last answer, and a client that is met by the
 * reset while it sends would report that, and never the answer. By its length the answer is whole before its end.
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
