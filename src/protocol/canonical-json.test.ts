import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from './canonical-json.ts'

test('canonical JSON sorts keys at every depth and keeps the order of arrays', () => {
  assert.equal(canonicalJson({ b: [{ d: 1, c: null }, 'x'], a: true }), '{"a":true,"b":[{"c":null,"d":1},"x"]}')
  assert.equal(canonicalJson({ kept: 1, left: undefined }), '{"kept":1}')
})

test('what JSON cannot hold is refused', () => {
  assert.throws(() => canonicalJson([() => 1]), TypeError)
  assert.throws(() => canonicalJson({ count: 1n }), TypeError)
})
