/** Reads a whole body into memory, up to a bound. */

/** A body above its bound. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
}

/** @throws BodyTooLarge; the stream is destroyed then, as the language has it */
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
