/** Seeds of NATS keys: base32, whose last two bytes are the CRC-16 (XMODEM) of those before, lower byte first. */

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const values = new Int8Array(128).fill(-1)
for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i

/** Length of a seed in code units. It encodes two bytes of kind, 32 of the key and two of the checksum. */
export const nkeySeedUnits = 58

export function hasNkeyChecksum(value: string): boolean {
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (let i = 0; i < value.length; i++) {
    const digit = values[value.charCodeAt(i)] ?? -1
    if (digit < 0) return false
    held = ((held << 5) | digit) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  const cut = bytes.length - 2
  return cut > 0 && crc16(bytes.slice(0, cut)) === ((bytes[cut] as number) | ((bytes[cut + 1] as number) << 8))
}

export function crc16(bytes: readonly number[]): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x8000 ? ((sum << 1) ^ 0x1021) & 0xffff : (sum << 1) & 0xffff
  }
  return sum
}

/** The seed of these 32 bytes, for tests and samples. */
export function nkeySeed(kind: number, key: readonly number[]): string {
  return withChecksum([(18 << 3) | (kind >> 5), (kind & 31) << 3, ...key])
}

/** The same in Stellar's form, which has one byte before the key. */
export function stellarSeed(key: readonly number[]): string {
  return withChecksum([18 << 3, ...key])
}

function withChecksum(body: readonly number[]): string {
  const sum = crc16(body)
  let out = ''
  let held = 0
  let bits = 0
  for (const byte of [...body, sum & 0xff, sum >> 8]) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) out += digits.charAt((held >> (bits - 5)) & 31)
    held &= 31
  }
  return bits > 0 ? out + digits.charAt((held << (5 - bits)) & 31) : out
}
