import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/property.ts'
import { canonicalJson } from './canonical-json.ts'

test('canonical JSON sorts keys at every depth and keeps the order of arrays', () => {
  assert.equal(canonicalJson({ b: [{ d: 1, c: null }, 'x'], a: true }), '{"a":true,"b":[{"c":null,"d":1},"x"]}')
  assert.equal(canonicalJson({ kept: 1, left: undefined }), '{"kept":1}')
})

test('a value that JSON cannot hold is rejected', () => {
  assert.throws(() => canonicalJson([() => 1]), TypeError)
  assert.throws(() => canonicalJson({ count: 1n }), TypeError)
})

/** The canonical form, implemented naively. */
function formOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(formOf).join(',')}]`
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${formOf(member)}`).join(',')}}`
}

test('the text is the same in any order of keys, including integers, unusual names and undefined members', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('9', '10', '__proto__', 'toJSON', '\ud800', 'a', 'A', ''))
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      fc.string(),
      fc.double(),
      fc.constantFrom(null, true, -0),
      fc.array(tie('node'), { maxLength: 4 }),
      fc
        .array(fc.tuple(key, fc.oneof(tie('node'), fc.constant(undefined))), { maxLength: 6 })
        .map((entries) => Object.fromEntries(entries))
    )
  })).node
  fc.assert(
    fc.property(value, (any) => {
      assert.equal(canonicalJson(any), formOf(any))
    })
  )
})

test('an object that only looks plain is written by its members', () => {
  assert.equal(canonicalJson({ at: new Date(0), to: [{ toJSON: 1 }] }), '{"at":{},"to":[{"toJSON":1}]}')
  assert.throws(() => canonicalJson({ toJSON: () => 1 }), TypeError)
})
