/** The keyed hash of a token, which is computed for every request. */
import { hash, type KeyObject } from 'node:crypto'
import { tokenLength } from '../protocol/token-format.ts'

const blockBytes = 64
const digestBytes = 32

/**
 * Makes the function that gives HMAC-SHA256 (RFC 2104) of a token in base64url. It is written out as its two hashes: each is
 * one call, where an `Hmac` of Node is an object with a stream and a native context, four times as dear for so short a
 * text. Nothing is kept between calls: what held the token is wiped.
 * @param key of 64 bytes at most
 */
export function createTokenDigest(key: KeyObject): (token: string) => string {
  const bytes = key.export()
  if (bytes.length > blockBytes) throw new RangeError('a key of a token digest has 64 bytes at most')
  const inner = Buffer.alloc(blockBytes + tokenLength)
  const outer = Buffer.alloc(blockBytes + digestBytes)
  for (let at = 0; at < blockBytes; at++) {
    inner[at] = (bytes[at] ?? 0) ^ 0x36
    outer[at] = (bytes[at] ?? 0) ^ 0x5c
  }
  bytes.fill(0)
  return (token) => {
    if (token.length !== tokenLength) throw new RangeError(`a token has ${tokenLength} characters`)
    inner.write(token, blockBytes, 'latin1')
    // As text: a buffer of its own for each digest would cost more than the digest.
    outer.write(hash('sha256', inner, 'latin1'), blockBytes, 'latin1')
    inner.fill(0, blockBytes)
    return hash('sha256', outer, 'base64url')
  }
}
