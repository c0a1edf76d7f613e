/** How many values a JSON text has, found before it is parsed: parsing it would hold up the process meanwhile. */

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openingBracket = 0x5b
const openingBrace = 0x7b

/**
 * Whether a text in UTF-8 has more than `max` values, each object and list counted with what stands in it. Of what is no
 * JSON it says as much: its commas and brackets outside of strings.
 */
export function hasMoreValues(bytes: Uint8Array, max: number): boolean {
  let left = max
  let isString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) isString = !isString
    else if (isString) {
      if (byte === backslash) at++
    } else if ((byte === comma || byte === openingBracket || byte === openingBrace) && --left < 0) return true
  }
  return false
}
