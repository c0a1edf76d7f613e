import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { createPasswords } from './passwords.ts'

const key = createSecretKey(randomBytes(32))
const words = ['correct', 'horse', 'battery'].join(' ')

describe('passwords at rest', () => {
  it("are argon2id hashes with OWASP's parameters, and never the same twice", async () => {
    const passwords = createPasswords(key)
    const [first, second] = [await passwords.hash(words), await passwords.hash(words)]
    assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.notEqual(first, second)
    assert.ok(await passwords.verify(words, first))
    assert.equal(await passwords.verify(`${words} `, first), false)
    assert.equal(await passwords.verify('', first), false)
  })

  it('match however a keyboard composes the letters', async () => {
    const passwords = createPasswords(key)
    assert.ok(await passwords.verify('cafe\u0301 au lait', await passwords.hash('caf\u00e9 au lait')))
  })

  it('cannot be verified without the master key', async () => {
    const stored = await createPasswords(key).hash(words)
    assert.equal(await createPasswords(createSecretKey(randomBytes(32))).verify(words, stored), false)
  })

  it('do not match if nothing is stored, or what is stored is not a hash', async () => {
    const passwords = createPasswords(key)
    for (const stored of [null, '', 'plain', '$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA']) {
      assert.equal(await passwords.verify(words, stored), false, String(stored))
    }
  })

  it('are hashed one at a time, and a flood is refused at once', async () => {
    const passwords = createPasswords(key)
    const flood = await Promise.allSettled(Array.from({ length: 40 }, () => passwords.verify(words, null)))
    const refused = flood.filter((one) => one.status === 'rejected')
    assert.equal(refused.length, 40 - 21)
    for (const one of refused) assert.equal((one.reason as { code?: string }).code, 'overloaded')
    assert.equal(await passwords.verify(words, null), false, 'and the next one is taken')
  })
})
