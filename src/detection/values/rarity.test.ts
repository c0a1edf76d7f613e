import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { rarityDigest, raritySurprise } from './rarity-table.ts'
import { rarity, rarityClassCount } from './rarity.ts'
import { base62Letters, filler } from '../sample-text.ts'

const bits = (value: string) => rarity(value, 0, value.length)

test('the table is the one that its digest names', () => {
  assert.equal(raritySurprise.join('').length, rarityClassCount ** 3)
  assert.equal(createHash('sha256').update(raritySurprise.join('')).digest('hex'), rarityDigest)
})

test('words, names and paths have a low rarity, generated values a high one', () => {
  const ordinary = [
    'password',
    'getAccessToken',
    'secret_from_config',
    'authorization.k8s.io',
    'correct-horse-battery',
    'Content-Type',
    '1234567890',
    'Your password was changed'
  ]
  for (const value of ordinary) assert.ok(bits(value) < 5.6, `${value}: ${bits(value)}`)
  for (let seed = 1; seed < 60; seed++) {
    const made = filler(24, base62Letters, seed * 7919)
    assert.ok(bits(made) > 7, `${made}: ${bits(made)}`)
  }
  assert.ok(bits('qzxvkjwq') > bits('admission') + 4)
})

test('case does not matter, nothing outside of the range is read, and an empty range has rarity 0', () => {
  assert.equal(bits('PassWord'), bits('password'))
  assert.equal(rarity('xx password xx', 3, 11), bits('password'))
  assert.equal(rarity('password', 3, 3), 0)
})
