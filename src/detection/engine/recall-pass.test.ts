import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { createScanner } from '../scanner.ts'
import { blockUnits } from './text-block.ts'

const scanner = createScanner()
const values = ['qzv-81', 'Kd93.mWq/7', 'blue heron 52', 'zz-topp-99-x', 'Grüße-Bär'].map((value) => `${value}xkw`)
const piece = fc.oneof(
  fc.constantFrom(...values),
  fc.constantFrom(...values).map((value) => value.replaceAll(/[-./ ]/g, '')),
  fc.string({ unit: fc.constantFrom(...'ab1 -./\n"é'), maxLength: 12 }),
  fc.nat({ max: 2 * blockUnits }).map((units) => 'word '.repeat(units / 5))
)
const texts = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(' '))

/** The memory of a request in which these values were stated. */
function memoryOf(told: readonly string[]) {
  const memory = scanner.createMemory()
  for (const value of told) {
    const text = `my password: "${value}"`
    const [finding] = scanner.scan(text, memory)
    if (finding) memory.remember(text, finding)
  }
  return memory
}

test('in a text without findings of its own, a recaller finds what a scan finds, at once and in steps', () => {
  let clean = 0
  let found = 0
  fc.assert(
    fc.property(texts, fc.subarray(values), fc.nat({ max: 40_000 }), (text, told, units) => {
      if (scanner.scan(text).length > 0) return
      clean++
      const whole = scanner.scan(text, memoryOf(told))
      found += whole.length
      assert.deepEqual(scanner.recaller.scan(text, memoryOf(told)), whole)
      const run = scanner.recaller.begin(text, memoryOf(told))
      while (!run.step(units));
      assert.deepEqual(run.findings(), whole)
    }),
    { numRuns: 300 }
  )
  assert.ok(clean > 100 && found > 100, `${clean} texts, ${found} finds`)
})

test('a recaller finds nothing but remembered values', () => {
  const key = ['AK', 'IA', 'QX5ZPL3M7RVT2KWD'].join('')
  assert.equal(scanner.scan(key).length, 1)
  assert.deepEqual(scanner.recaller.scan(key, memoryOf(values)), [])
  assert.deepEqual(scanner.recaller.scan(key), [])
  assert.equal(scanner.recaller.recaller, scanner.recaller)
})

test('a text read by a recaller counts as scanned, so its values are known in later ones', () => {
  const memory = scanner.createMemory()
  const first = 'qzv-81xkw and qzv-81xkw'
  const like = scanner.scan('my password: "qzv-81xkw"')[0]
  assert.ok(like)
  scanner.recaller.scan(first, memory)
  memory.remember(first, { ...like, start: 0, end: 9 })
  assert.equal(scanner.recaller.scan('qzv-81xkw', memory).length, 1)
})
