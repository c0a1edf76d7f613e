/** Counts the values of a JSON text before it is parsed: parsing a large one would block the process. */

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openingBracket = 0x5b
const openingBrace = 0x7b

/** This much of a string is read byte by byte; the end of a longer one is searched for, which is far faster. */
const shortBytes = 64

/**
 * Whether a UTF-8 text has more than `max` values, counting each object, each list and everything inside. For text that
 * is not JSON, counts its commas and brackets outside strings.
 */
export function hasMoreValues(bytes: Uint8Array, max: number): boolean {
  let left = max
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at)
    else if ((byte === comma || byte === openingBracket || byte === openingBrace) && --left < 0) return true
  }
  return false
}

/**
 * The position of the closing quote of the string that begins at `start`, or the length of the text if there is none.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ;) {
    for (const shortEnd = Math.min(bytes.length, at + shortBytes); at < shortEnd; at++) {
      if (bytes[at] === quote) return at
      if (bytes[at] === backslash) at++
    }
    const end = bytes.indexOf(quote, at)
    if (end < 0) return bytes.length
    let backslashes = 0
    while (end - backslashes > at && bytes[end - backslashes - 1] === backslash) backslashes++
    if (backslashes % 2 === 0) return end
    // If quotes are frequent, the next stretch is read byte by byte again: a search for each would be slow.
    at = end + 1
  }
}
