import assert from 'node:assert/strict'

/**
 * Reads a stream of text piece by piece.
 * @param stream pieces of whole characters; if it ends before there is enough, reading fails instead of waiting for
 *   ever
 * @returns a function that reads on until everything read so far is enough, and returns it
 */
export function readingOf(
  stream: AsyncIterable<string | Uint8Array>
): (isEnough: (text: string) => boolean) => Promise<string> {
  const pieces = stream[Symbol.asyncIterator]()
  let text = ''
  return async (isEnough) => {
    while (!isEnough(text)) {
      const { done, value } = await pieces.next()
      if (done === true) assert.fail(`The stream ended too early: ${text}`)
      text += typeof value === 'string' ? value : Buffer.from(value).toString()
    }
    return text
  }
}
