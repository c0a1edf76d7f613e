import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { isFilled } from './placeholders.ts'

const filled = (text: string): boolean => isFilled(text, 0, text.length)

test('a form of a key that is filled with one character is no key', () => {
  const scanner = createScanner()
  for (const key of [
    'ghp' + '_' + 'x'.repeat(36),
    'AK' + 'IA' + 'X'.repeat(16),
    ['glpat', 'X'.repeat(11), 'X'.repeat(8)].join('-'),
    ['github', 'pat', 'x'.repeat(22), 'x'.repeat(59)].join('_'),
    ['sntry', 'u_', 'a'.repeat(64)].join(''),
    ['api', 'live.', '0'.repeat(32)].join(''),
    'ghp_' + 'ab'.repeat(18),
    ['glpat', 'x'.repeat(8), 'x'.repeat(18) + '.' + 'x'.repeat(9)].join('-'),
    ['AK' + 'IA', 'I44QH8DHB', 'EXAMPLE'].join(''),
    ['sha256', 'X'.repeat(10) + '_PUT_YOUR_TOKEN_HERE_' + 'X'.repeat(12)].join('~'),
    ['xoxe.xoxp', '1', 'SlackAppConfigurationAccessTokenHere'].join('-')
  ])
    assert.deepEqual(scanner.scan(`TOKEN: ${key}\n`), [], key)
})

test('a value with a word of placeholders in base64 is none', () => {
  const scanner = createScanner()
  const inBase64 = (text: string): string => Buffer.from(text).toString('base64')
  for (const word of ['EXAMPLE', 'example'])
    for (const before of ['', 'q', 'qx'])
      assert.deepEqual(scanner.scan(`secret: ${inBase64(before + word + filler(30))}\n`), [], before + word)
  assert.equal(scanner.scan(`secret: ${inBase64(filler(36))}\n`).length, 1)
})

test('a long key with a word of placeholders is a key, unless the word is that of published samples', () => {
  const scanner = createScanner()
  const count = (word: string): number => scanner.scan(`secret: ${filler(24)}${word}${filler(24)}\n`).length
  for (const word of ['FaKe', 'xXxX', 'sample', '/example-corp/']) assert.equal(count(word), 1, word)
  assert.equal(count('EXAMPLE'), 0)
})

test('a key with a long run of one character is a key', () => {
  assert.ok(filled('x'.repeat(16)))
  assert.ok(filled('AAAAaaaaAAAAaaaa-'))
  assert.ok(!filled('x'.repeat(15)))
  assert.ok(!filled(`${'A'.repeat(22)}${filler(80)}`))
  assert.equal(createScanner().scan(`ghp_${'x'.repeat(12)}${filler(24)}`).length, 1)
})
