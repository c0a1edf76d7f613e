/** HMAC-SHA256 (RFC 2104) of short texts. Every request needs several: of its token and of masked values. */
import { createHmac, hash, type KeyObject } from 'node:crypto'

const blockBytes = 64
const digestBytes = 32
/** For a longer text, Node's `Hmac` is worth its cost, since the text need not be copied. */
const textBytesMax = 1024

export interface ShortHmac {
  /** The digest in base64url. */
  text(text: string): string
  bytes(text: string): Buffer
}

/**
 * Creates the HMAC function of a key as the two hashes that it consists of: each is a single call, while Node's `Hmac`
 * is an object with a stream and a native context, four times as expensive for a short text. Nothing is kept between
 * calls: the buffer that held the text is wiped.
 * @param key of at most 64 bytes
 */
export function createShortHmac(key: KeyObject): ShortHmac {
  const keyBytes = key.export()
  if (keyBytes.length > blockBytes) throw new RangeError('a key of a short HMAC has 64 bytes at most')
  const inner = Buffer.alloc(blockBytes + textBytesMax)
  const outer = Buffer.alloc(blockBytes + digestBytes)
  for (let at = 0; at < blockBytes; at++) {
    inner[at] = (keyBytes[at] ?? 0) ^ 0x36
    outer[at] = (keyBytes[at] ?? 0) ^ 0x5c
  }
  keyBytes.fill(0)

  /** Leaves in `outer` what remains to be hashed. @returns false if the text is not short */
  function hashInner(text: string): boolean {
    // A UTF-16 code unit takes at most three bytes.
    if (text.length * 3 > textBytesMax) return false
    const end = blockBytes + inner.write(text, blockBytes, 'utf8')
    // As text: a separate buffer for each digest would cost more than the digest.
    outer.write(hash('sha256', inner.subarray(0, end), 'latin1'), blockBytes, 'latin1')
    inner.fill(0, blockBytes, end)
    return true
  }

  return {
    text: (text) =>
      hashInner(text) ? hash('sha256', outer, 'base64url') : createHmac('sha256', key).update(text).digest('base64url'),
    bytes: (text) =>
      hashInner(text)
        ? Buffer.from(hash('sha256', outer, 'latin1'), 'latin1')
        : createHmac('sha256', key).update(text).digest()
  }
}
