import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileArgumentPattern, PatternError, patternWeight } from './pattern.ts'

test('the weight of a pattern counts repeats', () => {
  const table: [pattern: string, weight: number][] = [
    ['abc', 3],
    ['a{10}', 10],
    ['(ab){10}c', 41],
    ['((a{10}){10}){10}', 1220],
    ['[a-z]{3,20}', 20],
    ['[]a{9}]{2}', 2],
    [String.raw`\d{5}\{6}`, 8],
    ['a{', 2],
    ['a{x}', 4],
    ['a{3,}', 3]
  ]
  for (const [pattern, weight] of table) assert.equal(patternWeight(pattern), weight, pattern)
})

test('a pattern that is not RE2, or too large, is refused before it costs anything', () => {
  const refused = [
    '(?=a)',
    String.raw`(a)\1`,
    '(',
    '',
    'x'.repeat(2001),
    '(a?){1000}'.repeat(150),
    '(.*){900}(.*){900}'
  ]
  for (const pattern of refused) assert.throws(() => compileArgumentPattern(pattern), PatternError)
})

test('a match of the whole text is told from a match within it', () => {
  const match = compileArgumentPattern('a|ab')
  assert.equal(match('ab'), 'whole')
  assert.equal(match('xab'), 'part')
  assert.equal(match('x'), 'none')
  assert.equal(compileArgumentPattern('(x+x+)+y')('x'.repeat(5000)), 'none')
})
