/** A scan pauses whatever the text is, at its end as well. Work is counted, not timed; see `count-reads.fixture.ts`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countReads } from './count-reads.fixture.ts'
import { builtInDetectors } from './detectors/index.ts'
import type { ScanHint } from './findings.ts'
import { hostileTexts } from './hostile-texts.fixture.ts'
import { filler } from './sample-text.ts'
import { createScanner } from './scanner.ts'
import { blockUnits } from './engine/text-block.ts'
import { luhnOf } from './validators/digits.ts'

const scanner = createScanner()

/**
 * A step of as many units as a block has. The first block of a process is read in one go, a unit of it 30 times in these
 * texts; later blocks, and the texts within them, only so far as the step allows.
 */
const readsMax = 40 * blockUnits
/** The signs of texts within a text in a block are looked at in one go. */
const signReadsMax = 150 * blockUnits

/** The most reads of a step, and the number of steps. */
function readsOf(text: string, hint?: ScanHint) {
  // Some tables are built when they are first needed.
  scanner.scan(text.slice(0, 2 * blockUnits), scanner.createMemory(), hint)
  const run = scanner.begin(text, scanner.createMemory(), hint)
  const reads: number[] = []
  const ended: boolean[] = []
  while (ended.at(-1) !== true) reads.push(countReads(() => ended.push(run.step(blockUnits))))
  assert.equal(
    countReads(() => run.findings()),
    0,
    'nothing is left for the end'
  )
  return { most: Math.max(...reads), steps: reads.length, run }
}

const repeated = (unit: string, units: number): string => unit.repeat(Math.ceil(units / unit.length))
const hitOf = (id: string): string => builtInDetectors.find((one) => one.id === id)?.hits()[0] ?? ''
const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('')
/** A number of cards that only its check digit tells from others. */
const card = (at: number): string =>
  Array.from('0123456789', (digit) => `4532${20_000_000_000 + 7919 * at}${digit}`).find(luhnOf) ?? ''
const password = (at: number): string => `password="${filler(14, undefined, 1 + at)}"\n`

describe('no step reads more than a bounded number of units', () => {
  const texts: Record<string, string> = {
    'findings whose rest is looked for': repeated(`${hitOf('compared_secret')}\n`, 200_000),
    'keys in a list': repeated(`${hitOf('azure_listed_key')}\n`, 200_000),
    'passwords, all different': numbered(6000, password),
    'values that are remembered':
      numbered(3000, password) + numbered(12_000, (at) => `${filler(14, undefined, 1 + (at % 3000))} `),
    'a text in base64': btoa(numbered(4000, password)),
    'a text in a string': JSON.stringify(JSON.stringify(numbered(4000, password))),
    'strings in strings': numbered(200, (at) => `${JSON.stringify(JSON.stringify(password(at).repeat(20)))}\n`),
    'percent-encoding': numbered(2000, (at) => encodeURIComponent(password(at))),
    'numbers on the lines of a listing': numbered(8000, (at) => `${1 + at}\t${card(at)}\n`),
    'letters of full width': numbered(3000, (at) => `ｐａｓｓｗｏｒｄ＝"${filler(14, undefined, 1 + at)}" `),
    'escapes, paragraphs and signs over each other': numbered(
      600,
      (at) => `User Id=app;Password=${filler(6, undefined, 1 + at)};\\\\"<br>tax no&quot;":"cvv\u202e`
    ),
    'columns of a long table':
      'id,password,phone,token,dob\n' +
      numbered(4000, (at) => `row,${filler(9, undefined, 1 + at)},a remark that is longer than the others,none,none\n`),
    'quotes in a long table that close no cell': `phone;dob\n${repeated('"1;2\n3";4\n"5;6\n', 200_000)}`,
    'a long table beside bank codes without an account': `sort code,account\n${repeated('33-21-50,none of the accounts that were open\n', 400_000)}`,
    'hidden characters': numbered(3000, (at) => `pass\u200bword="${filler(14, undefined, 1 + at)}" `)
  }
  for (const [name, text] of Object.entries(texts)) {
    it(name, () => {
      const { most, steps, run } = readsOf(text)
      assert.ok(most <= readsMax, `${most} reads in one step`)
      assert.ok(steps > text.length / blockUnits)
      assert.deepEqual(run.findings(), scanner.scan(text, scanner.createMemory()))
    })
  }
  for (const id of ['"\\\\\\"" repeated', '"<br" repeated', '"\\\\n\\"," repeated'])
    it(id, () => {
      const text = hostileTexts.find(({ name }) => name === id)?.make(100_000)
      assert.ok(text)
      const { most } = readsOf(text)
      assert.ok(most <= signReadsMax, `${most} reads in one step`)
    })
})

it('a text is read in steps behind the name of its field as well', () => {
  const hint = { key: 'password' }
  const text = numbered(80, (at) => `\\n\\"password${at}\\": \\"a&#x41;<br>%20b${at}\\"`)
  const alone = readsOf(text)
  const behind = readsOf(text, hint)
  assert.ok(behind.most < 1.5 * alone.most, `${behind.most} reads in one step, and ${alone.most} without the name`)
  assert.deepEqual(behind.run.findings(), scanner.scan(text, scanner.createMemory(), hint))
})

it('work grows with what is found', () => {
  const workOf = (text: string): number => {
    const run = scanner.begin(text)
    run.step(Infinity)
    return run.work
  }
  assert.ok(workOf(repeated(`${hitOf('bearer_token')}\n`, 50_000)) > 2 * workOf(repeated('plain words ', 50_000)))
})

it('steps may be a fraction of a unit', () => {
  const text = numbered(400, password)
  for (const one of [scanner, scanner.recaller]) {
    const memory = scanner.createMemory()
    scanner.scan(password(3), memory)
    const run = one.begin(text, memory)
    while (!run.step(1000.5));
    const whole = scanner.createMemory()
    scanner.scan(password(3), whole)
    assert.deepEqual(run.findings(), one.scan(text, whole))
  }
})
