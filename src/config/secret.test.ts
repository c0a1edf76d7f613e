import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { Secret } from './secret.ts'

const value = ['hid', 'den-', '41'].join('')

test('a secret is only revealed by reveal', () => {
  const secret = new Secret(value)
  assert.equal(secret.reveal(), value)
  const held = { key: secret, list: [secret] }
  const shown = [
    `${secret}`,
    String(secret),
    JSON.stringify(held),
    inspect(held, { depth: 9, showHidden: true }),
    inspect(secret, { customInspect: false, showHidden: true }),
    format('%s %o %j %O', secret, secret, secret, held),
    Object.entries(secret).join(),
    JSON.stringify(structuredClone(secret)),
    new Error(`with ${secret}`, { cause: secret }).stack
  ].join('\n')
  assert.ok(!shown.includes(value))
  assert.match(shown, /\[secret\]/)
})
