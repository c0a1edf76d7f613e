import assert from 'node:assert/strict'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { createShortHmac } from './short-hmac.ts'

/**
 * Texts around the length at which Node's own takes over, with one, two, three and four bytes per character, and lone
 * surrogates.
 */
const texts = ['', 'a', 'ana@quillmark.example', '\u00e9', '\u20ac\u{1f600}', '\ud800', 'x\udc00y', '\0'].flatMap(
  (piece) => [1, 7, 100, 341, 342, 1024, 5000].map((times) => piece.repeat(times))
)

it("gives the same as Node's HMAC, for any key and text, one after another", () => {
  for (const keyBytes of [1, 32, 63, 64]) {
    const key = createSecretKey(randomBytes(keyBytes))
    const hmac = createShortHmac(key)
    for (const text of texts) {
      const expected = createHmac('sha256', key).update(text).digest()
      assert.equal(hmac.text(text), expected.toString('base64url'))
      assert.deepEqual(hmac.bytes(text), expected)
    }
  }
})

it('gives bytes that no later call changes', () => {
  const hmac = createShortHmac(createSecretKey(randomBytes(32)))
  const first = hmac.bytes('one')
  const copy = Buffer.from(first)
  hmac.bytes('two')
  assert.deepEqual(first, copy)
})

it('accepts no key that it would have to hash first', () => {
  assert.throws(() => createShortHmac(createSecretKey(randomBytes(65))), RangeError)
})
