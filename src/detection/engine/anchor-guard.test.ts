import assert from 'node:assert/strict'
import test from 'node:test'
import type { Guard } from '../anchor-guard.ts'
import { searchIn } from './anchor-search.fixture.ts'
import { buildAnchorTables } from './anchor-tables.ts'
import { charSet, digitSet, letterSet } from '../text/chars.ts'
import { blockOfDepth } from './text-block.ts'
import { machineOf } from '../wasm/machine.ts'

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
  const guard: Guard = { beforeValue: 16 }
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

test('requires a long value behind a name, wherever it begins', () => {
  const guard: Guard = { beforeValue: 32 }
  const units = (gap: number, length: number) =>
    guarded('name', guard, `name${'.'.repeat(gap)}${'q7-'.repeat(20).slice(0, length)}. .`)
  for (let gap = 1; gap <= 63; gap++)
    assert.deepEqual(
      [31, 32, 40].map((length) => units(gap, length)),
      [0, 1, 1],
      `${gap} units behind`
    )
  assert.deepEqual([units(65, 32), units(65, 40)], [0, 0])
  assert.equal(guarded('name', guard, `name ${'q7-'.repeat(6)} ${'q7-'.repeat(6)}`), 0)
  // Of what stands behind the block, nothing is known.
  const early = (gap: number) => guarded('name', guard, `${' '.repeat(8192 - 4 - gap)}name${' .'.repeat(100)}`)
  assert.deepEqual([early(95), early(96)], [1, 0])
})
