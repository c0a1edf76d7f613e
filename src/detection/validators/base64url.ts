/** A decoder for base64url (RFC 4648 section 5), since this folder is PURE and has no `Buffer` and `atob`. */

const values = new Int8Array(128).fill(-1)
;[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].forEach((letter, value) => {
  values[letter.charCodeAt(0)] = value
})

/**
 * Decodes ASCII JSON from base64url. Bytes from 128 up become `?`, which keeps JSON strings valid.
 * @returns the parsed object, or undefined if it is not base64url or not a JSON object
 */
export function decodeJsonObject(text: string, start: number, end: number): Record<string, unknown> | undefined {
  let json = ''
  let bits = 0
  let held = 0
  for (let i = start; i < end; i++) {
    const value = values[text.charCodeAt(i)] ?? -1
    if (value < 0) return undefined
    held = (held << 6) | value
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >>> bits) & 0xff
    json += byte < 128 ? String.fromCharCode(byte) : '?'
    held &= (1 << bits) - 1
  }
  // An exception costs microseconds, which a text full of similar beginnings would pay for each of them.
  if (!json.startsWith('{') || !json.trimEnd().endsWith('}')) return undefined
  try {
    const parsed: unknown = JSON.parse(json)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    // Not JSON. The error is dropped because its message would quote the text.
    return undefined
  }
}
