/** A decoder for short base64 texts, since this folder is PURE and has no `Buffer` and `atob`. */

/** The letters of base64 (RFC 4648 section 4) in the order of their values. */
export const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const values = new Int8Array(128).fill(-1)
;[...base64Alphabet].forEach((letter, value) => {
  values[letter.charCodeAt(0)] = value
})
values[45] = 62
values[95] = 63

const unitsMax = 1024

/**
 * Decodes base64 of at most 1024 units, in either alphabet, padded or not.
 * @returns the text, one character per byte; undefined if it is not base64, or a byte is neither printable nor white
 *   space
 */
export function decodePrintable(text: string, start: number, end: number): string | undefined {
  if (end - start > unitsMax) return undefined
  let to = end
  while (to > start && text.charCodeAt(to - 1) === 61) to--
  if ((to - start) % 4 === 1) return undefined
  let out = ''
  let bits = 0
  let held = 0
  for (let i = start; i < to; i++) {
    const value = values[text.charCodeAt(i)] ?? -1
    if (value < 0) return undefined
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >>> bits) & 0xff
    if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127) return undefined
    out += String.fromCharCode(byte)
  }
  return out
}
