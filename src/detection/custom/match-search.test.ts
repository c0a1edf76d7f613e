import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RE2JS } from 're2js'
import { bytesLeftBy } from '../../../test/support/collections.ts'
import fc from '../../../test/support/property.ts'
import { countReads } from '../count-reads.fixture.ts'
import { createScanner } from '../scanner.ts'
import { MatchSearch } from './match-search.ts'
import { PatternProgram } from './pattern-program.ts'

function matchesOf(pattern: string, text: string, from = 0, to = text.length): string[] {
  const found: string[] = []
  new MatchSearch(new PatternProgram(RE2JS.compile(pattern))).eachMatch(text, from, to, (start, end) =>
    found.push(`${start}-${end}`)
  )
  return found
}

/** The matches that the library finds one by one. */
function matchesOneByOne(pattern: string, text: string): string[] {
  const matcher = RE2JS.compile(pattern).matcher(text)
  const found: string[] = []
  while (matcher.find()) if (matcher.end() > matcher.start()) found.push(`${matcher.start()}-${matcher.end()}`)
  return found
}

const atoms = [
  'a',
  'b',
  '[ab]',
  '[^a]',
  '.',
  '(?s:.)',
  '\\d',
  '\\w',
  '\\s',
  '\\pL',
  'é',
  '😀',
  '[😀-😂]',
  '(?i:k)',
  '(?i:é)'
]
const assertions = ['\\b', '\\B', '^', '$', '(?m:^)', '(?m:$)', '\\A', '\\z', '']
const counts = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?', '{2,}']
const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
  const inner = tie('pattern')
  return {
    pattern: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...atoms, ...atoms, ...assertions),
      fc.tuple(inner, inner).map(([one, two]) => one + two),
      fc.tuple(inner, inner).map(([one, two]) => `(${one}|${two})`),
      fc.tuple(inner, fc.constantFrom(...counts)).map(([one, count]) => `(?:${one})${count}`)
    )
  }
})
const text = fc.string({
  unit: fc.constantFrom(...'aab1 \n_zKkſéÉ', '\u212a', '😀', '😁', '\ud83d', '\ude00'),
  maxLength: 30
})

/** Two characters in an order that does not repeat. */
function mixture(one: string, other: string, units: number): string {
  let last = 1
  const next = (): number => (last = (Math.imul(last, 1_103_515_245) + 12_345) >>> 0)
  return Array.from({ length: units }, () => ((next() >> 16) & 1 ? one : other)).join('')
}

describe('all matches of a pattern', () => {
  it('are those that the library finds one by one', () => {
    let count = 0
    fc.assert(
      fc.property(pattern, text, (one, subject) => {
        const expected = matchesOneByOne(one, subject)
        count += expected.length
        assert.deepEqual(matchesOf(one, subject), expected)
      }),
      { numRuns: 1000 }
    )
    assert.ok(count > 500, `${count} matches`)
  })

  it('in a window are judged by what stands beside it', () => {
    const subject = 'one two three'
    assert.deepEqual(matchesOf('\\w+', subject, 5, 10), ['5-7', '8-10'])
    assert.deepEqual(matchesOf('\\b\\w+\\b', subject, 5, 10), [])
    assert.deepEqual(matchesOf('^\\w+|\\w+$', subject, 4, 7), [])
    assert.deepEqual(matchesOf('😀', 'a😀b', 1, 2), [])
    assert.deepEqual(matchesOf('.', 'a😀b', 2, 4), ['2-3', '3-4'])
  })

  it('are found however many states a pattern has', () => {
    // Of 4096 combinations of letters, each is a state of its own.
    const letters = mixture('a', 'b', 8000)
    const search = new MatchSearch(new PatternProgram(RE2JS.compile('[ab]{12}ab?')))
    // Also by a search that has forgotten its states.
    for (let windows = 0; windows < 2; windows++) {
      const found: string[] = []
      assert.ok(search.eachMatch(letters, 0, letters.length, (start, end) => found.push(`${start}-${end}`)) > 2 ** 17)
      assert.deepEqual(found, matchesOneByOne('[ab]{12}ab?', letters))
    }
    // More characters than are kept.
    const wide = String.fromCodePoint(...Array.from({ length: 2000 }, (_, i) => 0x10000 + ((i * 257) % 100_000)))
    assert.equal(matchesOf('\\pL|\\PL', wide).length, 2000)
  })

  it('leave few states behind, however many a window has', () => {
    // The state says which of the hundred characters behind a place are digits.
    const digits = mixture('a', '1', 16_000)
    const search = new MatchSearch(new PatternProgram(RE2JS.compile('x.{100}\\d')))
    const run = () => search.eachMatch(digits, 0, digits.length, () => assert.fail('there is no x'))
    const bytes = bytesLeftBy(() => assert.ok(run() > 500_000))
    assert.ok(bytes < 2 ** 20, `${bytes} bytes`)
    run()
  })

  it('are found in linear time, however far each search looks ahead', () => {
    const patterns = ['a(.*z)?', 'aa.*z|a', '[a-z]+(?:.*\\d)?', '\\w\\b|\\w.*!', '(?:x|[a-z] [a-z]*)(\\s.*z)?']
    for (const one of patterns) {
      const scanner = createScanner({ detectors: [], custom: [{ id: 'one', pattern: one, group: 'pii', tier: 'low' }] })
      for (const unit of ['a', 'a.', 'ab ', 'x']) {
        const subject = unit.repeat(20_000 / unit.length)
        const reads = countReads(() => scanner.scan(subject))
        assert.ok(
          reads <= 120 * subject.length,
          `${one} in ${unit}: ${(reads / subject.length).toFixed(1)} reads a unit`
        )
      }
    }
  })
})
