/** Bech32 and Bech32m (BIP-173, BIP-350), whose 30-bit checksum age keys and segregated-witness addresses carry. */
import { charSet, type CharSet } from '../text/chars.ts'

export const bech32Letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** Both cases; a value never mixes them. */
export const bech32Set: CharSet = charSet(bech32Letters, bech32Letters.toUpperCase())
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

const values = new Int8Array(128).fill(-1)
for (let i = 0; i < bech32Letters.length; i++) values[bech32Letters.charCodeAt(i)] = i

/** Whether the last six characters are the checksum of the rest, behind the last `1`, in either variant. */
export function isBech32(value: string): boolean {
  const lower = value.toLowerCase()
  const cut = lower.lastIndexOf('1')
  if (cut < 1 || lower.length - cut < 7 || (value !== lower && value !== value.toUpperCase())) return false
  let sum = prefixSum(lower, cut)
  for (let i = cut + 1; i < lower.length; i++) {
    const digit = values[lower.charCodeAt(i)] ?? -1
    if (digit < 0) return false
    sum = step(sum) ^ digit
  }
  return sum === 1 || sum === 0x2bc830a3
}

/** The six characters that make `prefix + '1' + body` valid. */
export function bech32Checksum(prefix: string, body: string): string {
  const lower = (prefix + '1' + body).toLowerCase()
  let sum = prefixSum(lower, prefix.length)
  for (let i = prefix.length + 1; i < lower.length; i++) sum = step(sum) ^ (values[lower.charCodeAt(i)] as number)
  for (let i = 0; i < 6; i++) sum = step(sum)
  sum ^= 1
  let out = ''
  for (let i = 0; i < 6; i++) out += bech32Letters.charAt((sum >> (5 * (5 - i))) & 31)
  return out
}

function prefixSum(lower: string, length: number): number {
  let sum = 1
  for (let i = 0; i < length; i++) sum = step(sum) ^ (lower.charCodeAt(i) >> 5)
  sum = step(sum)
  for (let i = 0; i < length; i++) sum = step(sum) ^ (lower.charCodeAt(i) & 31)
  return sum
}

function step(sum: number): number {
  const top = sum >>> 25
  let out = (sum & 0x1ffffff) << 5
  for (let i = 0; i < 5; i++) if ((top >> i) & 1) out ^= generators[i] as number
  return out
}
