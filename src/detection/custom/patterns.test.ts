import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCustomPattern } from './patterns.ts'

/** A pattern, the literals of which every match contains one, and texts that it matches. */
const rows: readonly (readonly [pattern: string, literals: readonly string[], ...matches: string[]])[] = [
  // One literal, and of several the longest.
  ['TICK-[0-9]{4,6}', ['TICK-'], 'TICK-1234'],
  ['\\bACME\\d+', ['ACME'], 'ACME7'],
  ['(?:foo){2}', ['foo'], 'foofoo'],
  ['ab.*longer', ['longer'], 'ab and longer'],
  ['longer.*ab', ['longer'], 'longer and ab'],
  // Alternatives count by the shortest of them, because one is as good as its weakest.
  ['foo|bar', ['foo', 'bar'], 'foo', 'bar'],
  ['(abcdef|de).*wxyz', ['wxyz'], 'abcdef wxyz', 'de wxyz'],
  ['(abcdef|uvwxyz)-[0-9]-xy', ['abcdef', 'uvwxyz'], 'abcdef-1-xy', 'uvwxyz-1-xy'],
  ['(foo|bar)-(alpha|beta)', ['alpha', 'beta'], 'foo-alpha', 'bar-beta'],
  ['ab|abc', ['ab'], 'ab', 'abc'],
  // What may be absent is not required.
  ['x?foo', ['foo'], 'foo', 'xfoo'],
  ['(foo)?bar', ['bar'], 'bar', 'foobar'],
  // The flag for any case counts for the whole pattern only if it comes first.
  ['(?i)Internal-[0-9]+', ['Internal-'], 'INTERNAL-1', 'internal-1'],
  ['foo(?i:bar)', ['foo'], 'fooBAR'],
  ['(?i:bar)[0-9]', [], 'BAR1'],
  // No literal, one of a single unit, beyond ASCII, or of one alternative only: the whole text is searched.
  ['[0-9]{8}', [], '12345678'],
  ['a[0-9]b', [], 'a1b'],
  ['ünder-[0-9]+', [], 'ünder-1'],
  ['é[0-9]+-proj', ['-proj'], 'é1-proj'],
  ['(abc|[0-9])x', [], 'abcx', '1x'],
  ['a|bcd', [], 'a', 'bcd']
]

for (const [pattern, literals, ...matches] of rows) {
  test(`${pattern} is searched for around ${literals.join(' and ') || 'nothing'}`, () => {
    const compiled = compileCustomPattern({
      id: 'one',
      pattern,
      group: 'secret',
      tier: 'medium',
      tests: { match: matches }
    })
    assert.deepEqual(compiled.literals, literals)
    if (literals.length === 0) return
    for (const match of matches) {
      assert.ok(
        literals.some((literal) => match.toLowerCase().includes(literal.toLowerCase())),
        match
      )
    }
  })
}

test('all matches in a window are found, however many there are', () => {
  const ids = Array.from({ length: 2000 }, (_, i) => `EMP-${10_000 + i}`).join('\n')
  const texts: readonly (readonly [pattern: string, text: string])[] = [
    ['EMP-[0-9]{5}', ids],
    ['[0-9]', ids],
    ['\\b[0-9]{2}\\b', '12 345 67 '.repeat(1500)],
    ['(?m)^[0-9]+$', '12\n34 \n56\n'.repeat(1500)],
    // Pairs, which a search from the wrong place would shift.
    ['xx', 'x'.repeat(15_001)],
    // Longer than a slice, behind many short ones.
    ['a[b-z]*', `${'a'.repeat(600)}a${'b'.repeat(3000)}a${'c'.repeat(600)}a`]
  ]
  for (const [pattern, text] of texts) {
    const compiled = compileCustomPattern({ id: 'one', pattern, group: 'secret', tier: 'medium' })
    const found: [number, number][] = []
    compiled.eachMatch(text, 0, text.length, (start, end) => found.push([start, end]))
    const re = pattern.startsWith('(?m)') ? new RegExp(pattern.slice(4), 'gm') : new RegExp(pattern, 'g')
    assert.deepEqual(
      found,
      [...text.matchAll(re)].map(({ 0: match, index }) => [index, index + match.length]),
      pattern
    )
  }
})
