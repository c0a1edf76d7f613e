import assert from 'node:assert/strict'
import test from 'node:test'
import { UnnamedCandidates } from './unnamed-candidates.ts'

/** The words found when a text is read in windows that begin at these places, as topic words trigger them. */
function wordsFrom(text: string, places: readonly number[]): string[] {
  const words = new UnnamedCandidates()
  const found = places.flatMap((from) => words.within(text, from, text.length, 1))
  return found.map(({ start, end }) => text.slice(start, end))
}

test('the limits of a word do not depend on where reading starts', () => {
  const short = 'lantern-'.repeat(10) + '47'
  const long = `${'a'.repeat(10)}1${'b'.repeat(50)}2${'c'.repeat(60)}`
  for (let from = 0; from < 65; from++) {
    assert.deepEqual(wordsFrom(`see ${short} now`, [from]), [short])
    assert.deepEqual(wordsFrom(`see ${long} now`, [from]), [])
  }
})

test('each word is reported once, wherever the next part begins', () => {
  const text = 'one violet8841 two amber4421 three'
  assert.deepEqual(wordsFrom(text, [0, 4, 10]), ['violet8841', 'amber4421'])
})
