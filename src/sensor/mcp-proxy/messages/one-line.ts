/** A message as stdio frames it: without line ends. In JSON they stand between tokens alone, where a space says the same. */

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20

/** @returns the very same array where there is nothing to change */
export function oneLine(message: Uint8Array): Uint8Array {
  if (!message.includes(lineFeed) && !message.includes(carriageReturn)) return message
  return message.map((byte) => (byte === lineFeed || byte === carriageReturn ? space : byte))
}
