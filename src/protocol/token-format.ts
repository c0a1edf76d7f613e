/**
 * Workspace tokens: `svw_`, 8 characters of id, 32 of secret, 6 of CRC-32, all base62. The checksum covers id and
 * secret, so that a typo can be told from a revoked token without asking the store, and a detector can tell a real
 * token from text that looks like one.
 */
import { base62, crc32 } from '../detection/validators/crc32.ts'

export const tokenPrefix = 'svw_'
const idLength = 8
const secretLength = 32
const checksumLength = 6
const bodyPattern = /^[0-9A-Za-z]{46}$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

type ParsedToken =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly fault: 'prefix' | 'shape' | 'checksum' }

/** Extracts a token's id, without checking whether it is known. */
export function parseToken(token: string): ParsedToken {
  if (!token.startsWith(tokenPrefix)) return { ok: false, fault: 'prefix' }
  const body = token.slice(tokenPrefix.length)
  if (!bodyPattern.test(body)) return { ok: false, fault: 'shape' }
  const signed = body.slice(0, idLength + secretLength)
  if (base62(crc32(signed), checksumLength) !== body.slice(signed.length)) return { ok: false, fault: 'checksum' }
  return { ok: true, id: body.slice(0, idLength) }
}

/** The rule that a text breaks as a workspace token, to follow its name; undefined if it may be one. */
export function tokenRule(text: string): string | undefined {
  const parsed = parseToken(text)
  if (parsed.ok) return undefined
  return parsed.fault === 'checksum'
    ? 'must be a workspace token as it was issued: its last six characters, a checksum, do not match the others'
    : 'must be a whole workspace token: svw_ and 46 letters and digits'
}

/**
 * Creates a token from random bytes.
 * @param random a source of uniform bytes; called until enough of them map to base62 without bias
 */
export function mintToken(random: (count: number) => Uint8Array): { readonly id: string; readonly token: string } {
  let signed = ''
  while (signed.length < idLength + secretLength) {
    for (const byte of random(64))
      if (byte < 248 && signed.length < idLength + secretLength) signed += digits.charAt(byte % 62)
  }
  return { id: signed.slice(0, idLength), token: tokenPrefix + signed + base62(crc32(signed), checksumLength) }
}
