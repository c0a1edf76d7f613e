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

test('a public key of minisign is public, also in base64 with its comment', () => {
  const key = ['RWS', filler(53, base64Letters)].join('')
  assert.deepEqual(found(`secret: ${key}\n`), [])
  const file = `untrusted comment: minisign public key: 3CD5B98A871AE383\n${key}\n`
  assert.deepEqual(found(`"pubkey": "${Buffer.from(file).toString('base64')}"`), [])
  assert.equal(found(`secret: RXS${key.slice(3)}\n`).length, 1)
})
