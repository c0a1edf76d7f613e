import assert from 'node:assert/strict'
import test from 'node:test'
import { base64Letters, filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const found = (text: string): string[] => scanner.scan(text).map(({ start, end }) => text.slice(start, end))

test('a recipient of age is public', () => {
  const recipient = ['age1', filler(58, '023456789acdefghjklmnpqrstuvwxyz')].join('')
  assert.deepEqual(found(`$ age-keygen -y keys.txt\n${recipient}\n`), [])
  assert.deepEqual(found(`sops_key: ${recipient}\n`), [])
  assert.equal(found(`sops_key: x${recipient.slice(1)}\n`).length, 1)
})

test('the tag of a language with its script is no password, whatever its key is', () => {
  for (const tag of ['pau-Latn-PW', 'zh-Hant-TW', 'az-Cyrl']) assert.deepEqual(found(`{"und-PW": "${tag}"}`), [], tag)
  assert.equal(found(`{"und-PW": "pau-Latn4-PW"}`).length, 1)
})

test('a public key of minisign is public, also in base64 with its comment', () => {
  const key = ['RWS', filler(53, base64Letters)].join('')
  assert.deepEqual(found(`secret: ${key}\n`), [])
  const file = `untrusted comment: minisign public key: 3CD5B98A871AE383\n${key}\n`
  assert.deepEqual(found(`"pubkey": "${Buffer.from(file).toString('base64')}"`), [])
  assert.equal(found(`secret: RXS${key.slice(3)}\n`).length, 1)
})

test('counts of tokens are no tokens', () => {
  for (const count of ['~250k', '+250k', '50-100k', '50k-100k', '~40GB', '-1.5M'])
    for (const form of [`tokens: ${count}`, `500 tokens = ${count} tokens`]) assert.deepEqual(found(form), [], form)
  assert.deepEqual(found('token: 20k-30k-aa'), ['20k-30k-aa'])
  assert.deepEqual(found('password: 12ab-34cd'), ['12ab-34cd'])
  assert.deepEqual(found('password: 73-81-92k'), ['73-81-92k'])
})
