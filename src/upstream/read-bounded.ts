/** Reads the whole body of an answer into memory, up to a limit. */
import type { Dispatcher } from 'undici'

/** A body over its limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/**
 * Reads a body whose size is no fault of the call. Reading stops at the limit, and the stream is destroyed.
 * @returns undefined if the body is larger than `bytesMax` bytes
 */
export async function readAtMost(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer | undefined> {
  const held: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    // Leaving the loop destroys the stream.
    if (bytes > bytesMax) return undefined
    held.push(chunk)
  }
  return Buffer.concat(held, bytes)
}

/** Reads a body like {@link readAtMost}. @throws BodyTooLarge */
export async function readBounded(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const body = await readAtMost(chunks, bytesMax)
  if (body === undefined) throw new BodyTooLarge()
  return body
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
