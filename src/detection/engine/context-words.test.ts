import assert from 'node:assert/strict'
import test from 'node:test'
import { compileContextWords, ContextLookup } from './context-words.ts'
import type { Detector } from '../detector.ts'

const withWords = (context: string[]) => ({ context }) as unknown as Detector

function lookup(): (text: string, at: number, detector: number, unitsMax?: number) => boolean {
  const words = new ContextLookup(compileContextWords([withWords(['ssn', 'sécu']), withWords(['card number'])]))
  let last = ''
  let number = 1
  return (text, at, detector, unitsMax = 30) => {
    if (text !== last) number++
    last = text
    return words.near(text, number, at, detector, unitsMax)
  }
}

test('a context word counts for its detectors, within its reach', () => {
  const near = lookup()
  const text = `my ssn ${'.'.repeat(40)} card_number: 1`
  assert.ok(near(text, 7, 0))
  assert.ok(!near(text, 7, 1))
  assert.ok(near(text, text.length - 1, 1))
  assert.ok(!near(text, text.length - 1, 0))
  assert.ok(near(text, text.length - 1, 0, 64))
})

test('places can be looked up in any order', () => {
  const text = Array.from(
    { length: 400 },
    (_, i) => ['ssn ', 'sécu=', 'card number ', '12 345 '][((i * i) % 7) % 4]
  ).join('')
  const inOrder = lookup()
  const places = Array.from({ length: text.length }, (_, i) => i)
  const wanted = places.map((at) => [inOrder(text, at, 0), inOrder(text, at, 1)])
  const jumping = lookup()
  for (let i = 0; i < places.length; i++) {
    const at = (i * 7919) % text.length
    assert.deepEqual([jumping(text, at, 0), jumping(text, at, 1)], wanted[at], `at ${at}`)
  }
})

test('the nearest word counts, whichever script a farther one is in', () => {
  const near = lookup()
  const text = `sécu ${'.'.repeat(40)} ssn: 1`
  assert.ok(near(text, text.length - 1, 0))
})

test('the answer for one text is not reused for another', () => {
  const near = lookup()
  assert.ok(near('ssn 1', 4, 0))
  assert.ok(!near('abc 1', 4, 0))
})

test('a short word within a random token does not count', () => {
  const near = lookup()
  for (const text of ['reqId y6ql4sSN,', 'id BvqSsnZl,', 'trace 9cSSN12ab,', 'id x9ssn,', 'a SSN4f,', 'strain SSN033]'])
    assert.ok(!near(text, text.length, 0), text)
  for (const text of ['ssn2,', 'SSN536-22,', 'ssn536228726,', 'userSSN ', 'ssnNumber', 'customer_ssn ', 'Ssn:'])
    assert.ok(near(text, text.length, 0), text)
})

test('a word that is only the subject of a quantity does not count', () => {
  const near = lookup()
  for (const text of ['ssn_count: ', 'ssnHash = ', '"ssn-length": ', 'SSN total ', 'ssn score: '])
    assert.ok(!near(text, text.length, 0), text)
  for (const text of ['ssn_number: ', 'ssnHashed = ', 'ssn: count ', 'total ssn ', 'ssn accounts '])
    assert.ok(near(text, text.length, 0), text)
})

test('after a lookup it is known which detectors listen to none of the words present', () => {
  const words = new ContextLookup(compileContextWords([withWords(['ssn', 'sécu']), withWords(['card number'])]))
  for (const [number, text] of ['my ssn 1', 'my sécu 1', 'card number 1'].entries()) {
    assert.ok(words.any(text, number + 1, text.length - 1), text)
    assert.deepEqual(
      [0, 1].map((detector) => words.isDeaf(text.length - 1, detector)),
      [number === 2, number < 2],
      text
    )
  }
  assert.ok(!words.any('some text 1', 4, 10))
})
