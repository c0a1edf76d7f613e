/** The characters of a string token, one at a time, without decoding the string. */

const backslash = 0x5c
const letterU = 0x75

/** The meaning of a short escape by its second byte; characters not in the table mean themselves (`\"`, `\\`, `\/`). */
const shortEscapes: Readonly<Record<number, number>> = { 0x62: 0x08, 0x66: 0x0c, 0x6e: 0x0a, 0x72: 0x0d, 0x74: 0x09 }

/**
 * The character at byte `at` of a valid string token, unescaped; read it with {@link unitOf} and {@link lengthOf}.
 * Bytes of a UTF-8 sequence are returned one by one, undecoded: callers only look for ASCII.
 */
export function unitAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!
  if (byte !== backslash) return (1 << 16) | byte
  const escape = bytes[at + 1]!
  if (escape !== letterU) return (2 << 16) | (shortEscapes[escape] ?? escape)
  let unit = 0
  for (let digit = at + 2; digit < at + 6; digit++) {
    const code = bytes[digit]!
    unit = (unit << 4) | (code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57)
  }
  return (6 << 16) | unit
}

/** The UTF-16 code unit, or the byte of a UTF-8 sequence. */
export function unitOf(character: number): number {
  return character & 0xffff
}

/** How many bytes of the token the character takes. */
export function lengthOf(character: number): number {
  return character >>> 16
}

/** White space in JSON (RFC 8259, section 2). */
export function isJsonSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
}
