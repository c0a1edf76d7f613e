/**
 * Made-up values for the hits and misses of detectors, so that the sources contain no literal that a secret scanner
 * would report.
 */

export const base62Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const hexLetters = '0123456789abcdef'
export const base64Letters = base62Letters + '+/'
export const lowerDigitLetters = 'abcdefghijklmnopqrstuvwxyz0123456789'
export const upperDigitLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
export const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** `length` pseudo-random letters of an alphabet: the same for the same seed, and never the same letter twice in a row. */
export function filler(length: number, letters = base62Letters, seed = 7): string {
  let out = ''
  for (let state = seed; out.length < length;) {
    state = (state * 48271) % 2147483647
    const letter = letters.charAt(state % letters.length)
    if (letter !== out.at(-1)) out += letter
  }
  return out
}

/** A made-up UUID. */
export function fillerUuid(): string {
  return [8, 4, 4, 4, 12].map((length, i) => filler(length, hexLetters, 7 + i)).join('-')
}

/** A made-up word without a vowel, which no dictionary has. */
export function fillerWord(length: number): string {
  return filler(length, 'bcdfghjkmnpqrtvwxz')
}

/** An ordinary word, which is a password only because of its place. */
export const ordinaryWord = ['sun', 'shine'].join('')

/** Made-up bytes as programs list them, in decimal. */
export function fillerBytes(count: number): string {
  return bytes(count).join(', ')
}

/** The same in hexadecimal, each behind `0x`. */
export function fillerHexBytes(count: number): string {
  return bytes(count)
    .map((byte) => `0x${byte.toString(16).padStart(2, '0')}`)
    .join(', ')
}

function bytes(count: number): number[] {
  return Array.from({ length: count }, (_, i) => (i * i * 29 + i * 7 + 83) % 256)
}

/** A password as Google makes them for apps. */
export const letterGroups = ['kwpz', 'vhqd', 'rmxj', 'tgbn'].join(' ')
