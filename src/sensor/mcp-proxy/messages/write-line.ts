/** Writes a message as a line. */
import type { Writable } from 'node:stream'
import { oneLine } from './one-line.ts'

const lineFeed = Buffer.from('\n')
/** Up to this size, a copy is cheaper than two writes. */
const copiedBytesMax = 16_384

/** @returns false if the stream should not be given more for now */
export function writeLine(stream: Writable, message: Uint8Array): boolean {
  const line = oneLine(message)
  if (line.length <= copiedBytesMax) return stream.write(Buffer.concat([line, lineFeed]))
  stream.cork()
  stream.write(line)
  const hasRoom = stream.write(lineFeed)
  stream.uncork()
  return hasRoom
}
