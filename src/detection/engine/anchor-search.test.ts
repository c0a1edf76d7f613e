import assert from 'node:assert/strict'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import { buildAnchorIndex } from './anchor-index.ts'
import { LiteralList } from './literal-list.ts'
import { buildAnchorTables, type AnchorTables, type TableOptions } from './anchor-tables.ts'
import type { Guard } from './anchor-guard.ts'
import { AnchorSearch } from './anchor-search.ts'
import { charSet, digitSet, letterSet } from '../text/chars.ts'
import { blockOfDepth, TextBlock } from '../text/text-block.ts'
import { shapeKey } from '../numbers/number-run.ts'
import { digitRules } from '../wasm/digit-rules.ts'
import { asks } from '../wasm/digits-code.ts'
import { machineOf } from '../wasm/machine.ts'

/**
 * All finds as `end:id`, in the order in which they are returned, with and without the machine; the text is read in
 * blocks of a given size.
 */
function search(index: AnchorTables, text: string, blockUnits = 8192): string[] {
  const found = searchIn(blockOfDepth(0), index, text, blockUnits)
  assert.deepEqual(searchIn(new TextBlock(), index, text, blockUnits), found)
  return found
}

function searchIn(block: TextBlock, index: AnchorTables, text: string, blockUnits: number): string[] {
  const run = new AnchorSearch(index, text)
  const found: string[] = []
  for (let from = 0; from < text.length; from += blockUnits) {
    block.load(text, from, Math.min(text.length, from + blockUnits))
    run.read(block)
    while (run.next(block.to)) found.push(`${run.end}:${run.id}`)
  }
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

/** The finds of one literal with a guard, by the machine alone: without it guards are not checked. */
function guarded(literal: string, guard: Guard, text: string): number {
  const index = buildAnchorTables([literal], { forMachine: true, guards: [guard] })
  return searchIn(blockOfDepth(0), index, text, 8192).length
}

test('checks what surrounds a literal, and accepts what it cannot see', () => {
  assert.ok(machineOf())
  const word: Guard = { notBefore: letterSet, orCapital: true, notBehind: charSet('a-z') }
  const counts = (guard: Guard, texts: readonly string[]) => texts.map((text) => guarded('key', guard, `. . ${text} .`))
  assert.deepEqual(
    counts(word, [' key', 'akey', 'AKey', 'aKey', '\\nkey', '%3Akey', 'keys', 'keyS', 'key1']),
    [1, 0, 0, 1, 1, 1, 0, 1, 1]
  )
  const digits: Guard = { behind: digitSet, behindUnits: 3 }
  assert.deepEqual(counts(digits, ['key123', 'key12', 'key12x', 'key1234']), [1, 0, 0, 1])
  const name: Guard = { behindName: [[charSet(':')], [charSet('('), charSet('"')]] }
  assert.deepEqual(
    counts(name, ['key:', 'key_name-2:', 'key =', 'key("', "key('", 'keyé', 'key.']),
    [1, 1, 0, 1, 0, 1, 0]
  )
  assert.deepEqual(
    [
      guarded('key', word, 'akey'),
      guarded('key', digits, 'a key12'),
      guarded('key', name, `${' '.repeat(8188)}key: x`),
      guarded('key', name, `key${'a'.repeat(60)}.`)
    ],
    [1, 1, 1, 1]
  )
})

test('has 32 pairs behind names, and refuses more', () => {
  assert.ok(machineOf())
  const signs = Array.from(
    { length: 33 },
    (_, i) => '!#$%&()*+,./:;<=>?@[]^`{|}~'.charAt(i % 11) + '!#$'.charAt(i / 11)
  )
  const guards = signs.map((pair): Guard => ({ behindName: [[charSet(pair.charAt(0)), charSet(pair.charAt(1))]] }))
  const words = guards.map((_, i) => `key${String.fromCharCode(97 + (i % 26))}${i > 25 ? 'x' : 'y'}`)
  const build = (count: number) =>
    buildAnchorTables(words.slice(0, count), { forMachine: true, guards: guards.slice(0, count) })
  const index = build(32)
  const found = (shift: number) =>
    words.slice(0, 32).map((word, i) => {
      const text = `. . ${word}_${'x'.repeat(i)}${signs[(i + shift) % 32] as string} .`
      return searchIn(blockOfDepth(0), index, text, 8192).length
    })
  assert.deepEqual(found(0), Array(32).fill(1))
  assert.deepEqual(found(1), Array(32).fill(0))
  assert.throws(() => build(33), RangeError)
  // Pairs of the same characters are one.
  const again = guards.map(({ behindName }): Guard => ({
    behindName: behindName!.map(([a, b]) => [a.slice(), b!.slice()])
  }))
  const twice = { forMachine: true, guards: [...guards.slice(0, 32), ...again.slice(0, 32)] }
  assert.equal(buildAnchorTables([...words.slice(0, 32), ...words.slice(0, 32)], twice).plain.index.count, 64)
})

test('refuses a word behind a name that is not in the list, unless something else says that a value follows', () => {
  const guard: Guard = { behindName: [[charSet(' :')]], wordsBehind: ['is', 'lautet', 'should'] }
  const count = (text: string) => guarded('key', guard, `${'. '.repeat(12)}${text}${' .'.repeat(20)}`)
  const refused = [
    'key of it',
    'key: key was',
    'key_name-2 of it',
    'the key lautlos ist',
    'key of, it',
    'key of.',
    'key of\n'
  ]
  assert.deepEqual(refused.map(count), [0, 1, 0, 0, 0, 0, 0])
  const listed = ['key is it', 'my_key lautet it', 'key should.', 'KEY is, it']
  assert.deepEqual(listed.map(count), [1, 1, 1, 1])
  const noWords = [
    'key  of',
    'key Of it',
    'key of=',
    'key of =',
    'key of  it',
    'key of() it',
    'key of1 it',
    'key o.f it',
    'key é'
  ]
  assert.deepEqual(
    noWords.map(count),
    noWords.map(() => 1)
  )
  assert.equal(count(`key ${'a'.repeat(15)} it`), 0)
  assert.equal(count(`key ${'a'.repeat(16)} it`), 1)
  const before = [
    '--key of it',
    '<key of it',
    '<ns:key of it',
    'ENV a_key of it',
    'set key of it',
    'set -gx key of it',
    'setenv key of it'
  ]
  assert.deepEqual(
    before.map(count),
    before.map(() => 1)
  )
  assert.deepEqual(['reset: key of it', 'sets key of it', 'a-key of it'].map(count), [0, 0, 0])
  // What is outside of the block is not known, but nothing is outside of the text.
  assert.deepEqual(
    ['key of', 'key of it', `${' '.repeat(8175)}key of it${' .'.repeat(20)}`].map((text) =>
      guarded('key', guard, text)
    ),
    [1, 0, 1]
  )
})

test('has room for eight lists of words, and refuses more', () => {
  assert.ok(machineOf())
  const build = (count: number) => {
    const guards = Array.from({ length: count }, (_, i): Guard => ({
      behindName: [[charSet(' ')]],
      wordsBehind: [`of${i}`]
    }))
    return buildAnchorTables(
      guards.map((_, i) => `word${i}`),
      { forMachine: true, guards }
    )
  }
  assert.equal(build(8).plain.index.count, 8)
  assert.throws(() => build(9), RangeError)
})

test('checks whether a bracket may contain a string, as far as it sees', () => {
  const call: Guard = { behindName: [[charSet('({')]], holdsText: true }
  const count = (text: string, guard = call, word = 'key') => guarded(word, guard, `. . ${text} ${'. '.repeat(30)}`)
  assert.deepEqual(
    [
      'key(a, b)',
      'keyOf()',
      'key{a; "b"}',
      'key(a[i])',
      'key(a, "b")',
      "key('",
      'key(\\"b',
      'key(`',
      'keys{x: (y)'
    ].map((text) => count(text)),
    [0, 0, 0, 1, 1, 1, 1, 1, 1]
  )
  assert.deepEqual(
    [30, 31, 32].map((units) => count(`key(${'a'.repeat(units)})`)),
    [0, 0, 1]
  )
  // Where it is no bracket, and behind the block, nothing is asked.
  assert.equal(count('key = a)', { behindName: [[charSet(' ')]], holdsText: true }), 1)
  assert.equal(guarded('key', call, '. . key(a)'), 1)
  const member: Guard = { holdsText: true }
  assert.deepEqual(
    ['.key(a)', '.key("a")'].map((text) => count(text, member, '.key(')),
    [0, 1]
  )
})

test('requires a digit near a literal, within its block and at the ends of the text', () => {
  const near: Guard = { nearDigit: true }
  const words = (units: number) => 'ab '.repeat(units / 3)
  const texts = [
    `${words(600)}key ${words(600)}`,
    `key ${words(600)}`,
    `${words(600)}key`,
    'a key b',
    `${words(300)}7${words(189)}key ${words(300)}`,
    `${words(300)}7${words(210)}key ${words(300)}`,
    `${words(300)}key ${words(201)}7${words(300)}`,
    `${words(300)}key ${words(225)}7${words(300)}`,
    'a key 7',
    '7 key b'
  ]
  assert.deepEqual(
    texts.map((text) => guarded('key', near, text)),
    [0, 0, 0, 0, 1, 0, 1, 0, 1, 1]
  )
  // Across the end of a block nothing is known.
  assert.deepEqual(
    [7900, 8100, 8280, 8500].map((units) => guarded('key', near, `${'x '.repeat(units / 2)}key ${words(600)}`)),
    [0, 1, 1, 0]
  )
})

test('requires a value behind a name, as far away as one may begin', () => {
  const guard: Guard = { beforeValue: true }
  const value = 'q7-'.repeat(6)
  const found = (behind: string) => guarded('name', guard, `name ${behind}`)
  assert.deepEqual([`= ${value}`, `${'. '.repeat(30)}${value}`, `${'. '.repeat(32)}${value}`].map(found), [1, 1, 0])
  assert.deepEqual(
    ['short words only', value.slice(0, 15), `${value.slice(0, 15)} x`, 'é'.repeat(40)].map(found),
    [0, 0, 0, 0]
  )
  // What stands behind the block is not known.
  assert.equal(guarded('name', guard, `${' '.repeat(8180)}name .${' .'.repeat(40)}`), 1)
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
