/**
 * Removes line ends from a message, for framing on stdio. In JSON they only occur between tokens, where a space is
 * equivalent.
 */

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20

/** @returns the very same array if there is nothing to change */
export function oneLine(message: Uint8Array): Uint8Array {
  if (!message.includes(lineFeed) && !message.includes(carriageReturn)) return message
  return message.map((byte) => (byte === lineFeed || byte === carriageReturn ? space : byte))
}
