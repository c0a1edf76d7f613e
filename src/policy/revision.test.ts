import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalJson, readRedactionProfile, revisionId, standardPolicy } from './revision.ts'

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex')

test('canonical JSON sorts keys at every depth and keeps the order of arrays', () => {
  assert.equal(canonicalJson({ b: [{ d: 1, c: null }, 'x'], a: true }), '{"a":true,"b":[{"c":null,"d":1},"x"]}')
  assert.throws(() => canonicalJson([() => 1]), TypeError)
})

test('a revision names its sequence and its documents', () => {
  const id = revisionId(1, standardPolicy, sha256Hex)
  assert.match(id, /^1-[0-9a-f]{16}$/)
  const reordered = JSON.parse(canonicalJson(standardPolicy)) as typeof standardPolicy
  assert.equal(revisionId(1, reordered, sha256Hex), id)
  const other = { ...standardPolicy, mcpToolPolicy: { version: 1, defaultEffect: 'deny', rules: [] } }
  assert.notEqual(revisionId(1, other, sha256Hex), id)
})

test('the standard profile survives storage', () => {
  assert.deepEqual(readRedactionProfile(JSON.parse(canonicalJson(standardPolicy.redactionProfile))), {
    ...standardPolicy.redactionProfile
  })
})
