import assert from 'node:assert/strict'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { mintToken } from '../protocol/token-format.ts'
import { createTokenDigest } from './token-digest.ts'

it('gives what an HMAC of Node gives, for any key and token, one after another', () => {
  for (const keyBytes of [1, 32, 63, 64]) {
    const key = createSecretKey(randomBytes(keyBytes))
    const digest = createTokenDigest(key)
    for (let n = 0; n < 20; n++) {
      const { token } = mintToken(randomBytes)
      assert.equal(digest(token), createHmac('sha256', key).update(token).digest('base64url'))
    }
  }
})

it('takes no key that it would have to hash first, and nothing that is no token', () => {
  assert.throws(() => createTokenDigest(createSecretKey(randomBytes(65))), RangeError)
  const digest = createTokenDigest(createSecretKey(randomBytes(32)))
  const { token } = mintToken(randomBytes)
  for (const text of ['', token.slice(1), `${token}0`]) assert.throws(() => digest(text), RangeError)
})
