/** Reads a whole body into memory, up to a limit. */
import type { Dispatcher } from 'undici'

/** A body over its limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/** @throws BodyTooLarge; leaving the loop destroys the stream */
export async function readBounded(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const held: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new BodyTooLarge()
    held.push(chunk)
  }
  return Buffer.concat(held, bytes)
}

/**
 * Reads an answer. If its length is known, it is read in one go: stepping through a stream costs more than most answers
 * do.
 * @throws BodyTooLarge
 */
export async function readAnswer({ headers, body }: Dispatcher.ResponseData, bytesMax: number): Promise<Buffer> {
  // A missing length gives NaN, which is within no limit.
  if (!(Number(headers['content-length']) <= bytesMax)) return readBounded(body, bytesMax)
  const bytes = await body.bytes()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
