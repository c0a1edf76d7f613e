import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RE2JS } from 're2js'
import fc from '../../test/support/property.ts'
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
    ['a{3,}', 3],
    [String.raw`\x{2028}\p{Greek}{3}`, 4],
    [String.raw`\Q[(\E{3}`, 4],
    ['(ab)(?i){3}', 12],
    [String.raw`[\]{9}[:digit:]{9}]{2}`, 2]
  ]
  for (const [pattern, weight] of table) assert.equal(patternWeight(pattern), weight, pattern)
})

/** What ends, hides or repeats other parts: whoever takes one for another weighs the wrong part. */
const parts = fc.constantFrom(
  ...[
    'a',
    'bc',
    '(',
    '(?:',
    ')',
    '|',
    '(?i)',
    '(?i-s:',
    '[',
    '[^',
    ']',
    '[:alpha:]',
    '[a-f]',
    ':]',
    '-',
    '^',
    '.',
    '*',
    '?'
  ],
  ...[
    '+',
    '*?',
    '{3}',
    '{2,5}',
    '{4,}',
    '{20}',
    '{',
    '}',
    '\\Q',
    '\\E',
    '\\(',
    '\\]',
    '\\[',
    '\\\\',
    '\\x{41}',
    '\\pL',
    '\\d'
  ]
)

test('no pattern compiles to more than twice its weight', () => {
  let compiled = 0
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 12 }), (list) => {
      const pattern = list.join('')
      const size = programSize(pattern)
      if (size === undefined) return
      compiled++
      assert.ok(size <= 2 * patternWeight(pattern) + 4, pattern)
    }),
    { numRuns: 10_000 }
  )
  assert.ok(compiled > 1000, `${compiled}`)
})

function programSize(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch {
    return undefined
  }
}

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
