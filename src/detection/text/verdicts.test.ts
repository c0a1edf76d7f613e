import assert from 'node:assert/strict'
import test from 'node:test'
import { createRandom } from '../../../test/support/random.ts'
import { Verdicts } from './verdicts.ts'

const isEven = (text: string, start: number, end: number): boolean => (text.charCodeAt(start) + end) % 2 === 0

test('a verdict does not depend on what was asked before', () => {
  const random = createRandom(7)
  const texts = Array.from({ length: 3 }, () => random.text('abcdef', 300))
  const verdicts = new Verdicts(isEven)
  for (let round = 0; round < 20_000; round++) {
    const number = random.below(4)
    const text = texts[number % 3] as string
    const start = random.below(text.length)
    const end = start + random.below(4)
    assert.equal(verdicts.of(text, start, end, number), isEven(text, start, end))
  }
})

test('a word to which several names lead is judged once', () => {
  let judged = 0
  const verdicts = new Verdicts(() => ++judged > 0)
  for (let name = 0; name < 100; name++)
    for (let word = name; word < name + 8; word++) verdicts.of('', word * 7, word * 7 + 5, 1)
  assert.equal(judged, 107)
})
