import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { filler } from '../detection/sample-text.ts'
import { Secret } from '../config/secret.ts'
import { OwnCredentials } from './own-credentials.ts'

const masterKey = createSecretKey(randomBytes(32))
const key = `gw.${filler(24, undefined, 5)}`
const password = `p/${filler(18, undefined, 6)}`
const header = filler(30, undefined, 7)

const { scanner } = new OwnCredentials(
  {
    upstream: { base: 'http://gateway.internal', chat: { key: new Secret(key) } },
    messages: { key: new Secret('sk-no-key-required') },
    database: { url: new Secret(`postgres://sluice:${encodeURIComponent(password)}@db.internal/sluice`) },
    headers: new Secret(`x-tenant=research,authorization=Bearer%20${header}`)
  },
  masterKey
)
const kindsIn = (text: string): string[] => scanner.scan(text).map(({ kind }) => kind)

test('every credential is found by its value alone, as it is written and encoded', () => {
  const bytes = masterKey.export()
  for (const credential of [key, password, header, bytes.toString('hex'), bytes.toString('base64')]) {
    assert.deepEqual(kindsIn(`it says ${credential} there`), ['known_credential'])
    const encoded = Buffer.from(`it says ${credential} there`).toString('base64')
    assert.ok(kindsIn(`a line ${encoded}`).includes('known_credential'), 'in base64')
  }
})

test('what stands in place of a key, in a header or in an address is no credential', () => {
  for (const text of ['sk-no-key-required', 'research', 'postgres://sluice', 'gateway.internal'])
    assert.deepEqual(kindsIn(`it says ${text} there`), [], text)
})

test('a detector shows none of the values that it looks for', () => {
  const { detectors } = new OwnCredentials({ key: new Secret(key) }, masterKey)
  const own = detectors.filter(({ id }) => id === 'known_credential')
  assert.equal(own.length, 1)
  assert.deepEqual([own[0]?.hits(), own[0]?.misses()], [[], []])
})

test('one more credential is searched for in prompts and records, beside the earlier ones', () => {
  const own = new OwnCredentials({ key: new Secret(key) }, masterKey)
  const next = filler(24, undefined, 8)
  assert.deepEqual([own.scrub(key), own.scrub(next)], ['KNOWN_CREDENTIAL', next])
  own.add(new Secret(next))
  assert.deepEqual([own.scrub(key), own.scrub(next)], ['KNOWN_CREDENTIAL', 'KNOWN_CREDENTIAL'])
  assert.equal(own.scanner.scan(next).length, 1)
})
