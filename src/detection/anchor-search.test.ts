import assert from 'node:assert/strict'
import test from 'node:test'
import fc from '../../test/support/property.ts'
import { buildAnchorIndex, type AnchorIndex, type IndexOptions } from './anchor-index.ts'
import { AnchorSearch } from './anchor-search.ts'
import { TextBlock } from './text-block.ts'

/** All finds as `end:id`, in the order in which they are handed out; the text is read in blocks of some size. */
function search(index: AnchorIndex, text: string, blockUnits = 8192): string[] {
  const run = new AnchorSearch(index, text)
  const block = new TextBlock()
  const found: string[] = []
  for (let from = 0; from < text.length; from += blockUnits) {
    block.load(text, from, Math.min(text.length, from + blockUnits))
    run.read(block)
    while (run.next(block.to)) found.push(`${run.end}:${run.id}`)
  }
  return found
}

const finds = (literals: readonly string[], text: string, options?: IndexOptions, blockUnits?: number) =>
  search(buildAnchorIndex(literals, options), text, blockUnits)

function naive(literals: readonly string[], text: string): string[] {
  const lower = text.toLowerCase()
  const found: { end: number; id: number }[] = []
  literals.forEach((literal, id) => {
    for (let at = lower.indexOf(literal); at >= 0; at = lower.indexOf(literal, at + 1))
      found.push({ end: at + literal.length, id })
  })
  const units = (id: number) => (literals[id] as string).length
  return found.toSorted((a, b) => a.end - b.end || units(b.id) - units(a.id)).map(({ end, id }) => `${end}:${id}`)
}

test('finds every literal that a search for each would find, in order, however the text is cut', () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab1.xé_{'), minLength: 1, maxLength: 7 })
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'aAbB12.xéÉ_{—\u2013'), maxLength: 90 }),
      fc.integer({ min: 1, max: 30 }),
      (literals, text, blockUnits) => {
        assert.deepEqual(finds(literals, text, {}, blockUnits), naive(literals, text))
        const plain = finds(literals, text, { withNumbers: true, withSigns: true }, blockUnits)
        assert.deepEqual(
          plain.filter((find) => Number(find.split(':')[1]) < literals.length),
          naive(literals, text)
        )
      }
    )
  )
})

test('finds each of a thousand literals among all the others', () => {
  const literals = Array.from({ length: 1000 }, (_, i) => `q${(i * 7919).toString(36)}-key`)
  const index = buildAnchorIndex([...new Set(literals)])
  for (const literal of literals) assert.ok(search(index, `a${literal.toUpperCase()}a`).length > 0, literal)
})

test('tells of a run at its third digit only, and of a fourth dotted group, beside literals made of digits', () => {
  const ends = (text: string, literals: string[], id: number, blockUnits: number) =>
    finds(literals, text, { withNumbers: true }, blockUnits)
      .filter((find) => find.endsWith(`:${literals.length + id}`))
      .map((find) => Number(find.split(':')[0]))
  for (const literals of [['x'], ['12', '345', '1.2', '9345']])
    for (const blockUnits of [1, 5, 8192]) {
      assert.deepEqual(ends('12 123 12345678 1', literals, 0, blockUnits), [6, 10])
      assert.deepEqual(ends('123', literals, 0, blockUnits), [3])
      assert.deepEqual(ends('1.2.3 10.20.30.40 v1.2.3.4.5', literals, 1, blockUnits), [16, 26])
      assert.deepEqual(ends('1.2.3.4.5.6.7.8', literals, 1, blockUnits), [7, 15])
      assert.deepEqual(ends('1.2..3.4.5 1. 2.3.4', literals, 1, blockUnits), [])
    }
})

test('tells of signs and of no other character that looks like one to the table', () => {
  assert.deepEqual(finds(['é'], 'a\u200b \u03b1\u2019éÉ', { withSigns: true }), ['2:3', '5:3', '6:0', '7:0'])
})

test('refuses an empty literal', () => {
  assert.throws(() => buildAnchorIndex(['']), RangeError)
})
