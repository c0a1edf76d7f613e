import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { Places } from './places.ts'

const vowels = (text: string, at: number): string | undefined =>
  'aeiou'.includes(text.charAt(at)) ? text.charAt(at) : undefined

/** What is found in `[from, to)`. */
function foundIn(places: Places<string>, text: string, from: number, to: number, textNumber: number): string {
  let out = ''
  for (let i = places.read(text, from, to, textNumber); i < places.count && places.place(i) < to; i++)
    out += `${places.place(i)}${places.found(i)} `
  return out
}

test('what is found in a range does not depend on the ranges before', () => {
  const text = 'the quick brown fox jumps over the lazy dog '.repeat(40)
  const range = fc.record({ from: fc.nat(text.length), units: fc.nat(400), textNumber: fc.nat(2) })
  fc.assert(
    fc.property(fc.array(range, { maxLength: 20 }), (ranges) => {
      const places = new Places(vowels)
      for (const { from, units, textNumber } of ranges) {
        const read = textNumber === 2 ? text.toUpperCase() + text : text
        const found = foundIn(places, read, from, from + units, textNumber)
        assert.equal(found, foundIn(new Places(vowels), read, from, from + units, 0))
        const last = places.readLast(read, from, from + units, textNumber)
        assert.equal(last < 0 ? '' : `${places.place(last)}${places.found(last)} `, /\w* $|$/.exec(found)?.[0])
      }
    })
  )
})

test('ranges that follow each other are read once', () => {
  let reads = 0
  const places = new Places((text, at) => (++reads, text.charAt(at) === 'a' ? true : undefined))
  const text = 'abcdefghij'.repeat(1000)
  // As of values of 20 units, with what stands before and behind each of them.
  for (let at = 0; at + 20 < text.length; at += 20) {
    places.read(text, Math.max(0, at - 300), at, 1)
    places.read(text, at + 20, Math.min(text.length, at + 300), 1)
  }
  // Now and then what is known is dropped.
  assert.ok(reads < 1.3 * text.length, `${reads} reads of ${text.length} units`)
})
