import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalJson } from '../protocol/canonical-json.ts'
import {
  effectivePolicy,
  isRevisionOf,
  readRedactionProfile,
  readToolPolicy,
  revisionId,
  sequenceOf,
  standardPolicy
} from './revision.ts'

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex')

test('a revision names its sequence and its documents', () => {
  const id = revisionId(1, standardPolicy, sha256Hex)
  assert.match(id, /^1-[0-9a-f]{16}$/)
  const reordered = JSON.parse(canonicalJson(standardPolicy)) as typeof standardPolicy
  assert.equal(revisionId(1, reordered, sha256Hex), id)
  const other = { ...standardPolicy, mcpToolPolicy: { version: 1, defaultEffect: 'deny', rules: [] } }
  assert.notEqual(revisionId(1, other, sha256Hex), id)
  assert.equal(sequenceOf(id), 1)
  for (const wrong of ['', '1', '0-0000000000000000', '1-00', `${id}0`]) assert.equal(sequenceOf(wrong), undefined)
})

test('the standard documents survive storage, and those of earlier versions are read', () => {
  const stored = JSON.parse(canonicalJson(standardPolicy)) as typeof standardPolicy
  assert.deepEqual(readRedactionProfile(stored.redactionProfile), { ...standardPolicy.redactionProfile })
  assert.deepEqual(readToolPolicy(stored.mcpToolPolicy), { ...standardPolicy.mcpToolPolicy })
  assert.deepEqual(readToolPolicy({ version: 1, defaultEffect: 'allow', rules: [] }), {
    ...standardPolicy.mcpToolPolicy
  })
})

test("what is streamed verifies by its own id, whatever the server's switch", () => {
  const published = { sequence: 7, revision: revisionId(7, standardPolicy, sha256Hex), ...standardPolicy }
  const on = effectivePolicy(published, { blockHighRisk: true }, sha256Hex)
  assert.deepEqual(on, { revision: published.revision, ...standardPolicy })
  const off = effectivePolicy(published, { blockHighRisk: false }, sha256Hex)
  assert.equal(off.redactionProfile['blockHighRisk'], false)
  assert.equal(sequenceOf(off.revision), 7)
  assert.notEqual(off.revision, published.revision)
  for (const streamed of [on, off]) assert.ok(isRevisionOf(streamed.revision, streamed, sha256Hex))
  assert.ok(!isRevisionOf(off.revision, on, sha256Hex))
  const already = { ...published, ...off, sequence: 7 }
  assert.equal(effectivePolicy(already, { blockHighRisk: false }, sha256Hex).revision, off.revision)
})

test('a malformed id verifies nothing, even if its hash is that of the documents', () => {
  const hash = revisionId(7, standardPolicy, sha256Hex).slice(1)
  assert.ok(isRevisionOf(`7${hash}`, standardPolicy, sha256Hex))
  for (const sequence of ['undefined', 'NaN', '', '07', '-7', '7.0'])
    assert.ok(!isRevisionOf(`${sequence}${hash}`, standardPolicy, sha256Hex), sequence)
})

test("if the server's switch changes nothing, the id is the published one", () => {
  const neverBlocking = { ...standardPolicy.redactionProfile, blockHighRisk: false }
  for (const [blockHighRisk, redactionProfile] of [
    [true, standardPolicy.redactionProfile],
    [true, neverBlocking],
    [false, neverBlocking]
  ] as const) {
    const published = { ...standardPolicy, redactionProfile, sequence: 7, revision: 'as it was stored' }
    assert.deepEqual(effectivePolicy(published, { blockHighRisk }, sha256Hex), {
      ...standardPolicy,
      redactionProfile,
      revision: 'as it was stored'
    })
  }
})
