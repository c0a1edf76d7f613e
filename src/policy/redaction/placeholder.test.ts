import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createPlaceholders } from './placeholder.ts'

const keyed = (key: string) => (value: string) => createHmac('sha256', key).update(value).digest()

test('a keyed placeholder is the label and ten base32 characters', () => {
  const placeholder = createPlaceholders('keyed', keyed('k1')).of('EMAIL', 'ana@corp.dev')
  assert.match(placeholder, /^EMAIL_[A-Z2-7]{10}$/)
})

test('the tag is the RFC 4648 base32 of the first 50 bits', () => {
  const placeholders = createPlaceholders('keyed', () => new TextEncoder().encode('foobarx'))
  assert.equal(placeholders.of('X', 'v'), 'X_MZXW6YTBOJ')
})

test('the same value has the same placeholder in every request of a workspace, and another one in other workspaces', () => {
  const first = createPlaceholders('keyed', keyed('k1')).of('EMAIL', 'ana@corp.dev')
  const second = createPlaceholders('keyed', keyed('k1'))
  assert.equal(second.of('EMAIL', 'bo@corp.dev') === first, false)
  assert.equal(second.of('EMAIL', 'ana@corp.dev'), first)
  assert.notEqual(createPlaceholders('keyed', keyed('k2')).of('EMAIL', 'ana@corp.dev'), first)
})

test('two values that share a digest are told apart, each the same way every time', () => {
  const placeholders = createPlaceholders('keyed', () => new Uint8Array(8))
  const first = placeholders.of('EMAIL', 'one')
  assert.equal(first, 'EMAIL_AAAAAAAAAA')
  assert.equal(placeholders.of('EMAIL', 'two'), 'EMAIL')
  assert.equal(placeholders.of('EMAIL', 'one'), first)
  assert.equal(placeholders.of('EMAIL', 'two'), 'EMAIL')
})

test('a typed placeholder is only the label', () => {
  assert.equal(createPlaceholders('typed', keyed('k1')).of('EMAIL', 'ana@corp.dev'), 'EMAIL')
})
