/** Findings do not depend on whether there is WebAssembly, and no guard refuses what a matcher would accept. */
import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { createRandom } from '../../test/support/random.ts'
import { builtInDetectors } from './detectors/index.ts'
import { hostileTexts } from './hostile-texts.fixture.ts'
import { filler } from './sample-text.ts'
import { scanTexts, startWithoutMachine } from './without-machine.fixture.ts'

// One thread for all tests: a new one would load and compile the scanner again.
const withoutMachine = startWithoutMachine()
after(() => withoutMachine[Symbol.asyncDispose]())

/** Characters next to words, keys and names in texts of any sort. */
const neighbours = [
  '',
  ' ',
  '=',
  ': ',
  '"',
  "'",
  '\n',
  '\\n',
  '%3D',
  '_',
  '-',
  '.',
  '/',
  '(',
  'a',
  'Z',
  '9',
  's',
  'é',
  '=\u200b'
]
const values = [
  'Xq7#kR2vLp9w',
  '8f14e45fceea167a5a36dedd4bea2543',
  'is Zr4!kkPq81',
  '("Vb8kq2Lz0pW")',
  '+49 30 901820',
  '= ""'
]

/** Every hit of every detector, and every anchor, with random characters before and behind. */
function neighbourly(): string[] {
  const random = createRandom(5)
  const pick = (list: readonly string[]) => list[random.below(list.length)] as string
  return builtInDetectors.flatMap((detector) => [
    ...detector.hits().map((hit) => pick(neighbours) + hit + pick(neighbours)),
    ...detector.anchors.flatMap((anchor) => {
      if (!('literal' in anchor)) return []
      const word = random.below(3) === 0 ? anchor.literal.toUpperCase() : anchor.literal
      return [`x ${pick(neighbours)}${word}${pick(neighbours)}${pick(values)}${pick(neighbours)}`]
    })
  ])
}

async function assertSame(texts: readonly string[], apart = false): Promise<void> {
  const [here, there] = await Promise.all([scanTexts(texts, apart), withoutMachine.scan(texts, apart)])
  assert.deepEqual([here.hasMachine, there.hasMachine], [true, false])
  assert.ok(here.found.some((found) => found.length > 0))
  texts.forEach((text, i) => assert.deepEqual(here.found[i], there.found[i], JSON.stringify(text.slice(0, 200))))
}

test('finds the same in all hits and misses', () =>
  assertSame(builtInDetectors.flatMap((detector) => [...detector.hits(), ...detector.misses()])))

test('finds the same whatever surrounds an anchor', () => assertSame(neighbourly()))

/** Hits of detectors whose guards check what follows a name, with a random character at each of their places. */
function bent(): string[] {
  const random = createRandom(7)
  const bending = [...'"\'()[]{}<>=:;,.+-!?_ \n0é', '==', '=>']
  const asking = builtInDetectors.filter(({ anchors, group }) =>
    anchors.some((anchor) => 'literal' in anchor && anchor.guard !== undefined && group === 'secret')
  )
  return asking.flatMap((detector) =>
    detector
      .hits()
      .flatMap((hit) =>
        Array.from(
          { length: Math.min(hit.length, 120) },
          (_, at) => hit.slice(0, at) + bending[random.below(bending.length)] + hit.slice(at)
        )
      )
  )
}

test('finds the same in hits that were changed at any place', () => assertSame(bent(), true))

/** Names of secrets with a word behind them, and a value behind that. */
function worded(): string[] {
  const words = ['or', 'get', 'pic', 'type', 'is', 'should', 'string', 'belongs', 'of']
  const behind = [' ', ' = ', '=', '  = ', '\t= ', ' X(20) VALUE ', ' x VALUE ', '() = ', ': ', ', ', ' Type="x">']
  const given = [filler(24), `"${filler(24)}"`, "'Xq7#kR2vLp9w'"]
  const before = ['', 'the ', '<', '<ns:', '--', 'set ', 'set -x ', 'setenv ', 'ENV ', 'ARG ']
  let count = 0
  return words.flatMap((word) =>
    behind.flatMap((sign) =>
      given.flatMap((value) =>
        ['api_token', 'DB_PASSWORD'].map((name) => `${before[count++ % before.length]}${name} ${word}${sign}${value}\n`)
      )
    )
  )
}

test('finds the same behind words that follow a name', () => assertSame(worded(), true))

/** Numbers, words, lines and runs of digits in many surroundings, with hits among them. */
function numerous(): string[] {
  const random = createRandom(6)
  const pick = (list: readonly string[]) => list[random.below(list.length)] as string
  const hits = builtInDetectors.filter(({ group }) => group !== 'secret').flatMap((detector) => detector.hits())
  const pieces = [
    ...'1 12 123 4567 12345678 123456789 1763654400000 a Z a1b2 DE89 X1 ssn iban nif'.split(' '),
    ...neighbours
  ]
  const text = (count: number) =>
    Array.from({ length: count }, () =>
      random.below(8) === 0 ? pick(hits) : pick([...pieces, '+', '/', '\r\n'])
    ).join('')
  return [...Array.from({ length: 3000 }, () => text(random.below(24))), text(12_000)]
}

test('finds the same in digits of all sorts', () => assertSame(numerous()))

test('finds the same in texts that were made to be slow, and in all hits in one text', () =>
  assertSame([
    ...hostileTexts.map((text) => text.make(9000)),
    builtInDetectors.flatMap((one) => one.hits()).join('\n')
  ]))
