/** SHA-256 (FIPS 180-4), small rather than fast: it hashes a handful of bytes for the checksum of a wallet. */

const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
] as const

/** The round constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = Int32Array.from({ length: 64 }, roundConstant)

function roundConstant(_: unknown, index: number): number {
  let prime = 1
  for (let left = index + 1; left > 0;) if (isPrime(++prime)) left--
  const root = Math.cbrt(prime)
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

function isPrime(value: number): boolean {
  for (let divisor = 2; divisor * divisor <= value; divisor++) if (value % divisor === 0) return false
  return true
}

/** The digest (32 bytes) of some bytes. */
export function sha256(bytes: ArrayLike<number>): Uint8Array {
  const message = padded(bytes)
  const state = Int32Array.from(initial)
  const words = new Int32Array(64)
  for (let block = 0; block < message.length; block += 64) compress(state, words, message, block)
  return Uint8Array.from({ length: 32 }, (_, i) => (state[i >> 2] as number) >>> (24 - 8 * (i & 3)))
}

function padded(bytes: ArrayLike<number>): Uint8Array {
  const out = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6)
  for (let i = 0; i < bytes.length; i++) out[i] = bytes[i] as number
  out[bytes.length] = 0x80
  for (let i = 0; i < 4; i++) out[out.length - 1 - i] = (bytes.length * 8) >>> (8 * i)
  return out
}

function compress(state: Int32Array, words: Int32Array, message: Uint8Array, block: number): void {
  for (let i = 0, at = block; i < 16; i++, at += 4) {
    words[i] =
      (byteAt(message, at) << 24) |
      (byteAt(message, at + 1) << 16) |
      (byteAt(message, at + 2) << 8) |
      byteAt(message, at + 3)
  }
  for (let i = 16; i < 64; i++) {
    const near = words[i - 2] as number
    const far = words[i - 15] as number
    words[i] =
      (words[i - 16] as number) +
      (turned(far, 7) ^ turned(far, 18) ^ (far >>> 3)) +
      (words[i - 7] as number) +
      (turned(near, 17) ^ turned(near, 19) ^ (near >>> 10))
  }
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const one =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (constants[i] as number) + (words[i] as number)) |
      0
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (added[i] as number)
}

function byteAt(message: Uint8Array, at: number): number {
  return message[at] as number
}

function turned(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits))
}
