/**
 * CRC-32 (IEEE 802.3, reflected, polynomial 0xEDB88320) and the base62 and base36 forms in which vendors put it into
 * tokens.
 */

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})

/**
 * CRC-32 of an ASCII text.
 * @returns an unsigned 32-bit integer
 */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) crc = (crc >>> 8) ^ (table[(crc ^ text.charCodeAt(i)) & 0xff] as number)
  return (crc ^ 0xffffffff) >>> 0
}

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A non-negative integer in base62 (0-9, A-Z, a-z), padded on the left with `0` to `width`. */
export function base62(value: number, width: number): string {
  let out = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) out = base62Digits.charAt(rest % 62) + out
  return out.padStart(width, '0')
}

/** A token's body with its base62 CRC-32 behind it, as {@link endsInBase62Crc32} expects it. */
export function withBase62Crc32(body: string): string {
  return body + base62(crc32(body), 6)
}

/** Whether the last six characters are the base62 CRC-32 of those before them (GitHub, npm, Sluice tokens). */
export function endsInBase62Crc32(body: string): boolean {
  return body.length > 6 && base62(crc32(body.slice(0, -6)), 6) === body.slice(-6)
}

/** The CRC-32 of an ASCII text in seven digits of base 36 (0-9, a-z), the form in GitLab's routable tokens. */
export function base36Crc32(text: string): string {
  return crc32(text).toString(36).padStart(7, '0')
}

/** Whether the last seven characters are the base36 CRC-32 of those before them (GitLab's routable tokens). */
export function endsInBase36Crc32(token: string): boolean {
  return token.length > 7 && base36Crc32(token.slice(0, -7)) === token.slice(-7)
}
