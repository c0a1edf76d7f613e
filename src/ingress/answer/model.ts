/**
 * Reads from an answer which model produced it. The chat and messages APIs name it near the beginning, streamed or not.
 */
import { modelIdLengthMax } from '../../protocol/headers.ts'

export interface ModelReader {
  push(chunk: Buffer): void
  /** The model's name, or `undefined` if none was found or the value is not a valid model name. */
  result(): string | undefined
}

/** Bytes searched. Only ids and timestamps precede the name in these APIs. */
const windowBytesMax = 4096
const key = '"model"'
const namePattern = /^[A-Za-z0-9][\w.:@/-]*$/
const nameBytesMax = 128
const backslash = 0x5c
const quote = 0x22
const colon = 0x3a
const blanks = [0x20, 0x09, 0x0d, 0x0a]

/** @param scrub replaces whatever a scan of the text finds */
export function createModelReader(scrub: (text: string) => string): ModelReader {
  let held: Buffer[] = []
  let heldBytes = 0
  return {
    push(chunk) {
      if (heldBytes >= windowBytesMax) return
      // A copy: a subarray would keep the whole chunk alive.
      const part = Buffer.from(chunk.subarray(0, windowBytesMax - heldBytes))
      held.push(part)
      heldBytes += part.length
    },
    result() {
      const name = findName(Buffer.concat(held))
      held = []
      return name === undefined ? undefined : scrub(name).slice(0, modelIdLengthMax)
    }
  }
}

/** The string under the first key `model`. The quotes of such a key inside a string would be escaped. */
function findName(bytes: Buffer): string | undefined {
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at + 1)) {
    if (bytes[at - 1] === backslash) continue
    const separator = skipBlanks(bytes, at + key.length)
    const start = skipBlanks(bytes, separator + 1)
    if (bytes[separator] !== colon || bytes[start] !== quote) continue
    const end = bytes.indexOf(quote, start + 1)
    if (end < 0 || end - start > nameBytesMax) return undefined
    const name = bytes.toString('latin1', start + 1, end)
    return namePattern.test(name) ? name : undefined
  }
  return undefined
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && blanks.includes(bytes[at] as number)) at++
  return at
}
