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
    ['api', 'live.', '0'.repeat(32)].join('')
  ])
    assert.deepEqual(scanner.scan(`TOKEN: ${key}\n`), [], key)
})

test('a key with a long run of one character is a key', () => {
  assert.ok(filled('x'.repeat(16)))
  assert.ok(filled('AAAAaaaaAAAAaaaa-'))
  assert.ok(!filled('x'.repeat(15)))
  assert.ok(!filled(`${'A'.repeat(22)}${filler(80)}`))
  assert.equal(createScanner().scan(`ghp_${'x'.repeat(12)}${filler(24)}`).length, 1)
})
