import assert from 'node:assert/strict'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import { buildAnchorIndex } from './anchor-index.ts'
import { LiteralList } from './literal-list.ts'
import { buildAnchorTables, type AnchorTables, type TableOptions } from './anchor-tables.ts'
import { searchIn } from './anchor-search.fixture.ts'
import { charSet } from '../text/chars.ts'
import { blockOfDepth, TextBlock } from './text-block.ts'
import { shapeKey } from '../numbers/number-run.ts'
import { digitRules } from '../wasm/digit-rules.ts'
import { asks } from '../wasm/digits-layout.ts'

/**
 * All finds as `end:id`, in the order in which they are returned, with and without the machine; the text is read in
 * blocks of a given size.
 */
function search(index: AnchorTables, text: string, blockUnits = 8192): string[] {
  const found = searchIn(blockOfDepth(0), index, text, blockUnits)
  assert.deepEqual(searchIn(new TextBlock(), index, text, blockUnits), found)
  return found
}

const finds = (literals: readonly string[], text: string, options?: TableOptions, blockUnits?: number) =>
  search(buildAnchorTables(literals, { forMachine: true, ...options }), text, blockUnits)

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

test('finds every literal that a search for each would find, in order, however the text is divided', () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab1.xé_{密п'), minLength: 1, maxLength: 7 })
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...'aAbB12.xéÉ_{—\u2013密пПŨ'), maxLength: 90 }),
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
  const index = buildAnchorTables([...new Set(literals)], { forMachine: true })
  for (const literal of literals) assert.ok(search(index, `a${literal.toUpperCase()}a`).length > 0, literal)
})

test('tells long literals apart wherever they differ', () => {
  const word = 'quince-and-walnut-cake'
  const literals = Array.from(word, (_, i) => `${word.slice(0, i)}_${word.slice(i + 1)}`)
  const index = buildAnchorTables([word, ...literals], { forMachine: true })
  for (const [i, text] of [word, ...literals].entries())
    assert.deepEqual(search(index, `a ${text.toUpperCase()} a`), [`${2 + word.length}:${i}`])
  assert.deepEqual(search(index, `a quince-and-walnut+cake a`), [])
})

test('reports a run at its third digit only, and a fourth dotted group, next to literals of digits', () => {
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

test('reports signs, and no other character of the same class', () => {
  assert.deepEqual(finds(['é'], 'a\u200b \u03b1\u2019éÉ', { withSigns: true }), ['2:3', '5:3', '6:0', '7:0'])
})

test('finds more in one block than one call of the machine returns', () => {
  const text = 'abab'.repeat(2048)
  assert.equal(finds(['a', 'ab', 'b', 'aba'], text).length, 4096 * 3 + 4095)
})

test('distinguishes spellings of a literal whose case matters', () => {
  const cases = ['Key', undefined, 'KEY']
  assert.deepEqual(finds(['key', 'key', 'key'], 'key Key KEY kEy', { cases }), [
    '3:1',
    '7:0',
    '7:1',
    '11:1',
    '11:2',
    '15:1'
  ])
})

test('searches with any number of tables, however much memory they have', () => {
  const indexes = Array.from({ length: 60 }, (_, i) => buildAnchorTables([`word${i}x`], { forMachine: true }))
  const text = indexes.map((_, i) => `word${i}x`).join(' ')
  for (let round = 0; round < 2; round++) for (const index of indexes) assert.equal(search(index, text).length, 1)
})

test('reports what a run of digits may be, and no run that triggers nothing', () => {
  const digits = digitRules({
    runs: Array.from({ length: 21 }, (_, length) =>
      length === 4 ? [{ always: false, before: charSet('#'), beforeThat: charSet('x'), after: charSet('%') }] : []
    ),
    shapes: [9, shapeKey('3-2-4')],
    words: Array.from({ length: 41 }, (_, length) =>
      length === 6 ? [0b110111, 0b001000] : length === 24 ? [-1, -1] : []
    ),
    line: charSet('0-9', ' ')
  })
  const index = buildAnchorTables(['x'], { forMachine: true, withNumbers: true, digitRules: digits })
  const asked = (text: string) =>
    searchIn(blockOfDepth(0), index, `, ${text}, `, 8192).flatMap((find): (number | string)[] => {
      const id = Number(find.split(':')[1])
      return id === index.runId ? ['all'] : id > index.signId ? [id - index.signId] : []
    })
  const { run, number, word, line } = asks
  assert.deepEqual(
    [
      'x#1234',
      '#1234',
      '1234%',
      '12345%',
      '123-45-6789',
      '123-45-678',
      '123-45-6789-1',
      '123456789',
      '0.123456789'
    ].map(asked),
    [[run], [], [run], [], [number], [], [], [number], []]
  )
  assert.deepEqual(['123a45', '12a345', '123a456', '\\n123456789'].map(asked), [[word], [], [], [number]])
  const long = (letters: string) => asked(`123${letters.padEnd(21, 'a')}`)
  assert.deepEqual([long('ABC'), long('AB'), long('')], [[word], [], []])
  assert.deepEqual(['\n12 345\n', '\n12-345\n', 'é\n123 456\r\n'].map(asked), [[line], [], [line]])
  // What leaves the block is not known.
  const far = searchIn(blockOfDepth(0), index, `${'. '.repeat(4080)}12345 ${'. '.repeat(60)}`, 8192)
  assert.deepEqual(far, [`8163:${index.signId + asks.any}`])
  // Nor is what began in the previous block.
  for (let before = 190; before <= 201; before++) {
    const text = `${', '.repeat(101).slice(0, before)}123456789${', '.repeat(150)}`
    const ends = searchIn(blockOfDepth(0), index, text, 200).map((find) => Number(find.split(':')[0]))
    assert.deepEqual(ends, [before + 3], `${before}`)
  }
})

test('finds literals beyond ASCII wherever blocks divide them, and all of them', () => {
  const literals = ['qxz word é', 'é word qxz', 'qxz é word', 'dé', 'plain']
  for (const literal of literals) {
    for (let before = 185; before <= 203; before++) {
      const text = 'a '.repeat(100).slice(0, before) + literal + ' a'.repeat(200)
      assert.deepEqual(
        finds([...literals, 'q'], text, {}, 200),
        naive([...literals, 'q'], text),
        `${literal} ${before}`
      )
    }
    for (const gap of [0, 1, 9, 10, 11, 12, 19, 20, 21, 60]) {
      const text = `${'.'.repeat(gap)}${literal}`.repeat(60)
      assert.deepEqual(finds([...literals, 'q'], text, {}, 200), naive([...literals, 'q'], text), `${literal} ${gap}`)
    }
  }
})

test('characters that no literal contains have a class without literals', () => {
  const list = new LiteralList()
  for (const literal of ['ab', 'é', 'word']) list.add(literal)
  const { placeOf, marks, classOf } = buildAnchorIndex(list)
  assert.equal(classOf[42], 0)
  assert.equal(placeOf[0], 0)
  assert.equal((marks[0] as number) & 1, 0)
})

test('refuses an empty literal', () => {
  assert.throws(() => buildAnchorTables(['']), RangeError)
})
