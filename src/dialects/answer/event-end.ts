/** Where an event of a stream ends, in the form that most streams use. */

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Whether these bytes end with a blank line, `\\n\\n` or `\\r\\n\\r\\n`: the last event is then complete. */
export function endsWithBlankLine(bytes: Uint8Array): boolean {
  const last = bytes.length - 1
  if (bytes[last] !== lineFeed) return false
  return bytes[last - 1] === lineFeed || (bytes[last - 1] === carriageReturn && bytes[last - 2] === lineFeed)
}
