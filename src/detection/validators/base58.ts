/** Base58Check, the encoding of Bitcoin addresses and keys: the last four bytes are a double SHA-256. */
import { charSet, type CharSet } from '../text/chars.ts'
import { sha256 } from './sha256.ts'

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
export const base58Set: CharSet = charSet('1-9', 'A-H', 'J-N', 'P-Z', 'a-k', 'm-z')

const values = new Int8Array(128).fill(-1)
for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i

/** The longest value that is decoded. The keys that are looked for are shorter, and the cost of decoding is quadratic. */
const unitsMax = 120

/**
 * Decodes and verifies a value.
 * @returns the payload without its checksum, or undefined if the alphabet or the checksum is wrong
 */
export function decodeBase58Check(value: string): Uint8Array | undefined {
  const bytes = decodeBase58(value)
  if (bytes === undefined || bytes.length < 5) return undefined
  const payload = bytes.subarray(0, -4)
  const sum = sha256(sha256(payload))
  for (let i = 0; i < 4; i++) if (bytes[payload.length + i] !== sum[i]) return undefined
  return payload
}

function decodeBase58(value: string): Uint8Array | undefined {
  if (value.length > unitsMax) return undefined
  const reversed: number[] = []
  for (let i = 0; i < value.length; i++) {
    let carry = values[value.charCodeAt(i)] ?? -1
    if (carry < 0) return undefined
    for (let j = 0; j < reversed.length; j++) {
      carry += (reversed[j] as number) * 58
      reversed[j] = carry & 0xff
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) reversed.push(carry & 0xff)
  }
  // Each leading `1` is a leading zero byte.
  for (let i = 0; value.charCodeAt(i) === 49; i++) reversed.push(0)
  return Uint8Array.from(reversed.toReversed())
}

/** Encodes bytes and their checksum. */
export function encodeBase58Check(payload: Uint8Array): string {
  const bytes = [...payload, ...sha256(sha256(payload)).subarray(0, 4)]
  const reversed: number[] = []
  for (const byte of bytes) {
    let carry = byte
    for (let j = 0; j < reversed.length; j++) {
      carry += (reversed[j] as number) << 8
      reversed[j] = carry % 58
      carry = Math.floor(carry / 58)
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) reversed.push(carry % 58)
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros) + reversed.toReversed().reduce((out, value) => out + digits.charAt(value), '')
}
