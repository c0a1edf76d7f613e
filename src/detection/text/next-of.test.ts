import assert from 'node:assert/strict'
import test from 'node:test'
import { createRandom } from '../../../test/support/random.ts'
import { charSet } from './chars.ts'
import { NextOf } from './next-of.ts'

test('finds the next character of a set from any place in any text', () => {
  const random = createRandom(9)
  const texts = Array.from({ length: 3 }, () => random.text('aaaaaaaaaa;; é', 400))
  const ascii = new NextOf(charSet(';'))
  const all = new NextOf(charSet(';'), 'inOrBeyond')
  const others = new NextOf(charSet('a'), 'notIn')
  const doubled = new NextOf(charSet(';'), 'in', (text, at) => text.charAt(at + 1) === ';')
  for (let round = 0; round < 20_000; round++) {
    const number = random.below(4)
    const text = texts[number % 3] as string
    const from = random.below(text.length)
    const limit = Math.min(text.length, from + random.below(64))
    const wanted = (...signs: readonly string[]) => {
      const at = [...text.slice(from, limit)].findIndex((one) => signs.includes(one))
      return at < 0 ? limit : from + at
    }
    assert.equal(ascii.at(text, from, limit, number), wanted(';'))
    assert.equal(all.at(text, from, limit, number), wanted(';', 'é'))
    assert.equal(others.at(text, from, limit, number), wanted(';', 'é', ' '))
    assert.equal(doubled.at(text, from, limit, number), wantedPair(text, from, limit))
  }
})

/** Where two semicolons begin. */
function wantedPair(text: string, from: number, limit: number): number {
  const at = text.slice(from, limit + 1).indexOf(';;')
  return at < 0 || from + at >= limit ? limit : from + at
}

test('does not read again what it has read', () => {
  let reads = 0
  const text = { charCodeAt: () => (reads++, 97) } as unknown as string
  const next = new NextOf(charSet(';'))
  for (let from = 0; from < 1000; from += 4) assert.equal(next.at(text, from, from + 128, 1), from + 128)
  assert.ok(reads < 1200)
})

test('does not read again what it has read, for questions that go back a little', () => {
  let reads = 0
  const text = { charCodeAt: () => (reads++, 97) } as unknown as string
  const next = new NextOf(charSet(';'))
  for (let from = 8; from < 1000; from += 8) {
    assert.equal(next.at(text, from, from + 128, 1), from + 128)
    assert.equal(next.at(text, from - 4, from + 124, 1), from + 124)
  }
  assert.ok(reads < 1200)
})
