import assert from 'node:assert/strict'
import test from 'node:test'
import { filler, fillerUuid, hexLetters } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const found = (text: string) => scanner.scan(text).filter((finding) => finding.tier !== 'low').length

test('generated digits behind a prefix are a key next to the name of one', () => {
  const generated = filler(32, hexLetters)
  for (const value of [`acme_live_${generated}`, `${generated}-${filler(40, hexLetters, 3)}`, `1204-${generated}`])
    assert.equal(found(`acme_api_key = "${value}"`), 1, value)
  assert.equal(found(`acme_token = "rq-${fillerUuid()}"`), 1)
})

test('elsewhere the same is the name of a version, a digest or a thing', () => {
  const generated = filler(40, hexLetters)
  for (const text of [
    `acme_api_key = "sha1-${generated}"`,
    `acme_api_key = "release-2.1-${generated}"`,
    `acme_api_key = "quickstart-${generated}"`,
    `acme_name = "acme_live_${generated}"`,
    `cache_key = "users-${generated}"`
  ])
    assert.equal(found(text), 0, text)
})

test('the token that joins a cluster is found only behind its name', () => {
  const value = `${filler(6, 'abcdefghij0123456789')}.${filler(16, hexLetters)}`
  assert.equal(found(`kubeadm join 10.0.0.1:6443 --token ${value}`), 1)
  assert.equal(found(`BOOTSTRAP_TOKEN: "${value}"`), 1)
  assert.equal(found(`file = "${value}"`), 0)
})
